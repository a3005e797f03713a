/**
 * The HTTP server. Operations are served straight from the route table; Express, loaded when first needed, serves
 * the pages. Express swaps the prototypes of request and response on every call, which makes V8 treat them as slow
 * objects; here they have from birth the prototypes that Express will give them, so that the swap changes nothing.
 */
import { createServer, IncomingMessage, maxHeaderSize, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";
import { Refusal } from "../contract/errors.js";
import { delay, second, stopwatch } from "../world/time/time.js";
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

  const serve = (request: IncomingMessage, response: ServerResponse) =>
    pipeline.handle(request, response, toPages);
  const server = createServer({ IncomingMessage: Request, ServerResponse: Response }, serve);
  // Expectations other than 100-continue are not ours to meet; the request is.
  server.on("checkExpectation", serve);
  // Sockets that break the protocol are told so and closed; nothing else of the process is touched.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    socket.end(pipeline.answers.refuseBytes(notHttp(error)));
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(
      pipeline.answers.refuseBytes(new Refusal("validation_error", { message: "This is no proxy." })),
    );
  });
  rememberSilent(server);
  return server;
}

function notHttp({ code, message }: NodeJS.ErrnoException): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal("wait_timeout", { message: "The request did not arrive whole in time." });
  const why = code === "HPE_HEADER_OVERFLOW" ? `its head has more than ${maxHeaderSize} bytes` : message;
  return new Refusal("validation_error", { message: `This is no HTTP request that can be read: ${why}.` });
}

/** Sockets on which nothing was asked yet: browsers open them ahead, and Node takes them for busy. */
const silent = new WeakMap<Server, Set<Socket>>();

function rememberSilent(server: Server): void {
  const sockets = new Set<Socket>();
  silent.set(server, sockets);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage) => sockets.delete(socket));
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
/** So long (real ms) a stop waits for requests in flight; one that never arrives whole ends with its socket. */
const patience = 10 * second;

/** Takes no new requests, lets those in flight finish, and closes each socket once it is idle. */
export async function stopListening(server: Server): Promise<void> {
  let closed = false;
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      closed = true;
      resolve();
    });
  });
  for (const socket of silent.get(server) ?? []) socket.destroy();
  const elapsed = stopwatch();
  while (!closed) {
    if (elapsed() < patience) server.closeIdleConnections();
    else server.closeAllConnections();
    await Promise.race([done, delay(sweep)]);
  }
}
