/** Measures resident memory, the cost of a fresh account in memory and time, and the duration of a reset. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, freshWallet } from "./client.mjs";
import { median, row } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { balance, load, phoneStart } from "./load.mjs";
import { startPeer, startStandin } from "./servers.mjs";

const requests = 50_000;
const accounts = 10_000;
const samples = 500;

async function withServer(start, run) {
  const server = await start();
  try {
    await pause(1_000);
    return await run(server);
  } finally {
    await server.stop("SIGKILL");
  }
}

export default async function memory() {
  return [
    ...(await idleAndAfter("GET balance", balance(), 105)),
    ...(await idleAndAfter("POST phone/verify/start", phoneStart(), 120)),
    ...(await accountCost("untouched", (client, key) => client.call("GET", "/v1/balance", undefined, key))),
    ...(await accountCost("after one commit", (client, key) =>
      client.call("POST", "/v1/phone/verify/start", { phone: "08031234567" }, key),
    )),
    ...(await withServer(startStandin, freshAndReset)),
    ...(await heapAfterReset()),
  ];
}

async function idleAndAfter(kind, request, most) {
  const after = async (server) => {
    const idle = server.rss;
    await load(server, { ...request, amount: requests });
    const once = server.rss;
    await load(server, { ...request, amount: requests });
    return { idle, once, twice: server.rss };
  };
  const bare = await withServer(() => startPeer("bare"), after);
  const standin = await withServer(startStandin, async (server) => {
    const idle = server.rss;
    await freshWallet(server.url);
    return { ...(await after(server)), idle };
  });
  const line = (figure, name, most) =>
    row({
      figure,
      unit: "MB",
      standin: standin[name],
      beside: bare[name],
      besideIs: "bare",
      ...(most ? { reach: `< ${most} MB`, reached: standin[name] < most } : {}),
    });
  return [
    line("RSS idle", "idle", 60),
    line(`RSS after 50,000 ${kind}`, "once", most),
    line(`RSS after 100,000 ${kind}`, "twice"),
  ];
}

async function accountCost(kind, use) {
  const kilobytes = await withServer(startStandin, async (server) => {
    const client = new Client(server.url);
    for (let i = 0; i < 1_000; i++) await use(client, `warm_up_${i}`);
    const before = server.rss;
    for (let i = 0; i < accounts; i++) await use(client, `svc_test_bench_${i}`);
    client.close();
    return ((server.rss - before) * 1024) / accounts;
  });
  return [
    row({
      figure: `an account, ${kind}`,
      unit: "KB",
      standin: kilobytes,
      reach: "≤ 20 KB",
      reached: kilobytes <= 20,
    }),
  ];
}

async function freshAndReset(server) {
  const client = new Client(server.url);
  for (let i = 0; i < samples; i++) await client.call("GET", "/v1/balance", undefined, `warm_up_${i}`);
  const [fresh, known, reset, look] = [[], [], [], []];
  for (let i = 0; i < samples; i++) {
    const key = `svc_test_fresh_${i}`;
    fresh.push(await client.time("GET", "/v1/balance", undefined, key));
    known.push(await client.time("GET", "/v1/balance", undefined, key));
  }
  for (let i = 0; i < samples / 5; i++) {
    for (let j = 0; j < 20; j++)
      await client.call("POST", "/v1/phone/verify/start", { phone: "08031234567" });
    look.push(await client.time("GET", "/_sandbox/account"));
    reset.push(await client.time("POST", "/_sandbox/reset"));
  }
  client.close();
  const line = (figure, times, besideTimes, besideIs) => {
    const [standin, beside] = [median(times), median(besideTimes)];
    const reached = standin - beside < 1;
    return row({ figure, unit: "ms", standin, beside, besideIs, reach: "< 1 ms more", reached });
  };
  return [
    line("first request of a fresh account", fresh, known, "its second"),
    line("reset of an account with 20 records", reset, look, "GET /_sandbox/account"),
  ];
}

const heapReporter = fileURLToPath(new URL("heap-reporter.cjs", import.meta.url));

async function heapAfterReset() {
  const file = join(tempFolder(), "heap");
  const node = ["--expose-gc", "--require", heapReporter];
  const server = () => startStandin(["--memory"], { node, env: { HEAP_FILE: file } });
  return withServer(server, async (server) => {
    const heap = async () => {
      server.child.kill("SIGUSR2");
      while (!existsSync(file)) await pause(50);
      const megabytes = Number(readFileSync(file, "utf8")) / 2 ** 20;
      rmSync(file);
      return megabytes;
    };
    await freshWallet(server.url);
    await load(server, { ...phoneStart(), amount: 1_000 });
    const client = new Client(server.url);
    await client.call("POST", "/_sandbox/reset");
    const before = await heap();
    await freshWallet(server.url);
    await load(server, { ...phoneStart(), amount: 100_000 });
    await client.call("POST", "/_sandbox/reset");
    client.close();
    const standin = await heap();
    return [
      row({
        figure: "heap in use after 100,000 writes and a reset",
        unit: "MB",
        standin,
        beside: before,
        besideIs: "after 1,000 and a reset",
        reach: "≤ 1.5",
        reached: standin <= 1.5 * before,
      }),
    ];
  });
}
