/** Clients of the service as programs of their own, like the test suites that users run. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/program.js";

/** Returns the command that runs this source. */
export function client(source: string): string[] {
  const file = join(temporaryFolder(), "client.mjs");
  writeFileSync(file, `${call}\n${source}\n`);
  return [process.execPath, file];
}

/**
 * Functions of every client: calls of the service with the key and URL in the environment. `fetch` would take most of the
 * CPU time of a client.
 */
const call = `
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
const { SERVICE_BASE_URL, SERVICE_KEY } = process.env;
const post = async (path, body, key = SERVICE_KEY) => {
  const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
  const sent = request(SERVICE_BASE_URL + path, { method: "POST", headers }).end(JSON.stringify(body));
  const [reply] = await once(sent, "response");
  const answer = await text(reply);
  return { status: reply.statusCode, json: () => JSON.parse(answer) };
};
const get = (path) => fetch(SERVICE_BASE_URL + path, { headers: { "X-Service-Key": SERVICE_KEY } });
const startPhone = () => post("/v1/phone/verify/start", { phone: "08031234567" });`;

/** Exits with 10 plus the number of signals received within a second of the first. */
export const signalCountingClient = `
let count = 0;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(name, () => {
    if (++count === 1) setTimeout(() => process.exit(10 + count), 1000);
    console.log("got " + name);
  });
setInterval(() => {}, 1000);
console.log("ready");`;

/** Whether the script of util-linux, which gives a program a terminal, is installed. */
export const hasTerminals =
  spawnSync("script", ["-qefc", "true", "/dev/null"], { timeout: 60_000 }).status === 0;
