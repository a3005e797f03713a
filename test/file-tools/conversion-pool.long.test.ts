/** The limits of the file tools, and the pool of conversion threads behind them. */
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
import { bomb, pngOfSize } from "../support/pictures.js";
import { repetitions, shareOf, upTo } from "../support/repetitions.js";
import { call, read, useListeningSandbox, useSandbox } from "../support/sandbox.js";
import { sendToTool } from "../support/uploads.js";
import { docxFrom, paragraphXml, sampleDocuments, sampleFolder } from "./docx-to-pdf/documents.js";

const sandbox = useSandbox();
type Account = ReturnType<typeof sandbox.account>;

const MB = 1024 * 1024;
const tools = {
  "pdf-to-docx": { limit: 20 * MB, fields: {}, start: Buffer.from("%PDF-1.7\n") },
  "docx-to-pdf": { limit: 20 * MB, fields: {}, start: Buffer.from("PK\x03\x04\x14\0\0\0\0\0", "latin1") },
  "audio-convert": { limit: 50 * MB, fields: { target_format: "mp3" }, start: Buffer.from("fLaC") },
  "remove-background": { limit: 15 * MB, fields: {}, start: pngOf(100) },
  "store-assets": { limit: 15 * MB, fields: { kind: "icon", platform: "ios" }, start: pngOf(100) },
} as const;
type Tool = keyof typeof tools;
const names = Object.keys(tools) as Tool[];

const send = (account: Account, tool: Tool, file: Uint8Array | Blob): Promise<Response> =>
  sendToTool(account, tool, file, "upload.bin", tools[tool]);

async function refusal(account: Account, tool: Tool, file: Uint8Array | Blob): Promise<string> {
  const before = (await call(account, "GET", "/v1/balance")).body.balance;
  const { status, body } = await read(await send(account, tool, file));
  expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(before);
  expect(body.error.param).toBe("file");
  return `${status} ${body.error.code}: ${body.error.message}`;
}

const zeros = new Blob([new Uint8Array(50 * MB)]);
/** Returns a file of this size. The bytes of the zeros are not copied. */
const ofSize = (tool: Tool, bytes: number): Blob =>
  new Blob([tools[tool].start, zeros.slice(0, bytes - tools[tool].start.length)]);

describe.each(names)("%s", (tool) => {
  const { limit } = tools[tool];

  it("refuses a file one byte above the limit, and names the limit", async () => {
    expect(await refusal(sandbox.account(), tool, ofSize(tool, limit + 1))).toBe(
      `413 file_too_large: file may have at most ${limit} bytes (${limit / MB} MB).`,
    );
  });

  it("refuses a file of zero bytes", async () => {
    expect(await refusal(sandbox.account(), tool, Buffer.alloc(0))).toMatch(
      /^400 validation_error: file is empty/,
    );
  });

  it("refuses a file of another type", async () => {
    expect(await refusal(sandbox.account(), tool, Buffer.from("GIF89a, a picture of long ago"))).toMatch(
      /^415 unsupported_media_type: file must be .*; its bytes show image\/gif\.$/,
    );
  });

  it("refuses a truncated file", async () => {
    const start =
      tool === "remove-background" || tool === "store-assets"
        ? pngOfSize(900, 900).subarray(0, 60)
        : ofSize(tool, 300);
    expect(await refusal(sandbox.account(), tool, start)).toMatch(
      /^(422 file_unreadable: "upload\.bin": |415 unsupported_media_type: ).*\.$/,
    );
  });
});

it.each(shareOf(names, 2, 1))("%s accepts a file of exactly the maximum size", async (tool) => {
  const { limit, fields } = tools[tool];
  const headers = { "X-Sandbox-Outcome": "unreadable" };
  const request = sendToTool(sandbox.account(), tool, ofSize(tool, limit), "upload.bin", { fields, headers });
  const reply = await read(await request);
  expect(reply.body.error.message).toBe("The file cannot be read: the outcome unreadable was requested.");
});

const file = bomb("PNG");
it.each(["remove-background", "store-assets"] as const)(
  "%s refuses a small file with 900 megapixels without unpacking it",
  async (tool) => {
    expect(file.length).toBeLessThan(MB);
    expect(await refusal(sandbox.account(), tool, file)).toBe(
      '422 file_unreadable: "upload.bin": it has more than 50 megapixels; send a smaller picture.',
    );
  },
);

/** A picture that keeps a thread busy for seconds. */
const slow = pngOfSize(2000, 2000);
const screenshots = { kind: "screenshot", platform: "both" } as const;
const threads = Math.max(1, availableParallelism() - 1);

describe("while files are converted", () => {
  const listening = useListeningSandbox();

  it("other requests are answered, and files that find the queue full are refused", async () => {
    const account = listening.account();
    const leaving = new AbortController();
    let answered = 0;
    // However many files are waiting, those of another account are accepted.
    const converting = Array.from({ length: threads }, async () => {
      const { signal } = leaving;
      const request = { fields: screenshots, signal };
      await sendToTool(listening.account(), "store-assets", slow, "slow.png", request).finally(() => {
        answered += 1;
      });
    });
    const cutOff = slow.subarray(0, 60);
    const waiting = Array.from({ length: 40 }, async () =>
      read(await send(account, "remove-background", cutOff)),
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
