/** Servers on a local port, at which a service, a sandbox or a verifier reaches the program that opened them. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalServer {
  /** URL of the server, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a server on a port of 127.0.0.1; 0 is a free one. Rejects if the port cannot be used. */
export async function openLocalServer(port: number, handle: RequestListener): Promise<LocalServer> {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads the body of a request. Rejects if it is larger than `maxBytes`. */
export async function readRequestBody(
  request: IncomingMessage,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the body has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
