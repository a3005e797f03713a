/**
 * The HTTP server. Operations are served straight from the route table; Express, loaded when first needed, serves
 * the pages. Express swaps the prototypes of request and response on every call, which makes V8 treat them as slow
 * objects; here they have from birth the prototypes that Express will give them, so that the swap changes nothing.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Express } from "express";
import { delay } from "../world/time.js";
import type { Exchange } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";

type Next = (request: IncomingMessage, response: ServerResponse) => void;

export function createHttpServer(
  pipeline: Pipeline,
  pages: () => Promise<Express>,
  failed: (error: unknown) => void,
): Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  let app: Promise<Next> | null = null;

  const adopt = (express: Express): Next => {
    Object.setPrototypeOf(Request.prototype, Object.getPrototypeOf(express.request));
    Object.setPrototypeOf(Response.prototype, Object.getPrototypeOf(express.response));
    express.request = Object.assign(Request.prototype, { app: express }) as never;
    express.response = Object.assign(Response.prototype, { app: express }) as never;
    return express as unknown as Next;
  };

  const toPages = ({ request, response }: Exchange) => {
    app ??= pages().then(adopt);
    app.then((next) => next(request, response)).catch(failed);
  };

  const server = createServer({ IncomingMessage: Request, ServerResponse: Response }, (request, response) =>
    pipeline.handle(request, response, toPages),
  );
  // Sockets that break the protocol are told so and closed; nothing else of the process is touched.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  return server;
}

/** Listens, or rejects with what is in the way. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

/** Sockets whose last answer has left are closed this often while the server stops. */
const sweep = 20;

/** Takes no new requests, lets those in flight finish, and closes each socket once it is idle. */
export async function stopListening(server: Server): Promise<void> {
  let closed = false;
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      closed = true;
      resolve();
    });
  });
  while (!closed) {
    server.closeIdleConnections();
    await Promise.race([done, delay(sweep)]);
  }
}
