/** Runs the benches and prints their results as ratios. `npm run bench` runs all of them, `node bench/run.mjs requests` a single one. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import activities from "./activities.mjs";
import coldStart from "./cold-start.mjs";
import commit from "./commit.mjs";
import dashboard from "./dashboard.mjs";
import deliveries from "./deliveries.mjs";
import exam from "./exam.mjs";
import { table } from "./figures.mjs";
import largeAccount from "./large-account.mjs";
import memory from "./memory.mjs";
import peers from "./peers.mjs";
import relay from "./relay.mjs";
import replicas from "./replicas.mjs";
import requests from "./requests.mjs";
import { dist, keepOffServers } from "./servers.mjs";
import takeOver from "./take-over.mjs";
import timeTravel from "./time-travel.mjs";
import tools from "./tools.mjs";

const benches = {
  "cold-start": coldStart,
  requests,
  peers,
  activities,
  commit,
  memory,
  deliveries,
  relay,
  dashboard,
  "time-travel": timeTravel,
  "large-account": largeAccount,
  replicas,
  "take-over": takeOver,
  tools,
  exam,
};
/** The longest bench, exam, may take 8 minutes. */
const benchTimeoutMs = 15 * 60_000;

/** Benches that run if none are named. `peers` needs third-party servers. */
const usual = Object.keys(benches).filter((name) => name !== "peers" || process.env.STANDIN_PEERS);
const names = process.argv.length > 2 ? process.argv.slice(2) : usual;
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) {
  process.stderr.write(`unknown bench ${unknown}; known are ${Object.keys(benches).join(", ")}\n`);
  process.exit(2);
}
if (!existsSync(`${dist}/standin.cjs`)) {
  const build = fileURLToPath(new URL("../build.mjs", import.meta.url));
  execFileSync(process.execPath, [build], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
}
keepOffServers();
// Each server, load and folder ends with this process.
process.setMaxListeners(50);

const rows = [];
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  try {
    const measured = await Promise.race([benches[name](), timeout()]);
    rows.push(...measured.map((line) => ({ bench: name, ...line })));
  } catch (error) {
    process.stderr.write(`${name}: ${error.stack}\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(`${table(rows)}\n`);
process.exit();

function timeout() {
  return new Promise((_resolve, reject) => {
    setTimeout(
      () => reject(new Error(`took longer than ${benchTimeoutMs / 60_000} minutes`)),
      benchTimeoutMs,
    ).unref();
  });
}
