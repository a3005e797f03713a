/** A table of lines that only the driver fills. Lists are texts with a line per value, which are faster than arrays. */
import pg from "pg";

/** Creates an empty table of this name in the schema of the URL. */
export async function createBareTable(url, name) {
  const schema = new URL(url).searchParams.get("search_path");
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c search_path=${schema}` });
  await pool.query(
    `CREATE TABLE IF NOT EXISTS ${name} (account text, sequence bigint, epoch bigint, line text, PRIMARY KEY (account, sequence))`,
  );
  await pool.query(`TRUNCATE ${name}`);
  const text = `INSERT INTO ${name} SELECT * FROM unnest(string_to_array($1, E'\\n'), string_to_array($2, E'\\n')::bigint[],
    string_to_array($3, E'\\n')::bigint[], string_to_array($4, E'\\n'))`;
  let sequence = 0;
  return {
    /** Inserts lines in one transaction. */
    async insert(lines) {
      const columns = [[], [], [], []];
      for (const line of lines)
        for (const [at, value] of ["acct_aaaaaaaaaaaaaaaa", ++sequence, 1, line].entries())
          columns[at].push(value);
      const values = columns.map((column) => column.join("\n"));
      await pool.query({ name: "insert", text, values });
    },
    end: () => pool.end(),
  };
}

/** Returns a line of JSON of this length, in characters. */
export const lineOf = (length) => JSON.stringify("x".repeat(length - 2));
