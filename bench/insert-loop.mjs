/**
 * Inserts batches of lines, one after the other, with nothing but the driver. Arguments: URL of the database, lines in a
 * batch, characters in a line, ms. Prints the lines a second.
 */
import pg from "pg";

const [url, lines, length, ms] = process.argv.slice(2);
const schema = new URL(url).searchParams.get("search_path");
const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c search_path=${schema}` });
await pool.query(
  "CREATE TABLE IF NOT EXISTS bare (account text, sequence bigint, epoch bigint, line text, PRIMARY KEY (account, sequence))",
);
await pool.query("TRUNCATE bare");
const text = `INSERT INTO bare SELECT * FROM unnest(string_to_array($1, E'\\n'), string_to_array($2, E'\\n')::bigint[],
  string_to_array($3, E'\\n')::bigint[], string_to_array($4, E'\\n'))`;
const line = JSON.stringify("x".repeat(Number(length) - 2));
const started = performance.now();
let sequence = 0;
while (performance.now() - started < Number(ms)) {
  const columns = [[], [], [], []];
  for (let i = 0; i < Number(lines); i++)
    for (const [at, value] of ["acct_aaaaaaaaaaaaaaaa", ++sequence, 1, line].entries())
      columns[at].push(value);
  await pool.query({ name: "bare", text, values: columns.map((values) => values.join("\n")) });
}
process.stdout.write(String((sequence / (performance.now() - started)) * 1_000));
await pool.end();
