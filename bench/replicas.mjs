/**
 * Measures replicas on the PostgreSQL server of STANDIN_TEST_POSTGRES: a replica's writes beside a bare loop of the driver that
 * inserts batches of the same size, and what it costs to ask a replica that forwards to the owner.
 */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { freshWallet } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { balance, load, phoneStart } from "./load.mjs";
import { startStandin } from "./servers.mjs";

const rounds = 3;
const loopMs = 2_000;
const key = "svc_test_demo";

export default async function replicas() {
  const server = process.env.STANDIN_TEST_POSTGRES;
  if (!server) throw new Error("set STANDIN_TEST_POSTGRES to the URL of a PostgreSQL server");
  const schema = `standin_bench_${randomBytes(4).toString("hex")}`;
  const pool = new pg.Pool({ connectionString: server, max: 1, options: `-c search_path=${schema}` });
  await pool.query(`CREATE SCHEMA ${schema}`);
  const url = new URL(server);
  url.searchParams.set("search_path", schema);
  const owner = await startStandin(["--store", url.href]);
  await freshWallet(owner.url, key);
  const other = await startStandin(["--store", url.href]);
  try {
    await load(owner, { ...phoneStart(key), seconds: 2 });
    const batch = await batchSize(pool);
    const writes = medians(
      await interleaved(rounds, {
        owner: async () => (await load(owner, phoneStart(key))).perSecond,
        other: async () => (await load(other, phoneStart(key))).perSecond,
        loop: () => insertLoop(pool, batch),
      }),
    );
    const reads = medians(
      await interleaved(rounds, {
        owner: async () => (await load(owner, balance(key))).perSecond,
        other: async () => (await load(other, balance(key))).perSecond,
      }),
    );
    return [
      row({
        figure: "phone start on one replica, a second",
        standin: writes.owner,
        beside: writes.loop,
        besideIs: `lines of a bare loop, ${batch.lines} of ${batch.length} characters at a time`,
        reach: "≥ 0.5",
        reached: writes.owner >= 0.5 * writes.loop,
      }),
      row({
        figure: "phone start, forwarded",
        standin: writes.other,
        beside: writes.owner,
        besideIs: "at the owner",
      }),
      row({
        figure: "GET balance, forwarded",
        standin: reads.other,
        beside: reads.owner,
        besideIs: "at the owner",
      }),
    ];
  } finally {
    await owner.stop();
    await other.stop();
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  }
}

/** Returns the mean number of lines that one transaction has written, and their mean length. */
async function batchSize(pool) {
  const { rows } = await pool.query(
    "SELECT count(*) / count(DISTINCT xmin::text) AS lines, avg(length(line))::integer AS length FROM standin_journal",
  );
  return { lines: Number(rows[0].lines), length: rows[0].length };
}

/** Resolves to the lines a second that the driver inserts, in batches one after the other. */
async function insertLoop(pool, { lines, length }) {
  await pool.query(
    "CREATE TABLE IF NOT EXISTS bare (account text, sequence bigint, epoch bigint, line text, PRIMARY KEY (account, sequence))",
  );
  await pool.query("TRUNCATE bare");
  const text = `INSERT INTO bare SELECT * FROM unnest(string_to_array($1, E'\\n'), string_to_array($2, E'\\n')::bigint[],
    string_to_array($3, E'\\n')::bigint[], string_to_array($4, E'\\n'))`;
  const line = JSON.stringify("x".repeat(length - 2));
  const started = performance.now();
  let sequence = 0;
  while (performance.now() - started < loopMs) {
    const columns = [[], [], [], []];
    for (let i = 0; i < lines; i++)
      for (const [at, value] of ["acct_aaaaaaaaaaaaaaaa", ++sequence, 1, line].entries())
        columns[at].push(value);
    await pool.query({ name: "bare", text, values: columns.map((values) => values.join("\n")) });
  }
  return (sequence / (performance.now() - started)) * 1_000;
}
