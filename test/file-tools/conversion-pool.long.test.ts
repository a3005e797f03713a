/** The pool of conversion threads behind the file tools. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { ConversionPool } from "../../src/file-tools/conversion-pool.js";
import { PoolBusyError, UnreadableFileError } from "../../src/file-tools/engine.js";
import { pngOf } from "../support/forms.js";
import { pngOfSize } from "../support/pictures.js";
import { repetitions, upTo } from "../support/repetitions.js";
import { call, read, useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { sendToTool } from "../support/uploads.js";
import { docxFrom, paragraphXml, sampleDocuments, sampleFolder } from "./docx-to-pdf/documents.js";

const MB = 1024 * 1024;

/** A picture that keeps a thread busy for seconds. */
const slow = pngOfSize(2000, 2000);
const screenshots = { kind: "screenshot", platform: "both" } as const;
const threads = Math.max(1, availableParallelism() - 1);
const maxQueuedFiles = 16;

describe("while files are converted", () => {
  const sandbox = useListeningSandbox();
  type Account = ReturnType<typeof sandbox.account>;

  const sendSlow = (account: Account, signal: AbortSignal) =>
    sendToTool(account, "store-assets", slow, "slow.png", { fields: screenshots, signal });

  it("other requests are answered, and files that find the queue full are refused", async () => {
    const account = sandbox.account();
    const leaving = new AbortController();
    let answered = 0;
    // However many files are waiting, those of another account are accepted.
    const converting = Array.from({ length: threads }, async () => {
      await sendSlow(sandbox.account(), leaving.signal).finally(() => {
        answered += 1;
      });
    });
    const cutOff = slow.subarray(0, 60);
    const waiting = Array.from({ length: 40 }, async () =>
      read(await sendToTool(account, "remove-background", cutOff)),
    );
    for (let i = 0; i < 20; i++) expect((await call(account, "GET", "/v1/balance")).status).toBe(200);
    const firstRefusal = waiting.map(async (reply) => expect((await reply).status).toBe(429));
    await Promise.any(firstRefusal);
    expect(answered).toBe(0);
    leaving.abort();
    expect((await Promise.allSettled(converting)).map(({ status }) => status)).toEqual(
      Array(threads).fill("rejected"),
    );
    const replies = await Promise.all(waiting);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(40 - refused.length);
    expect(refused[0]?.headers.get("Retry-After")).toBe("5");
    expect(refused[0]?.body.error).toMatchObject({
      code: "rate_limited",
      message: "16 files of this account are already waiting to be converted; try again in a moment.",
    });
  });

  it("a client that disconnects frees the threads and the queue for others, and is not charged", async () => {
    const account = sandbox.account();
    const balance = async () => (await call(account, "GET", "/v1/balance")).body.balance;
    const before = await balance();
    const leaving = new AbortController();
    const all = Array.from({ length: threads + maxQueuedFiles + 1 }, () => sendSlow(account, leaving.signal));
    // The first reply is a refusal because the queue is full, so all others are queued or running.
    expect((await Promise.race(all)).status).toBe(429);
    leaving.abort();
    const left = (await Promise.allSettled(all)).filter(({ status }) => status === "rejected");
    expect(left).toHaveLength(threads + maxQueuedFiles);
    const icons = await until("the queue is empty", async () => {
      const fields = { kind: "icon", platform: "ios" };
      const response = await sendToTool(account, "store-assets", pngOf(100), "icon.png", { fields });
      await response.arrayBuffer();
      return response.status !== 429 && response.status;
    });
    expect(icons).toBe(200);
    expect(before - (await balance())).toBe(10);
  });
});

