/**
 * Serves the application over HTTP, and over HTTPS beside it. Express sets the prototypes of every request and
 * response, which makes V8 treat them as slow objects. The classes of this server have those prototypes from the start,
 * so that no object changes its prototype.
 */

import {
  createServer,
  IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";
import { Refusal } from "../contract/errors.js";
import { delay, second, stopwatch } from "../time/time.js";
import { unknownPath } from "./errors.js";
import type { Guard } from "./guard.js";
import type { Replies } from "./replies.js";
import { nameOfHost } from "./request-address.js";
import { RequestContext } from "./request-context.js";
import type { TlsSettings } from "./tls/identity.js";

/**
 * Time in ms that a connection without requests stays open. With Node's default of 5 s, a client that
 * pauses that long may send its next request on a connection that is just being closed.
 */
const keepAliveMs = 75 * second;

/** Creates a server, over HTTP by default, which does not listen yet. */
export type CreateServer = (
  create: ((options: ServerOptions, serve: RequestListener) => Server) | null,
) => Server;

/** Returns a function that creates servers of the application. */
export function serverFactory(app: Express, replies: Replies, guard: Guard): CreateServer {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, Object.getPrototypeOf(app.request));
  Object.setPrototypeOf(Response.prototype, Object.getPrototypeOf(app.response));
  app.request = Object.assign(Request.prototype, { app }) as never;
  app.response = Object.assign(Response.prototype, { app }) as never;

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    toOriginForm(request);
    const refusal = refusalOfHosts(request) ?? guard.refusalOfHost(request);
    const refuse = (why: (path: string) => Refusal) => {
      const context = new RequestContext(request as never, response as never, "");
      replies.refuse(context, why(context.path));
    };
    response.on("error", (error) => replies.warn(`${request.method} ${error.message}`));
    if (refusal) refuse(() => refusal);
    // Express's router parses targets other than paths with a deprecated function, which prints a warning or fails.
    else if (!request.url?.startsWith("/")) refuse(unknownPath);
    else app(request as never, response as never);
  };
  const options = {
    IncomingMessage: Request,
    ServerResponse: Response,
    keepAliveTimeout: keepAliveMs,
    // Node would answer requests without a Host itself, without the error envelope.
    requireHostHeader: false,
  } as ServerOptions;
  return (create) => prepare((create ?? createServer)(options, serve), serve, replies);
}

/** Adds handlers for cases in which Node's own behaviour is not wanted. */
function prepare(server: Server, serve: RequestListener, replies: Replies): Server {
  // Node would answer expectations other than 100-continue with 417.
  server.on("checkExpectation", serve);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    socket.end(replies.formatRefusal(unreadableRequest(error)));
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    const message = "The sandbox is not a proxy: it does not accept CONNECT.";
    socket.end(replies.formatRefusal(new Refusal("validation_error", { message })));
  });
  trackSockets(server);
  return server;
}

/**
 * Rewrites a request target in the absolute form (`http://127.0.0.1:4010/v1/balance`), which clients send to proxies, to
 * a path. Its host replaces the header (RFC 9112, sections 3.2.2 and 3.3).
 */
function toOriginForm(request: IncomingMessage): void {
  const { url = "" } = request;
  if (url.startsWith("/") || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return;
  request.headers.host = new URL(url).host;
  const rest = url.slice(url.indexOf("//") + 2).replace(/^[^/?#]*/, "");
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}

/** Returns the refusal of a request with several Host headers, or with none if HTTP/1.1 requires it (RFC 9112, 3.2). */
function refusalOfHosts({ headers, httpVersion, rawHeaders }: IncomingMessage): Refusal | null {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  if (count === 1 || (count === 0 && (httpVersion !== "1.1" || headers.host !== undefined))) return null;
  const message = count === 0 ? "The header Host is missing." : "The header Host occurs more than once.";
  return new Refusal("validation_error", { param: "Host", message });
}

function unreadableRequest({ code, message }: NodeJS.ErrnoException): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal("wait_timeout", { message: "The request did not arrive completely in time." });
  const why = code === "HPE_HEADER_OVERFLOW" ? `its head has more than ${maxHeaderSize} bytes` : message;
  return new Refusal("validation_error", { message: `The request is not readable as HTTP: ${why}.` });
}

interface Sockets {
  /** All sockets, including sockets in memory, which `server.close()` does not wait for. */
  readonly open: Set<Socket>;
  /** Sockets without a request so far. Browsers open them in advance, and Node counts them as busy. */
  readonly unused: Set<Socket>;
}

const socketsOf = new WeakMap<Server, Sockets>();

function trackSockets(server: Server): void {
  const sockets: Sockets = { open: new Set(), unused: new Set() };
  socketsOf.set(server, sockets);
  const track = (socket: Socket) => {
    sockets.open.add(socket);
    sockets.unused.add(socket);
    socket.once("close", () => {
      sockets.open.delete(socket);
      sockets.unused.delete(socket);
    });
  };
  server.on("connection", track);
  // Requests over TLS have their own socket above the socket of the connection.
  server.on("secureConnection", track);
  server.on("request", ({ socket }: IncomingMessage) => sockets.unused.delete(socket));
}

/** Starts to listen and resolves with the port, or rejects with the reason. */
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

/** Interval in ms of wall-clock time at which a stopping server closes idle sockets. */
const idleCheckIntervalMs = 20;
/** Wall-clock time, in ms, that a stop waits for requests in flight before it closes their sockets. */
const shutdownGraceMs = 10 * second;

/** Accepts no new requests, lets requests in flight finish, and closes each socket once it is idle. */
export async function stopListening(server: Server): Promise<void> {
  let closed = false;
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      closed = true;
      resolve();
    });
  });
  const { open, unused } = socketsOf.get(server) as Sockets;
  for (const socket of unused) socket.destroy();
  const elapsed = stopwatch();
  while (!closed || open.size > 0) {
    if (elapsed() < shutdownGraceMs) server.closeIdleConnections();
    else for (const socket of open) socket.destroy();
    await (closed ? delay(idleCheckIntervalMs) : Promise.race([done, delay(idleCheckIntervalMs)]));
  }
}

/** The servers of one application: HTTP, and HTTPS beside it. */
export class Listeners {
  /** Serves over HTTP. It does not listen before `listen()`. */
  readonly server: Server;
  readonly #create: CreateServer;
  #secure: Server | null = null;
  /** URL of the HTTPS listener. Null until it listens. */
  tlsUrl: string | null = null;
  /** Certificate of the local authority in PEM. Null without HTTPS, and for a certificate from files. */
  ca: string | null = null;

  constructor(app: Express, replies: Replies, guard: Guard) {
    this.#create = serverFactory(app, replies, guard);
    this.server = this.#create(null);
  }

  /** Listens, and resolves with the URL at which the process reaches itself. */
  async listen(port: number, host: string, tls: TlsSettings | null): Promise<string> {
    const name = nameOfHost(host);
    if (tls) {
      const { loadIdentity } = await import("./tls/identity.js");
      const { options: identity, authority } = await loadIdentity(tls);
      const https = await import("node:https");
      this.#secure = this.#create((options, serve) => https.createServer({ ...options, ...identity }, serve));
      this.tlsUrl = `https://${name}:${await listen(this.#secure, tls.port, host)}`;
      this.ca = authority;
    }
    return `http://${name}:${await listen(this.server, port, host)}`;
  }

  async stop(): Promise<void> {
    await Promise.all([this.server, this.#secure].map((server) => server && stopListening(server)));
  }
}
