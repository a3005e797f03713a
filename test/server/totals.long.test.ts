/**
 * The built program with a heap of 256 MB, sent ten times what it keeps of one kind, over many accounts: it goes on, and
 * what is left is the newest. Short runs send a quarter more than is kept.
 */
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { maxIncompleteBytes } from "../../src/server/json-body.js";
import { maxUnreadBytes } from "../../src/server/reply.js";
import { field, file, formOf, formType, png } from "../support/forms.js";
import { hasPeaks, peakMB } from "../support/memory.js";
import { type Program, startProgram } from "../support/program.js";
import { startReceiver } from "../support/receiver.js";
import { repetitions, upTo } from "../support/repetitions.js";
import { until } from "../support/until.js";
import { documentPath } from "../support/uploads.js";

const heapMB = 256;
/** A twentieth of the heap's limit, which is 304 MB with that of the young generation. */
const totalBytes = 16_000_000;
/** How many times the total is sent. */
const times = repetitions(1.25, 10);
const accountCount = 6;

async function start(env: readonly string[] = []): Promise<Program> {
  const program = await startProgram(["--memory"], undefined, [
    "env",
    `NODE_OPTIONS=--max-old-space-size=${heapMB}`,
    ...env,
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
    const sent = await call("/v1/phone/verify/start", { phone: "08031234567", text }, number);
    await sent.arrayBuffer();
  });
  let kept = 0;
  for (let number = 0; number < accountCount; number++) {
    const items = await list(call, "requests", number);
    expect(items[0]?.body).toContain("a machine");
    const trimmed = items.filter((item) => item.trimmed);
    expect(items.slice(-trimmed.length)).toEqual(trimmed);
    expect(trimmed[0]).toMatchObject({
      operation: "startPhoneVerification",
      status: expect.any(Number),
      body: null,
    });
    kept += JSON.stringify(items).length;
  }
  expect(kept).toBeLessThan(1.5 * totalBytes);
  await isAlive(program);
});

test.each([
  ["a reset", (call: Call) => call("/_sandbox/reset", {}, 1)],
  [
    "newer requests",
    (call: Call) => repeat(1_000, async () => (await call("/v1/balance", undefined, 1)).arrayBuffer()),
  ],
])("the texts of requests that %s removed from the lists do not count", upTo(3), async (_what, remove) => {
  const program = await start();
  const call = caller(program);
  const text = "A text that may have been written by a machine. ".repeat(1_300);
  const send = (number: number) => call("/v1/phone/verify/start", { phone: "08031234567", text }, number);
  await send(0);
  for (let round = 0; round < 4; round++) {
    await repeat(Math.ceil((0.6 * totalBytes) / text.length), async () => (await send(1)).arrayBuffer());
    await remove(call);
  }
  const [first] = await list(call, "requests", 0);
  expect(first?.body).toContain("a machine");
  await isAlive(program);
});

/** Returns the calls that wait, once this many have been answered. */
async function flood(
  count: number,
  send: (number: number) => Promise<Response>,
  answered: number,
): Promise<Response[]> {
  const replies: Response[] = [];
  let sent = 0;
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      if (sent >= count) return;
      const number = sent++;
      send(number).then((reply) => {
        replies.push(reply);
        if (replies.length === answered) resolve();
      }, reject);
      setImmediate(next);
    };
    next();
  });
  return replies;
}

const longName = "x".repeat(900_000);
const phone = { phone: "08031234567", extra: longName };

test.each([
  ["held requests", { hold: "request" }],
  ["held replies", { hold: "reply" }],
  ["delayed requests", { fault: { latency: "10m" } }],
  ["delayed replies", { fault: { reply_after: "10m" } }],
])("%s", upTo(10), async (_what, rule) => {
  const program = await start();
  const call = caller(program);
  for (let number = 0; number < accountCount; number++)
    await call("/_sandbox/rules", { on: "startPhoneVerification", ...rule }, number);
  const sent = countOf(longName.length);
  const mostKept = Math.ceil(totalBytes / longName.length);
  const early = await flood(sent, (number) => call("/v1/phone/verify/start", phone, number), sent - mostKept);
  for (const { status, headers } of early)
    expect([status, headers.get("X-Sandbox-Released")]).toEqual([
      201,
      expect.stringMatching(/^early, because /),
    ]);
  await isAlive(program);
});

test("held webhooks", upTo(10), async () => {
  const program = await start();
  const call = caller(program);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  for (let number = 0; number < accountCount; number++) {
    await call("/v1/webhooks", { url: receiver.url }, number);
    await call("/_sandbox/rules", { on: "payout.paid", hold: "webhook" }, number);
  }
  const data = { text: longName };
  const sent = countOf(longName.length);
  await repeat(sent, (number) => call("/_sandbox/events", { event: "payout.paid", data }, number));
  let early = 0;
  for (let number = 0; number < accountCount; number++) {
    const ended = await until("no held webhook but the newest", async () => {
      const deliveries = await list(call, "deliveries", number);
      const isWaiting = ({ status, released_early }: Record<string, unknown>) =>
        status === "pending" && released_early === true;
      return deliveries.some(isWaiting) ? undefined : deliveries.filter(({ status }) => status !== "pending");
    });
    for (const { released_early } of ended) expect(released_early).toBe(true);
    early += ended.length;
  }
  // More arrive than are listed: deliveries do not outlive their number.
  expect(early).toBeGreaterThan(sent - totalBytes / longName.length - 1);
  expect(receiver.received.length).toBeGreaterThan(0);
  await isAlive(program);
});