describe("the pool", () => {
  let conversions: ConversionPool;
  afterEach(() => conversions.close());
  const settled = (converting: Promise<unknown>): Promise<unknown> =>
    converting.catch((error: unknown) => error);
  const convertSlow = () => settled(conversions.convert("acct_1", "store-assets", slow, screenshots));
  const convertBytes = (account: string, bytes = 0) =>
    settled(conversions.convert(account, "background", new Uint8Array(bytes), {}));
  const convertNothing = () => convertBytes("acct_1");

  it("lets accounts take turns, so that a small file does not wait behind all files of another account", async () => {
    conversions = new ConversionPool();
    const ended: string[] = [];
    const convert = async (account: string) => {
      expect(await convertBytes(account)).toBeInstanceOf(UnreadableFileError);
      ended.push(account);
    };
    // All files are queued before the first of these ends, however short they are.
    const busy = Array.from({ length: threads }, convertNothing);
    const waiting = Array.from({ length: 12 }, () => convert("acct_1"));
    await Promise.all([...busy, ...waiting, convert("acct_2"), convert("acct_3"), convert("acct_2")]);
    // As many files as there are threads may overtake each other.
    expect(ended.indexOf("acct_2")).toBeLessThan(3 + threads);
    expect(ended.indexOf("acct_3")).toBeLessThan(4 + threads);
    expect(ended.lastIndexOf("acct_2")).toBeLessThan(6 + threads);
  });

  it("queues at most 16 files of an account, and 64 of all accounts", async () => {
    conversions = new ConversionPool();
    const busy = Array.from({ length: threads }, convertSlow);
    const accounts = ["acct_1", "acct_2", "acct_3", "acct_4"];
    const all = accounts.flatMap((account) => Array.from({ length: 17 }, () => convertBytes(account)));
    all.push(convertBytes("acct_5"));
    conversions.close();
    const reasons = (await Promise.all(all)).map((error) => (error as Error).message);
    await Promise.all(busy);
    const closed = Array(16).fill("the sandbox is shutting down");
    const refused = "16 files of this account are already waiting to be converted";
    expect(reasons).toEqual([
      ...accounts.flatMap(() => [...closed, refused]),
      "64 files are already waiting to be converted",
    ]);
  });

  it("queues at most 200 MB of an account, and 400 MB of all accounts", async () => {
    conversions = new ConversionPool();
    const busy = Array.from({ length: threads }, convertSlow);
    const waiting = Array.from({ length: 4 }, () => convertBytes("acct_1", 50 * MB));
    expect(await convertBytes("acct_1", 1)).toBeInstanceOf(PoolBusyError);
    waiting.push(convertBytes("acct_1"));
    waiting.push(...Array.from({ length: 4 }, () => convertBytes("acct_2", 50 * MB)));
    expect(await convertBytes("acct_3", 1)).toBeInstanceOf(PoolBusyError);
    conversions.close();
    const all = await Promise.all([...busy, ...waiting]);
    expect(all.map(String)).toEqual(all.map(() => "Error: the sandbox is shutting down"));
  });

  it("stops a conversion that takes too long and continues with the next one", async () => {
    conversions = new ConversionPool(300);
    const first = Array.from({ length: threads }, convertSlow);
    const next = convertNothing();
    for (const error of await Promise.all(first)) {
      expect(error).toBeInstanceOf(UnreadableFileError);
      expect(String(error)).toContain("takes longer than 0.3 s to convert; send a smaller one");
    }
    expect(await next).toBeInstanceOf(UnreadableFileError);
  });

  it("ends a thread within 100 ms of its limit, in the middle of a conversion", async () => {
    const long = docxFrom(paragraphXml("word ".repeat(200)).repeat(3_000));
    const delays: number[] = [];
    // A busy machine may be late, but not each time.
    while (delays.length < 3 && Math.min(...delays, 1_000) > 100) {
      conversions = new ConversionPool(1_000);
      const converting = settled(conversions.convert("acct_1", "docx-to-pdf", long, {}));
      const [worker] = (await once(process, "worker")) as [Worker];
      const ended = once(worker, "exit");
      expect(String(await converting)).toContain("takes longer than 1 s to convert");
      const limit = performance.now();
      await ended;
      delays.push(performance.now() - limit);
    }
    expect(Math.min(...delays)).toBeLessThan(100);
  });

  it("stops aborted conversions and continues with the next one", async () => {
    conversions = new ConversionPool();
    const gone = new AbortController();
    const convert = () =>
      settled(conversions.convert("acct_1", "store-assets", slow, screenshots, gone.signal)).then(String);
    const all = Array.from({ length: threads + 2 }, convert);
    const next = convertNothing();
    gone.abort(new Error("the client is gone"));
    expect(await Promise.all(all)).toEqual(all.map(() => "Error: the client is gone"));
    expect(await next).toBeInstanceOf(UnreadableFileError);
    expect(await convert()).toBe("Error: the client is gone");
  });

  it("stops running and queued conversions when the sandbox shuts down", async () => {
    conversions = new ConversionPool();
    const all = Array.from({ length: threads + 2 }, convertSlow);
    conversions.close();
    for (const error of await Promise.all(all)) expect(error).toBeInstanceOf(PoolBusyError);
  });
});

/** Converts documents one after the other in a process, and prints their statuses and the most memory that it had, in KiB. */
const convertAll = `
  import { readFileSync } from "node:fs";
  import { pathToFileURL } from "node:url";
  const [library, folder, files] = process.argv.slice(1);
  const { startSandbox } = await import(pathToFileURL(library).href);
  const sandbox = await startSandbox();
  const statuses = new Set();
  for (const [at, name] of JSON.parse(files).entries()) {
    const body = new FormData();
    body.set("file", new Blob([readFileSync(folder + "/" + name)]), at + ".docx");
    const reply = await sandbox.account().fetch("/v1/tools/docx-to-pdf", { method: "POST", body });
    await reply.arrayBuffer();
    statuses.add(reply.status);
  }
  await sandbox.close();
  console.log(JSON.stringify({ statuses: [...statuses], peak: process.resourceUsage().maxRSS }));`;

const documentCount = repetitions(20, 80);

it(`converts ${documentCount} documents in one process with at most 600 MB`, upTo(10), async () => {
  const files = Array.from(
    { length: documentCount },
    (_, at) => sampleDocuments[at % sampleDocuments.length],
  );
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--input-type=module", "-e", convertAll],
    ...[join(import.meta.dirname, "../../dist/index.js"), sampleFolder, JSON.stringify(files)],
  ]);
  const { statuses, peak } = JSON.parse(stdout);
  expect(statuses).toEqual([200]);
  expect(peak / 1024).toBeLessThan(600);
});
