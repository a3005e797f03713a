/** Writes HTTP byte by byte on a socket, for requests that fetch refuses to send. */
import { connect } from "node:net";

export interface RawReply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface Conversation {
  /** Resolves once the kernel has taken the bytes, or the server has closed. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Resolves to the next reply. Rejects if the server closes without one. */
  reply(): Promise<RawReply>;
  /** Closes the connection. */
  hangUp(): Promise<void>;
}

const text = (bytes: Buffer): string => bytes.toString("utf8");

/** Returns the reply if it is complete. `headOnly` is for HEAD, whose reply declares a body but has none. */
function parse(received: Buffer, headOnly: boolean): RawReply | null {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = text(received.subarray(0, end)).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = headOnly ? 0 : Number(headers["content-length"] ?? 0);
  const body = received.subarray(end + 4);
  if (body.length < length) return null;
  return { status: Number(statusLine.split(" ")[1]), headers, body: text(body.subarray(0, length)) };
}

/** Opens a socket to the sandbox at `url`. */
export function converse(url: string, headOnly = false): Conversation {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay();
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let received: Buffer = Buffer.alloc(0);
  return {
    reply: () =>
      new Promise<RawReply>((resolve, reject) => {
        socket.on("data", (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
          const whole = parse(received, headOnly);
          if (whole) resolve(whole);
        });
        void closed.then(() => reject(new Error(`closed after ${JSON.stringify(text(received))}`)));
      }),
    write: (bytes) =>
      Promise.race([new Promise<void>((resolve) => void socket.write(bytes, () => resolve())), closed]),
    hangUp() {
      socket.destroy();
      return closed;
    },
  };
}

/** Sends these bytes and resolves with the first reply. */
export async function raw(url: string, ...bytes: readonly (string | Uint8Array)[]): Promise<RawReply> {
  const conversation = converse(url, String(bytes[0]).startsWith("HEAD "));
  for (const part of bytes) void conversation.write(part);
  try {
    return await conversation.reply();
  } finally {
    await conversation.hangUp();
  }
}

export interface RawRequest {
  method: string;
  /** The request target, including the query. */
  target: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** Returns the request head with Host and, unless given or without a body, Content-Length. */
export function headOf({ method, target, headers = {}, body }: RawRequest): string {
  const all = {
    Host: "127.0.0.1",
    ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

export const send = (url: string, request: RawRequest): Promise<RawReply> =>
  raw(url, headOf(request), request.body ?? "");
