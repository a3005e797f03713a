/** Sends requests to a server that listens on no port, over connections in memory. */
import { lookup } from "node:dns";
import type { Server } from "node:http";
import { Duplex } from "node:stream";
import { connectionHeaders } from "../contract/headers.js";
import { redirectStatuses, statusesWithoutContent } from "../contract/reply-forms.js";
import { queueMicrotask } from "../time/machine.js";
import { afterTick } from "../time/time.js";

/** One end of a connection in memory. */
class MemorySocket extends Duplex {
  other: MemorySocket | null = null;
  #resumeOther: (() => void) | null = null;

  override _read(): void {
    const resume = this.#resumeOther;
    this.#resumeOther = null;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.other || this.other.destroyed || this.other.push(chunk)) done();
    else this.other.#resumeOther = done;
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A side that has ended properly lets the other read what is still on its way.
    if (error || !this.writableFinished) this.other?.destroy();
    done(error);
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  /** A reset looks like any closed connection here. */
  resetAndDestroy(): void {
    this.destroy();
  }
}

function connect(server: Server): MemorySocket {
  const [client, peer] = [new MemorySocket(), new MemorySocket()];
  client.other = peer;
  peer.other = client;
  server.emit("connection", peer);
  return client;
}

export interface InProcessClient {
  /** A `fetch` for URLs below the base URL, which may be empty. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Refuses further requests, as a closed port does. */
  close(): Promise<void>;
}

/**
 * Creates a client that needs no network. It speaks HTTP itself, because libraries such as MSW and nock replace the global
 * `fetch`, node:http and the sockets of node:net.
 */
export function createInProcessClient(server: Server, baseUrl = (): string => ""): InProcessClient {
  let isClosed = false;
  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const base = baseUrl();
    if (isClosed) throw new TypeError("fetch failed", { cause: new Error("The sandbox is closed.") });
    await restoreNextTick();
    const { origin, host } = new URL(base || "http://localhost");
    const message = new Request(origin + url.slice(base.length), init);
    const body = message.body === null ? null : Buffer.from(await message.arrayBuffer());
    const reply = await exchange(connect(server), message, host, body);
    const location = message.redirect === "follow" ? locationOf(reply) : null;
    if (location === null) return reply;
    await reply.body?.cancel();
    const target = new URL(location, url.startsWith("/") ? message.url : url).href;
    const next = redirected(reply.status, message, body);
    const start = base || origin;
    return target.startsWith(start) ? send(base + target.slice(start.length), next) : fetch(target, next);
  }
  return {
    fetch: send,
    close() {
      isClosed = true;
      return restoreNextTick();
    },
  };
}

/** `process.nextTick` as it was when the library was loaded. */
const ownNextTick = process.nextTick;

/**
 * Gives Node its own `process.nextTick` and `queueMicrotask` back if they are fake, as they are by Sinon's defaults: Node's
 * HTTP and `fetch`, including the calls of the test's client and receiver, would hang forever. Jest fakes copies that Node
 * does not use.
 */
async function restoreNextTick(): Promise<void> {
  if (!("clock" in process.nextTick) || !(await isNextTickFake())) return;
  process.nextTick = ownNextTick;
  globalThis.queueMicrotask = queueMicrotask;
}

/** Returns whether callbacks of Node no longer run, because its `process.nextTick` is fake. */
async function isNextTickFake(): Promise<boolean> {
  let isCalled = false;
  lookup("127.0.0.1", () => {
    isCalled = true;
  });
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => afterTick(resolve));
  return !isCalled;
}

const locationOf = ({ status, headers }: Response): string | null =>
  redirectStatuses.includes(status) ? headers.get("location") : null;

/** Returns the request to send to the target of a redirect, by the rules of `fetch`. */
function redirected(status: number, { method, headers, signal }: Request, body: Body): RequestInit {
  const isGet = status === 303 || (status < 303 && method === "POST");
  if (!isGet) return { method, headers, signal, body };
  const rest = new Headers(headers);
  rest.delete("content-type");
  return { method: method === "HEAD" ? "HEAD" : "GET", headers: rest, signal };
}

