/**
 * Measures how long an account cannot be written to after its owner was stopped or killed, and how long calls take while
 * each of three replicas is restarted in turn.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "./client.mjs";
import { median, row } from "./figures.mjs";
import { phoneStart } from "./load.mjs";
import { withPostgres } from "./postgres.mjs";
import { startStandin } from "./servers.mjs";

const takeOvers = 20;
const retryMs = 10;
const rollingAccounts = 60;
const rollingReplicas = 3;

export default async function takeOver() {
  return [
    await withPostgres(({ url }) => measure(url, { signal: "SIGTERM", limitMs: 1_000, atOnce: 1 })),
    // Most of the time is the pause before the lease of a dead replica is ended, for which several accounts can wait at once.
    await withPostgres(({ url }) => measure(url, { signal: "SIGKILL", limitMs: 1_000, atOnce: 5 })),
    ...(await withPostgres(({ url }) => rollingRestart(url))),
  ];
}

/** Stops the owners of one account each, and writes to their accounts on a replica that keeps running. */
async function measure(url, { signal, limitMs, atOnce }) {
  const other = await startStandin(["--store", url], { core: 1 });
  const ms = [];
  for (let begun = 0; begun < takeOvers; begun += atOnce) {
    const owners = [];
    for (let at = 0; at < atOnce; at++) owners.push(await startStandin(["--store", url]));
    ms.push(...(await Promise.all(owners.map((owner, at) => measureOne(owner, other, signal, begun + at)))));
  }
  await other.stop();
  const longest = Math.max(...ms);
  return row({
    figure: `take-over after ${signal}: median of ${ms.length}`,
    unit: "ms",
    standin: median(ms),
    besideIs: `${Math.round(longest)} ms at most`,
    reach: `≤ ${limitMs} ms`,
    reached: longest <= limitMs,
  });
}

async function measureOne(owner, other, signal, number) {
  const account = `svc_test_take_over_${number}`;
  const { method, path, body } = phoneStart(account);
  const [here, there] = [new Client(owner.url, account), new Client(other.url, account)];
  await here.call(method, path, JSON.parse(body));
  // The connections are already open.
  await there.call("GET", "/healthz");
  const started = performance.now();
  const stopped = owner.stop(signal);
  for (;;) {
    const isWritten = await there.call(method, path, JSON.parse(body)).then(
      () => true,
      () => false,
    );
    if (isWritten) break;
    await pause(retryMs);
  }
  const ms = performance.now() - started;
  here.close();
  there.close();
  await stopped;
  return ms;
}

/** Restarts each replica while every account is written to and read, as behind a load balancer that tries the next replica. */
async function rollingRestart(url) {
  const start = () => startStandin(["--store", url], { core: 1 });
  const replicas = await Promise.all(Array.from({ length: rollingReplicas }, start));
  const calls = [];
  let isOver = false;
  const client = async (number) => {
    const key = `svc_test_rolling_${number}`;
    const { method, path, body } = phoneStart(key);
    for (let at = number; !isOver; at++) {
      const started = performance.now();
      for (let tries = at; ; tries++) {
        const there = new Client(replicas[tries % replicas.length].url, key);
        const isDone = await (at % 2
          ? there.call("GET", "/v1/balance")
          : there.call(method, path, JSON.parse(body))
        ).then(
          () => true,
          () => false,
        );
        there.close();
        if (isDone) break;
        await pause(retryMs);
      }
      calls.push(performance.now() - started);
      await pause(5 * retryMs);
    }
  };
  const clients = Array.from({ length: rollingAccounts }, (_, number) => client(number));
  for (let at = 0; at < replicas.length; at++) {
    await pause(1_000);
    const next = await start();
    const before = replicas[at];
    replicas[at] = next;
    await before.stop();
  }
  await pause(1_000);
  isOver = true;
  await Promise.all(clients);
  const owner = new Client(replicas[0].url, "svc_test_rolling_0");
  const { replicas: shares } = await owner.call("GET", "/_sandbox/accounts");
  owner.close();
  for (const replica of replicas) await replica.stop();
  const owned = shares.map(({ accounts }) => accounts).sort((one, other) => other - one);
  return [
    row({
      figure: `rolling restart: longest of ${calls.length} calls`,
      unit: "ms",
      standin: Math.max(...calls),
      besideIs: `${median(calls).toFixed(1)} ms median`,
    }),
    row({
      figure: `rolling restart: accounts of the busiest replica, of ${rollingAccounts}`,
      standin: owned[0],
      besideIs: `${owned.join(", ")} accounts`,
    }),
  ];
}
