/** Sends requests to an application over a connection in memory, without a socket and at nearly no cost. */
import { createServer, type RequestListener, type Server } from "node:http";
import { Duplex } from "node:stream";

export interface WireRequest {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

export interface WireReply {
  status: number;
  text: string;
}

/** The server's end of a connection. */
class Connection extends Duplex {
  #reply = "";
  #resolve: ((reply: string) => void) | null = null;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#reply += chunk.toString("latin1");
    if (isComplete(this.#reply)) this.#finish();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#finish();
    done(error);
  }

  ask(bytes: Buffer): Promise<string> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.push(bytes);
    });
  }

  #finish(): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    const reply = this.#reply;
    this.#reply = "";
    this.#resolve = null;
    resolve(reply);
  }
}

function isComplete(reply: string): boolean {
  const end = reply.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = reply.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return reply.length >= end + 4 + Number(length);
  return /\r\ntransfer-encoding: chunked/i.test(head)
    ? reply.endsWith("0\r\n\r\n")
    : / (?:204|304) /.test(head);
}

/** A client that sends one request at a time. A dropped connection gives a reply with status 0. */
export class WireClient {
  readonly #server: Server;
  #connection: Connection | null = null;

  constructor(app: RequestListener) {
    this.#server = createServer(app);
  }

  async send({ method, target, headers, body = "" }: WireRequest): Promise<WireReply> {
    const connection = this.#open();
    const bytes = Buffer.from(body);
    const lines = Object.entries({ Host: "localhost", ...headers, "Content-Length": String(bytes.length) });
    const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
    const reply = await connection.ask(Buffer.concat([Buffer.from(head, "latin1"), bytes]));
    if (/^connection: close/im.test(reply.slice(0, reply.indexOf("\r\n\r\n")))) connection.destroy();
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1] ?? 0),
      text: Buffer.from(reply.slice(reply.indexOf("\r\n\r\n") + 4), "latin1").toString("utf8"),
    };
  }

  /** Closes the connection, whose parser would otherwise keep the application in memory. */
  close(): void {
    this.#connection?.destroy();
  }

  #open(): Connection {
    if (!this.#connection || this.#connection.destroyed) {
      this.#connection = new Connection();
      this.#server.emit("connection", this.#connection);
    }
    return this.#connection;
  }
}
