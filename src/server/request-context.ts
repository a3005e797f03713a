/** One request on its way through the application, and what is known about it so far. */

import type { Request, RequestHandler, Response } from "express";
import type { HeaderChanges } from "../contract/headers.js";
import type { AnyOperation, Client, Decision } from "../contract/operation.js";
import { withoutKey } from "../contract/secrets.js";
import type { UploadedFile } from "../contract/upload.js";
import type { PlannedFault } from "../rules/faults.js";
import { stopwatch } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { Activity } from "../world/activity/activity.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import { addressOf, formatHost, type RequestAddress } from "./request-address.js";
import type { ServerSettings } from "./settings.js";

declare module "express-serve-static-core" {
  interface Request {
    /** Context of the request, set by the application's first middleware. */
    context: RequestContext;
  }
}

/** Details of a forwarded request: how many times it was forwarded, and the address that the client used. */
export interface Forwarded {
  hops: number;
  host: string;
  baseUrl: string;
}

/** Thrown when the client disconnected before its request had arrived completely, so that nobody is left to answer. */
export class ClientGone extends Error {}

export class RequestContext implements Client {
  readonly elapsed = stopwatch();
  /** The request target below the path that the application is mounted at, query included. */
  readonly target: string;
  /** Operation of the request. Null until a route has matched. */
  operation: AnyOperation | null = null;
  /** Whether its body could be read, so that the operation has been called. */
  hasCalled = false;
  account: Account | null = null;
  requestId = "";
  /** Activity of the request. Null for requests of the control API that only read. */
  activity: Activity | null = null;
  /** Entry in the request journal. Null for requests that it does not keep. */
  entry: JournalEntry | null = null;
  decision: Decision | null = null;
  /** The fault that a rule asked for. */
  fault: PlannedFault | null = null;
  /** Aborts when the server stops, which ends deliberate delays. */
  stopping: AbortSignal | undefined = undefined;
  /** Uploaded files by form field. */
  files: Record<string, UploadedFile> = {};
  /** The JSON body's text, for the request journal. */
  bodyText: string | null = null;
  /** Header names and values, alternating, in addition to the headers of every reply. */
  readonly replyHeaders: string[] = [];
  /** Headers that a tester changes. Null for most requests. */
  changedHeaders: HeaderChanges | null = null;
  #gone: AbortSignal | null = null;

  constructor(
    readonly request: Request,
    readonly response: Response,
    /** The URL under which the client reached the sandbox, without a trailing slash. */
    readonly baseUrl: string,
    /** Host name and port that the client asked for. Empty if it named none. */
    readonly host: string = request.headers.host ?? "",
  ) {
    this.target = request.url;
  }

  get method(): string {
    return this.request.method;
  }

  get path(): string {
    const query = this.target.indexOf("?");
    return query === -1 ? this.target : this.target.slice(0, query);
  }

  /** Path of the base URL, without a trailing slash; empty at the root. */
  get basePath(): string {
    const { pathname } = new URL(this.baseUrl);
    return pathname === "/" ? "" : pathname;
  }

  /** Aborts when the client disconnects. Created on first use, because few operations need it. */
  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.request, this.response);
    return this.#gone;
  }

  /** The target, without the request's own key. */
  get shownTarget(): string {
    return withoutKey(this.target, this.header("x-service-key"));
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }
}

/**
 * Returns a signal that aborts when the request's socket closes. A reply that waits for its turn on a shared connection
 * has no socket of its own yet.
 */
function goneSignal({ socket }: Request, response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new ClientGone());
  if (socket.destroyed) abort();
  else {
    socket.once("close", abort);
    response.once("finish", () => socket.removeListener("close", abort));
  }
  return controller.signal;
}

const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** The last valid host of a URL, cached because nearly all requests name it. */
let lastUrlHost: string | null = null;

/** Returns the host for URLs: the client's, or the address of the socket if the client's is not valid in a URL. */
function hostOf(
  { host }: RequestAddress,
  { localAddress = "localhost", localPort }: Request["socket"],
): string {
  if (host === lastUrlHost) return host;
  if (hostPattern.test(host) && URL.canParse(`http://${host}`)) {
    lastUrlHost = host;
    return host;
  }
  const name = formatHost(localAddress);
  return localPort === undefined ? name : `${name}:${localPort}`;
}

/**
 * Creates the context of each request. Links use the public URL, if there is one, instead of the address of the
 * request.
 */
export const requestContext =
  (
    { publicUrl, trustProxy }: Pick<ServerSettings, "publicUrl" | "trustProxy">,
    forwarder: { read(request: Request): Forwarded | null } | null,
  ): RequestHandler =>
  (request, response, next) => {
    const forwarded = forwarder?.read(request);
    if (forwarded) {
      request.context = new RequestContext(request, response, forwarded.baseUrl, forwarded.host);
      return next();
    }
    const address = addressOf(request, trustProxy);
    const { protocol, prefix } = address;
    const baseUrl =
      publicUrl ?? `${protocol}://${hostOf(address, request.socket)}${prefix}${request.baseUrl}`;
    request.context = new RequestContext(request, response, baseUrl, address.host);
    next();
  };
