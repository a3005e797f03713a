/** Measures requests per second at 32 connections, compared with bare node:http and a typical Express app. */
import { freshWallet } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { balance, load, phoneStart, verifyBvn } from "./load.mjs";
import { startPeer, startStandin } from "./servers.mjs";

const rounds = 5;
const warmUp = 2;

/** `minRatio` is the target relative to bare node:http. */
const kinds = {
  "GET balance": { request: balance(), minRatio: 0.6, stores: ["memory", "file"] },
  "POST verify/bvn": { request: verifyBvn(), minRatio: 0.38, stores: ["memory", "file"] },
  "POST phone/verify/start": { request: phoneStart(), minRatio: 0.32, stores: ["memory", "file"] },
};

export default async function requests() {
  const servers = {
    bare: await startPeer("bare"),
    express: await startPeer("express"),
    memory: await startStandin(),
    file: await startStandin(["--data", tempFolder()]),
  };
  const rows = [];
  try {
    for (const [kind, { request, minRatio, stores }] of Object.entries(kinds)) {
      const measured = Object.entries(servers).filter(([name]) =>
        ["bare", "express", ...stores].includes(name),
      );
      for (const [name, server] of measured) await once(name, server, request, warmUp);
      const results = await interleaved(
        rounds,
        Object.fromEntries(measured.map(([name, server]) => [name, () => once(name, server, request)])),
      );
      for (const store of stores) rows.push(...compare(kind, store, results, minRatio));
    }
  } finally {
    for (const server of Object.values(servers)) await server.stop("SIGKILL");
  }
  return rows;
}

async function once(name, server, request, seconds) {
  if (name === "memory" || name === "file") await freshWallet(server.url);
  return load(server, { ...request, seconds });
}

function compare(kind, store, results, minRatio) {
  const [speed, cpu, p99] = ["perSecond", "cpu", "p99"].map((field) => medians(results, field));
  const figure = `${kind}, ${store}`;
  return [
    row({
      figure: `${figure}, a second`,
      standin: speed[store],
      beside: speed.bare,
      besideIs: "bare",
      reach: `≥ ${minRatio}`,
      reached: speed[store] >= minRatio * speed.bare,
    }),
    row({
      figure: `${figure}, a second`,
      standin: speed[store],
      beside: speed.express,
      besideIs: "Express",
      reach: "≥ 3",
      reached: speed[store] >= 3 * speed.express,
    }),
    row({
      figure: `${figure}, CPU each`,
      unit: "µs",
      standin: cpu[store],
      beside: cpu.bare,
      besideIs: "bare",
      reach: `≤ ${(1 / minRatio).toFixed(2)}`,
      reached: cpu[store] * minRatio <= cpu.bare,
    }),
    row({
      figure: `${figure}, p99`,
      unit: "ms",
      standin: p99[store],
      beside: p99.bare,
      besideIs: "bare",
      reach: "< 10 ms",
      reached: p99[store] < 10,
    }),
  ];
}
