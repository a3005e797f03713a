/** A connection as a client sees it whose server may reset it, cut it off or take its time. */
import { connect } from "node:net";
import type { SandboxAccount } from "../../src/index.js";
import { headOf } from "./raw.js";

export interface Seen {
  /** All bytes that came, as text. */
  text: string;
  /** In so many pieces. */
  pieces: number;
  /** How it ended: `end` in good order, else the error's code, such as ECONNRESET. */
  ended: string;
}

/** Sends these bytes on a connection of its own and looks on until it is over. */
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

/** The bytes of a JSON request with the account's key; `close` asks the server to close after its reply. */
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

/** Of the text of one reply: its head, how long its body says that it is, and the body that came. */
export function partsOfReply(text: string): { head: string; announced: number; body: string } {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  return { head, announced: Number(/^content-length: (\d+)$/im.exec(head)?.[1]), body };
}
