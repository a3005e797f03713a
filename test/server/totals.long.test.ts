/**
 * The built program with a heap of 256 MB, sent ten times what it keeps of one kind, over many accounts: it goes on, and
 * what is left is the newest. `npm test` sends twice as much as is kept, of some kinds.
 */
import { expect, onTestFinished, test } from "vitest";
import { hasPeaks, peakMB } from "../support/memory.js";
import { type Program, startProgram } from "../support/program.js";
import { repetitions, upTo } from "../support/repetitions.js";

const heapMB = 256;
/** A twentieth of the heap's limit, which is 304 MB with that of the young generation. */
const totalBytes = 16_000_000;
/** How many times the total is sent. */
const times = repetitions(2, 10);
const accountCount = 6;

async function start(): Promise<Program> {
  const program = await startProgram(["--memory"], undefined, [
    "env",
    `NODE_OPTIONS=--max-old-space-size=${heapMB}`,
  ]);
  onTestFinished(async () => {
    if (hasPeaks && program.process.exitCode === null) console.info(`peak ${Math.round(peakMB(program))} MB`);
    await program.stop("SIGKILL");
  });
  return program;
}

const keyOf = (number: number): string => `svc_test_total${number % accountCount}`;

type Call = (path: string, body?: unknown, number?: number, headers?: object) => Promise<Response>;

/** Returns a function that calls the program for the account of this number. */
const caller =
  ({ url }: Program): Call =>
  (path, body, number = 0, headers = {}) =>
    fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "X-Service-Key": keyOf(number), "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });

/** Calls `send` with each number below `count`, a few at a time. */
async function repeat(count: number, send: (number: number) => Promise<unknown>, atOnce = 8): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Returns a list of the control API. */
async function list(call: Call, path: string, number: number): Promise<Record<string, unknown>[]> {
  const reply = await call(`/_sandbox/${path}`, undefined, number);
  return ((await reply.json()) as { items: Record<string, unknown>[] }).items;
}

/** Number of things of this size that are sent. */
const countOf = (bytes: number): number => Math.ceil((times * totalBytes) / bytes);

const isAlive = async (program: Program): Promise<void> => {
  const { status } = await fetch(`${program.url}/healthz`);
  expect([status, program.process.exitCode, program.stderr()]).toEqual([200, null, ""]);
};

test("requests of many accounts with long bodies", upTo(10), async () => {
  const program = await start();
  const call = caller(program);
  const text = "A text that may have been written by a machine. ".repeat(1_300);
  await repeat(countOf(text.length), async (number) => {
    const sent = await call("/v1/media-scan/text", { text }, number);
    await sent.arrayBuffer();
  });
  let kept = 0;
  for (let number = 0; number < accountCount; number++) {
    const items = await list(call, "requests", number);
    expect(items[0]?.body).toContain("a machine");
    const trimmed = items.filter((item) => item.trimmed);
    expect(items.slice(-trimmed.length)).toEqual(trimmed);
    expect(trimmed[0]).toMatchObject({ operation: "scanText", status: expect.any(Number), body: null });
    kept += JSON.stringify(items).length;
  }
  expect(kept).toBeLessThan(1.5 * totalBytes);
  await isAlive(program);
});