test("events with long data", upTo(10), async () => {
  const program = await start();
  const call = caller(program);
  const data = { text: longName };
  await repeat(countOf(longName.length), (number) =>
    call("/_sandbox/events", { event: "payout.paid", data }, number),
  );
  let kept = 0;
  for (let number = 0; number < accountCount; number++) {
    const events = await list(call, "events", number);
    kept += events.length;
  }
  expect(kept).toBeGreaterThan(0);
  expect(kept * longName.length).toBeLessThan(totalBytes);
  await isAlive(program);
});

test("webhooks whose receivers answer with long headers and bodies", upTo(20), async () => {
  const program = await start();
  const call = caller(program);
  const answer = { headers: { "x-long": "h".repeat(12_000) }, body: "b".repeat(4_096) };
  const receiver = await startReceiver((_count, response) => {
    response.writeHead(200, answer.headers).end(answer.body);
  });
  onTestFinished(() => receiver.close());
  for (let number = 0; number < accountCount; number++)
    await call("/v1/webhooks", { url: receiver.url }, number);
  await repeat(countOf(16_000), (number) => call("/_sandbox/events", { event: "payout.paid" }, number));
  await until("the last answer", async () => {
    const waiting = await list(call, "deliveries?status=pending&limit=1", 0);
    return waiting.length === 0;
  });
  const deliveries = await list(call, "deliveries", 0);
  expect(deliveries.length).toBeGreaterThan(0);
  expect(deliveries.length).toBeLessThan((2 * totalBytes) / 16_000);
  await isAlive(program);
});

test("activities, messages and requests of many accounts", upTo(20), async () => {
  const program = await start();
  const call = caller(program);
  const manyAccounts = 300;
  await repeat(countOf(3_000), async (number) => {
    const key = `svc_test_many${number % manyAccounts}`;
    const sent = await call("/v1/phone/verify/start", { phone: "08031234567" }, 0, { "X-Service-Key": key });
    await sent.arrayBuffer();
  });
  await isAlive(program);
});

test("requests through relays whose listeners take nothing", upTo(10), async () => {
  const program = await start();
  const call = caller(program);
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  for (let number = 0; number < accountCount; number++)
    await fetch(`${program.url}/_sandbox/relays/stuck/stream?listener=one`, {
      headers: { "X-Service-Key": keyOf(number) },
      signal: abort.signal,
    });
  const sent = countOf(longName.length);
  const body = { headers: {}, body: longName, title: "long", sending: { timeout: 60_000 } };
  const mostKept = Math.ceil(totalBytes / longName.length);
  const early = await flood(
    sent,
    (number) => call("/_sandbox/relays/stuck/requests", body, number),
    sent - mostKept,
  );
  for (const reply of early) expect(await reply.text()).toContain("not relayed: ");
  await isAlive(program);
});

/** Sends a GET, and reads no more of the reply than its beginning. */
async function beginReply({ url }: Program, path: string, key: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Service-Key: ${key}\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return socket;
}

/** Reads the rest, and returns its length in bytes. */
async function readRest(socket: Socket, length: number): Promise<number> {
  let read = 0;
  await new Promise<void>((resolve) => {
    socket.on("close", resolve).on("data", (chunk) => {
      read += chunk.length;
      if (read >= length) resolve();
    });
    socket.resume();
  });
  return read;
}

test("replies that their clients do not read", upTo(5), async () => {
  const program = await start();
  const call = caller(program);
  const data = { text: longName };
  await repeat(16, () => call("/_sandbox/events", { event: "payout.paid", data }));
  const { length } = await (await call("/_sandbox/events")).text();
  const mostKept = Math.floor(maxUnreadBytes / length);
  const sockets: Socket[] = [];
  while (sockets.length < times * mostKept)
    sockets.push(await beginReply(program, "/_sandbox/events", keyOf(0)));
  await isAlive(program);
  // Less than the beginning, which has been read.
  const rest = length - 1_000_000;
  const read = await Promise.all(sockets.map((socket) => readRest(socket, rest)));
  expect(read.map((bytes) => bytes >= rest)).toEqual(read.map((_, at) => at >= read.length - mostKept));
});

test("changes that a rewind undoes", upTo(10), async () => {
  const program = await start();
  const call = caller(program);
  const rule = { on: "getBalance", fault: { set: { note: longName } } };
  await repeat(countOf(longName.length), async (number) => {
    const { id } = (await (await call("/_sandbox/rules", rule, number)).json()) as { id: string };
    const removed = await fetch(`${program.url}/_sandbox/rules/${id}`, {
      method: "DELETE",
      headers: { "X-Service-Key": keyOf(number) },
    });
    expect(removed.status).toBe(200);
  });
  for (let number = 0; number < accountCount; number++) {
    const [newest] = await list(call, "activity?limit=1", number);
    const { status } = await call("/_sandbox/rewind", { to: newest?.id }, number);
    expect(status).toBeLessThan(500);
  }
  await isAlive(program);
});