type Body = Buffer<ArrayBuffer> | null;

/**
 * Sends a request and resolves with the reply once its head is there. HTTP/1.0 is used because its replies end with the
 * connection and have no chunks.
 */
async function exchange(
  socket: MemorySocket,
  { method, url, headers, signal }: Request,
  host: string,
  body: Body,
): Promise<Response> {
  const abort = () => socket.destroy(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  socket.once("close", () => signal.removeEventListener("abort", abort));
  const { pathname, search } = new URL(url);
  const sent = new Headers(headers);
  // This client manages the connection: with other values of these headers, the server could wait forever.
  for (const name of ["content-length", ...connectionHeaders]) sent.delete(name);
  if (!sent.has("host")) sent.set("host", host);
  if (body) sent.set("content-length", String(body.length));
  const lines = Array.from(sent, ([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${pathname}${search} HTTP/1.0\r\n${lines.join("")}\r\n`, "latin1");
  if (body) socket.write(body);
  try {
    const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer<ArrayBuffer>, undefined>;
    const { status, statusText, replyHeaders, rest } = await readHead(chunks);
    const hasBody = method !== "HEAD" && !statusesWithoutContent.includes(status);
    if (!hasBody) socket.destroy();
    return new Response(hasBody ? bodyOf(socket, chunks, rest, replyHeaders, signal) : null, {
      status,
      statusText,
      headers: replyHeaders,
    });
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw signal.reason;
    throw new TypeError("fetch failed", { cause: connectionClosed(error) });
  }
}

/** Returns the cause that `fetch` gives when the other side closes the connection. */
const connectionClosed = (cause?: unknown): Error =>
  Object.assign(new Error("other side closed", { cause }), { code: "UND_ERR_SOCKET" });

/** Reads the head of the reply, after interim ones (1xx). */
async function readHead(chunks: AsyncIterator<Buffer<ArrayBuffer>, undefined>) {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf("\r\n\r\n");
    if (end === -1) {
      const { value } = await chunks.next();
      if (!value) throw connectionClosed();
      read = Buffer.concat([read, value]);
      continue;
    }
    const [start = "", ...lines] = read.toString("latin1", 0, end).split("\r\n");
    const [, code, statusText = ""] = /^\S+ (\d+) ?(.*)$/.exec(start) ?? [];
    read = read.subarray(end + 4);
    const status = Number(code);
    if (status < 200) continue;
    const replyHeaders = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(":");
      replyHeaders.append(line.slice(0, colon), line.slice(colon + 1));
    }
    return { status, statusText, replyHeaders, rest: read };
  }
}

/** Returns the body, which fails if it ends before the announced length. */
function bodyOf(
  socket: MemorySocket,
  chunks: AsyncIterator<Buffer<ArrayBuffer>, undefined>,
  first: Buffer<ArrayBuffer>,
  headers: Headers,
  signal: AbortSignal,
): ReadableStream {
  let missing = Number(headers.get("content-length") ?? 0);
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { value } = await chunks.next();
    if (value) enqueue(controller, value);
    else if (missing > 0) throw connectionClosed();
    else controller.close();
  };
  const enqueue = (controller: ReadableStreamDefaultController, chunk: Buffer<ArrayBuffer>) => {
    missing -= chunk.length;
    controller.enqueue(chunk);
  };
  const fail = (controller: ReadableStreamDefaultController, error: unknown) =>
    controller.error(
      signal.aborted ? signal.reason : new TypeError("terminated", { cause: connectionClosed(error) }),
    );
  return new ReadableStream({
    start: (controller) => first.length > 0 && enqueue(controller, first),
    pull: (controller) => pull(controller).catch((error: unknown) => fail(controller, error)),
    cancel: () => void socket.destroy(),
  });
}
