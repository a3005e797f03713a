/** Measures how long requests of other accounts wait while an account of 20,000 records is opened, moved and read. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { Worker } from "node:worker_threads";
import { Client } from "./client.mjs";
import { median, row } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { startStandin } from "./servers.mjs";

const size = Number(process.env.STANDIN_BENCH_RECORDS ?? 20_000);
const maxP99Ms = 50;
const large = "svc_test_large";
const flags = (folder) => ["--data", folder, "--max-snapshot-mb", "64"];

export default async function largeAccount() {
  const folder = tempFolder();
  let server = await startStandin(flags(folder));
  const document = Buffer.from(await largeSnapshot(server));
  const rows = [];
  const measure = async (figure, work) => {
    const { durations, failed } = await probe(server, work);
    const sorted = durations.sort((one, other) => one - other);
    const p99 = sorted[Math.floor(sorted.length * 0.99)];
    process.stderr.write(
      `  ${figure}: longest ${sorted.at(-1).toFixed(0)} ms of ${sorted.length}, failed ${failed}\n`,
    );
    rows.push(
      row({
        figure: `p99 while ${size} records are ${figure}`,
        unit: "ms",
        standin: p99,
        beside: median(sorted),
        besideIs: "median",
        reach: `< ${maxP99Ms} ms, none failed`,
        reached: p99 < maxP99Ms && failed === 0,
      }),
    );
  };
  const call = (method, path, body) => () => send(server, method, path, body);
  await measure("restored from a snapshot", call("PUT", "/_sandbox/snapshot", document));
  await measure("taken as a snapshot", call("GET", "/_sandbox/snapshot"));
  await measure("listed", call("GET", "/_sandbox/inbox"));
  await measure("bundled", call("GET", "/_sandbox/export/bundle"));
  await server.stop("SIGKILL");
  server = await startStandin(flags(folder));
  await measure("opened from a journal", call("GET", "/v1/balance"));
  await measure("moved by an advance", call("POST", "/_sandbox/clock/advance", Buffer.from('{"by":"1h"}')));
  await server.stop();
  server = await startStandin(flags(folder));
  await measure("opened", call("GET", "/v1/balance"));
  await measure("reset", call("POST", "/_sandbox/reset"));
  await server.stop();
  return rows;
}

/** Returns the text of a snapshot with many phone verifications, each with its message and the job that ends it. */
async function largeSnapshot(server) {
  const client = new Client(server.url, "svc_test_small");
  await client.call("POST", "/_sandbox/clock/freeze", { at: "2030-01-01T00:00:00Z" });
  await client.call("POST", "/v1/phone/verify/start", { phone: "08031234567" });
  const { checksum, ...document } = await client.call("GET", "/_sandbox/snapshot");
  client.close();
  const ids = ["phone_verification", "inbox"].flatMap((table) => Object.keys(document.state[table]));
  for (const table of ["phone_verification", "inbox", "jobs"])
    document.state[table] = copies(Object.entries(document.state[table])[0], ids);
  document.state.account.sequences.jobs = size + 1;
  const text = JSON.stringify(document);
  return `${text.slice(0, -1)},"checksum":${JSON.stringify(createHash("sha256").update(text).digest("hex"))}}`;
}

const digits = 6;

/** Returns copies of an entry of a table, in which the last characters of these ids differ. */
function copies(entry, ids) {
  const text = JSON.stringify(entry);
  return Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const end = String(i).padStart(digits, "0");
      const copy = ids.reduce((copied, id) => copied.replaceAll(id, id.slice(0, -digits) + end), text);
      const [id, record] = JSON.parse(copy);
      return [id, "order" in record ? { ...record, order: i } : record];
    }),
  );
}

/** Sends small requests of another account while `work` runs. */
async function probe(server, work) {
  const worker = new Worker(new URL("./prober.mjs", import.meta.url), { workerData: { url: server.url } });
  await once(worker, "message");
  try {
    await work();
  } finally {
    worker.postMessage("end");
  }
  const [measured] = await once(worker, "message");
  return measured;
}

/** Sends a request of the large account and discards the reply's body, which would keep this thread busy. */
async function send(server, method, path, body) {
  const started = performance.now();
  const headers = {
    "x-service-key": large,
    ...(body && { "content-type": "application/json", "content-length": body.length }),
  };
  const sent = request(server.url + path, { method, headers, agent: new Agent() });
  sent.end(body);
  const [reply] = await once(sent, "response");
  let text = "";
  let bytes = 0;
  for await (const chunk of reply) {
    bytes += chunk.length;
    if (text.length < 300) text += chunk;
  }
  if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
  process.stderr.write(
    `  ${method} ${path}: ${bytes} bytes in ${(performance.now() - started).toFixed(0)} ms\n`,
  );
}
