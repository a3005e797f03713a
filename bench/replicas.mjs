/**
 * Measures replicas on PostgreSQL: a replica's writes beside a bare loop of the driver that inserts batches of the same
 * size and beside a bare server that stores them, what it costs to ask a replica that forwards to the owner, and commits in
 * large accounts.
 */
import { fileURLToPath } from "node:url";
import { freshWallet } from "./client.mjs";
import { costs } from "./commit.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { balance, load, phoneStart } from "./load.mjs";
import { withPostgres } from "./postgres.mjs";
import { peer, spawnOn, startServer, startStandin } from "./servers.mjs";

const rounds = 5;
const loopMs = 2_000;
const key = "svc_test_demo";

export default async function replicas() {
  return [...(await withPostgres(throughput)), ...(await withPostgres(({ url }) => costs("postgres", url)))];
}

async function throughput({ url, pool }) {
  const owner = await startStandin(["--store", url]);
  await freshWallet(owner.url, key);
  const others = [
    await startStandin(["--store", url], { core: 1 }),
    await startStandin(["--store", url], { core: 1 }),
  ];
  const ask = (request) => async (server) => (await load(server, request)).perSecond;
  /** Sends requests to all three replicas at the same time. Two of them forward everything. */
  const askAll = async (request) => {
    const each = await Promise.all([owner, ...others].map(ask(request)));
    return each.reduce((total, perSecond) => total + perSecond, 0);
  };
  let bare = null;
  try {
    await load(owner, { ...phoneStart(key), seconds: 2 });
    const batch = await batchSize(pool);
    bare = await startServer([peer("postgres"), url, String(batch.length)]);
    const rows = [];
    const writes = medians(
      await interleaved(rounds, {
        owner: () => ask(phoneStart(key))(owner),
        other: () => ask(phoneStart(key))(others[0]),
        all: () => askAll(phoneStart(key)),
        bare: () => ask(phoneStart(key))(bare),
        loop: () => insertLoop(url, batch),
      }),
    );
    rows.push(
      row({
        figure: "phone start on one replica, a second",
        standin: writes.owner,
        beside: writes.loop,
        besideIs: `lines of a bare loop, ${Math.round(batch.lines)} of ${batch.length} characters at a time`,
        reach: "≥ 0.5",
        reached: writes.owner >= 0.5 * writes.loop,
      }),
      row({
        figure: "phone start on one replica, a second",
        standin: writes.owner,
        beside: writes.bare,
        besideIs: "bare node:http that stores the same lines",
        reach: "≥ 0.4",
        reached: writes.owner >= 0.4 * writes.bare,
      }),
      row({
        figure: "bare node:http that stores the same lines, a second",
        standin: writes.bare,
        beside: writes.loop,
        besideIs: "lines of the bare loop",
      }),
    );
    const reads = medians(
      await interleaved(rounds, {
        owner: () => ask(balance(key))(owner),
        other: () => ask(balance(key))(others[0]),
        all: () => askAll(balance(key)),
      }),
    );
    for (const [name, { owner: direct, other, all }] of [
      ["phone start", writes],
      ["GET balance", reads],
    ])
      rows.push(
        row({ figure: `${name}, forwarded`, standin: other, beside: direct, besideIs: "at the owner" }),
        row({
          figure: `${name}, three replicas on two cores`,
          standin: all,
          beside: direct,
          besideIs: "at the owner",
        }),
      );
    return rows;
  } finally {
    for (const server of [owner, ...others, ...(bare ? [bare] : [])]) await server.stop();
  }
}

/** Returns the mean number of lines that one transaction has written, and their mean length. */
async function batchSize(pool) {
  const { rows } = await pool.query(
    "SELECT count(*) / count(DISTINCT xmin::text) AS lines, avg(length(line))::integer AS length FROM standin_journal",
  );
  return { lines: Number(rows[0].lines), length: rows[0].length };
}

/** Resolves to the lines per second that the driver inserts, on the core that the owner otherwise has. */
async function insertLoop(url, { lines, length }) {
  const script = fileURLToPath(new URL("insert-loop.mjs", import.meta.url));
  let text = "";
  for await (const chunk of spawnOn(0, [script, url, String(lines), String(length), String(loopMs)]).stdout)
    text += chunk;
  return Number(text);
}
