/** Measures whether commits slow down with the number of records, and starts with the number of accounts. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client } from "./client.mjs";
import { interleaved, medians, row } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { startStandin } from "./servers.mjs";

const few = 100;
const many = 1_000_000;
const accounts = 10_000;
const startRounds = 11;
const timeoutMs = 180_000;

export default async function commit() {
  return [...costs("memory"), ...costs("file"), ...(await starts())];
}

/** Runs in a child process, because a million records need a larger heap. */
export function costs(store, address = "") {
  const script = fileURLToPath(new URL("commit-cost.mjs", import.meta.url));
  const run = spawnSync(
    process.execPath,
    ["--max-old-space-size=4096", script, store, String(few), String(many), address],
    {
      encoding: "utf8",
      timeout: timeoutMs,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (run.status !== 0) throw new Error(`commit-cost.mjs ${store} ended with ${run.status ?? run.signal}`);
  const { withFew, withMany } = JSON.parse(run.stdout);
  return [
    row({
      figure: `a commit at 1,000,000 records, ${store}`,
      unit: "µs",
      standin: withMany,
      beside: withFew,
      besideIs: "at 100",
      reach: "≤ 1.2",
      reached: withMany <= 1.2 * withFew,
    }),
  ];
}

async function starts() {
  const script = fileURLToPath(new URL("fill-folder.mjs", import.meta.url));
  const [full, empty] = [tempFolder(), tempFolder()];
  spawnSync(process.execPath, [script, full, String(accounts)], { timeout: timeoutMs, stdio: "inherit" });
  const start = (folder) => async () => {
    const started = performance.now();
    const server = await startStandin(["--data", folder]);
    const client = new Client(server.url);
    await client.call("GET", "/healthz");
    const ms = performance.now() - started;
    client.close();
    await server.stop();
    return ms;
  };
  const ms = medians(await interleaved(startRounds, { empty: start(empty), full: start(full) }));
  return [
    row({
      figure: "start on a folder with 10,000 accounts",
      unit: "ms",
      standin: ms.full,
      beside: ms.empty,
      besideIs: "an empty folder",
      reach: "≤ 1.1",
      reached: ms.full <= 1.1 * ms.empty,
    }),
  ];
}
