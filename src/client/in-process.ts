/** Sends requests to a server that listens on no port, over connections in memory. */
import type { Server } from "node:http";
import { Duplex } from "node:stream";
import { sendRequest, toResponse } from "./node-request.js";

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

/** Returns a `fetch` for paths of the server. */
export const inProcessFetch =
  (server: Server) =>
  async (path: string, init: RequestInit = {}): Promise<Response> => {
    const createConnection = () => connect(server) as never;
    const reply = await sendRequest(`http://localhost${path}`, init, { createConnection });
    return toResponse(reply, Buffer.concat(await reply.toArray()));
  };
