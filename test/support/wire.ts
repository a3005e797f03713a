/** A connection, as its client sees it, to a server that may reset it, truncate replies or be slow. */
import { connect } from "node:net";
import type { SandboxAccount } from "../../src/index.js";
import { headOf } from "./raw.js";

export interface Seen {
  /** All received bytes, as text. */
  text: string;
  /** Number of chunks received. */
  pieces: number;
  /** How it ended: `end` if closed properly, otherwise the error code, such as ECONNRESET. */
  ended: string;
}

/** Sends these bytes on a new connection and waits until it ends. */
export function watch(url: string, bytes: string | Uint8Array): Promise<Seen> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const end = (ended: string) =>
      resolve({ text: Buffer.concat(chunks).toString("utf8"), pieces: chunks.length, ended });
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.once("end", () => {
      socket.end();
      end("end");
    });
  });
}

/** Returns the bytes of a JSON request with the account's key; `close` asks the server to close after its reply. */
export function requestBytes(
  { key }: SandboxAccount,
  method: string,
  target: string,
  body?: object,
  headers: Readonly<Record<string, string>> = { Connection: "close" },
): string {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const head = headOf({
    method,
    target,
    headers: {
      "X-Service-Key": key,
      ...(text === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  return head + (text ?? "");
}

/** Splits the text of a reply into its head, the declared length of its body, and the body received. */
export function partsOfReply(text: string): { head: string; announced: number; body: string } {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  return { head, announced: Number(/^content-length: (\d+)$/im.exec(head)?.[1]), body };
}