test("bodies that stop halfway", upTo(10), async () => {
  const program = await start();
  const half = Buffer.alloc(900_000, " ");
  const refused: string[] = [];
  const sockets: Socket[] = [];
  while (sockets.length < (times * maxIncompleteBytes) / half.length) {
    const socket = connect(Number(new URL(program.url).port), "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {}).on("data", (reply) => refused.push(String(reply)));
    const head = `POST /v1/phone/verify/start HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${keyOf(sockets.length)}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`);
    await new Promise((resolve) => socket.write(half, resolve));
  }
  await until("the rest is refused", () => refused.length > (sockets.length * (times - 1.1)) / times);
  for (const reply of refused) expect(reply).toMatch(/^HTTP\/1\.1 503 [\s\S]*storage_unavailable/);
  for (const socket of sockets) socket.destroy();
  await isAlive(program);
});

/** Largest number of files of the largest size that the pool of converters keeps, the one it converts included. */
const mostSounds = 8 + 1;

test("files that wait for their conversion", upTo(20), async () => {
  const program = await start();
  const sound = wave(49 * 1_048_576);
  const form = formOf([file("file", sound, "long.wav"), field("target_format", "m4a")]);
  const answers: { status: number; body: string }[] = [];
  /** Resolves when the form has been sent, whether or not it is answered. */
  const send = (number: number): Promise<void> =>
    new Promise((resolve) => {
      const headers = {
        "X-Service-Key": keyOf(number),
        "Content-Type": formType,
        "Content-Length": form.length,
      };
      const sent = request(`${program.url}/v1/tools/audio-convert`, { method: "POST", headers }, (reply) => {
        const chunks: Buffer[] = [];
        const end = () => {
          const body = reply.statusCode === 200 ? "" : Buffer.concat(chunks).toString();
          answers.push({ status: reply.statusCode ?? 0, body });
          resolve();
        };
        reply.on("data", (chunk: Buffer) => chunks.push(chunk)).once("end", end);
      });
      onTestFinished(() => void sent.destroy());
      sent.on("error", () => resolve()).once("finish", resolve);
      sent.end(form);
    });
  const count = Math.ceil(times * mostSounds);
  for (let number = 0; number < count; number++) await send(number);
  const enough = count - mostSounds;
  await until("the others are answered", () => answers.length >= enough);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect(JSON.parse(body)).toMatchObject({ error: { code: "rate_limited" } });
    expect([status, body]).toEqual([429, expect.stringContaining("already waiting to be converted")]);
  }
  await isAlive(program);
});

/** Returns a WAV file of this many bytes: a stereo sawtooth in 16 bits at 44.1 kHz. */
function wave(bytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(bytes - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(44_100, 24);
  header.writeUInt32LE(4 * 44_100, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(bytes - 44, 40);
  const samples = Buffer.alloc(bytes - 44);
  for (let at = 0; at + 1 < samples.length; at += 2) samples.writeInt16LE(((at * 37) % 20_000) - 10_000, at);
  return Buffer.concat([header, samples]);
}

test("files for recordings", upTo(10), async () => {
  const program = await start();
  const content = formOf([file("file", Buffer.concat([png, Buffer.alloc(1_000_000)]))]);
  const body = new Uint8Array(content);
  await repeat(Math.ceil((times * 32 * 1_048_576) / body.length), async (number) => {
    const headers = { "X-Service-Key": keyOf(number), "Content-Type": formType };
    const sent = await fetch(`${program.url}${documentPath}`, { method: "POST", headers, body });
    expect(sent.status).toBe(200);
  });
  const recorded = await fetch(`${program.url}/_sandbox/export/scenario`, {
    headers: { "X-Service-Key": keyOf(0) },
  });
  expect(recorded.status).toBe(200);
  await recorded.arrayBuffer();
  await isAlive(program);
});

test("streams whose readers take nothing", upTo(10), async () => {
  const program = await start();
  const call = caller(program);
  const sockets: Socket[] = [];
  while (sockets.length < 20 * times) sockets.push(await beginReply(program, "/_sandbox/stream", keyOf(0)));
  const path = `/v1/balance?${"x".repeat(14_000)}`;
  await repeat(countOf(14_000), async () => (await call(path)).arrayBuffer());
  for (const socket of sockets) socket.destroy();
  await isAlive(program);
});

test("spans that the collector does not take", upTo(10), async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const program = await start([`OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${port}`]);
  const call = caller(program);
  const spansOfRequest = 3;
  await repeat((times * 2_048) / spansOfRequest, async (number) =>
    (await call("/v1/phone/verify/start", { phone: "08031234567" }, number)).arrayBuffer(),
  );
  const { status } = await fetch(`${program.url}/healthz`);
  expect([status, program.process.exitCode]).toEqual([200, null]);
});
