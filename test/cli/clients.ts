/** Clients of the service as their own test suites would be: programs in files, started by a command. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/program.js";

/** The command that runs this source. */
export function client(source: string): string[] {
  const file = join(temporaryFolder(), "client.mjs");
  writeFileSync(file, `${call}\n${source}\n`);
  return [process.execPath, file];
}

/** What every client has: a call of the service with what it finds in its environment. */
const call = `
const { SERVICE_BASE_URL, SERVICE_KEY } = process.env;
const post = (path, body, key = SERVICE_KEY) =>
  fetch(SERVICE_BASE_URL + path, {
    method: "POST",
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const startPhone = () => post("/v1/phone/verify/start", { phone: "08031234567" });`;

/** Ends with 10 and the number of signals that it got within a moment of the first one. */
export const signalCounter = `
let count = 0;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(name, () => {
    if (++count === 1) setTimeout(() => process.exit(10 + count), 1000);
    console.log("got " + name);
  });
setInterval(() => {}, 1000);
console.log("ready");`;

/** util-linux's: gives a program a terminal. */
export const hasTerminals = spawnSync("script", ["-qefc", "true", "/dev/null"]).status === 0;
