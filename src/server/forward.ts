/** Forwards requests for accounts that another replica owns, and waits for accounts whose owner is gone. */
import { createHmac } from "node:crypto";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Request, Response } from "express";
import { refuse } from "../contract/errors.js";
import { connectionHeaders, hasBody, headerIn, withoutHeaders } from "../contract/headers.js";
import { firstAnswer } from "../contract/http-answer.js";
import { delay, minute, second, stopwatch, timer } from "../time/time.js";
import type { Cluster, OwnedElsewhere } from "../world/store/store.js";
import { isSameText } from "./guard.js";
import { resetConnection } from "./reply.js";
import type { Forwarded, RequestContext } from "./request-context.js";

export interface ForwarderOptions {
  cluster: Cluster;
  /** Returns whether something accepts connections at the URL, within a time limit in ms. */
  isReachable(url: string, timeoutMs: number): Promise<boolean>;
}

/** Sockets to another replica: each stream and long poll keeps one, and an idle one is closed before the replica closes it. */
const agentOptions = { keepAlive: true, maxSockets: 1_024, timeout: minute };

/** Header that marks a forwarded request. */
const header = "x-standin-forwarded";
/** Maximum number of times that a request is forwarded. It is more than one only while an account changes its owner. */
const maxHops = 3;
/**
 * Time in ms that a request waits until another replica can take the account over: longer than a lease. The reply of
 * the new owner must begin within this time too, because the new owner may stop as well.
 */
const maxWaitMs = 13 * second;
/** Interval in ms between checks for a new owner. */
const lookIntervalMs = 100;
/** Time in ms that a stop waits for the owners' replies. */
const stopGraceMs = 1 * second;
const probeTimeoutMs = 1 * second;

/** Headers that replicas do not forward to each other. */
const ownHeaders = [...connectionHeaders, header];

/** Thrown when the owner ended before it answered. `wasSent`: whether it may have acted on the request. */
class OwnerGone extends Error {
  constructor(readonly wasSent: boolean) {
    super("the owner of the account does not answer");
  }
}

export class ReplicaForwarder {
  readonly #token: string;
  readonly #waiting = new WeakMap<Request, () => number>();
  /** Requests in progress. */
  readonly #active = new Set<{ isStream: boolean; stop(): void }>();
  readonly #http = new http.Agent(agentOptions);
  readonly #https = new https.Agent(agentOptions);

  constructor(readonly options: ForwarderOptions) {
    this.#token = createHmac("sha256", options.cluster.secret).update("standin forward").digest("base64url");
  }

  /** Returns how another replica forwarded a request, or null if no replica did. */
  read({ headers }: Pick<Request, "headers">): Forwarded | null {
    const [token = "", hops, host, baseUrl] = String(headers[header] ?? "").split(" ");
    if (baseUrl === undefined || !isSameText(token, this.#token)) return null;
    return { hops: Number(hops), host: host === "-" ? "" : String(host), baseUrl };
  }

  /** Refuses requests that name a forwarding replica but were not sent by one. */
  check(request: Pick<Request, "headers">): void {
    if (request.headers[header] === undefined || this.read(request) !== null) return;
    refuse("forbidden_origin", {
      param: "X-Standin-Forwarded",
      message:
        "The header X-Standin-Forwarded is for the replicas of this sandbox; send the request without it.",
    });
  }

  /** Sends the request to the owner and its reply to the client. `again` handles the request once more, for another owner. */
  async forward(context: RequestContext, owned: OwnedElsewhere, again: () => void): Promise<void> {
    const { request, response } = context;
    const waitedBefore = this.#waiting.get(request);
    const waited = waitedBefore ?? stopwatch();
    this.#waiting.set(request, waited);
    const hops = this.read(request)?.hops ?? 0;
    if (hops >= maxHops || waited() > maxWaitMs) throw owned;
    const isRead = request.readableDidRead;
    if (isRead && context.bodyText === null) throw owned;
    try {
      await this.#send(context, owned, hops + 1, waitedBefore ? maxWaitMs - waited() : null);
    } catch (error) {
      if (response.headersSent) return resetConnection(response);
      if (!(error instanceof OwnerGone)) throw error;
      if (owned.url !== null && !response.destroyed) void this.options.cluster.suspect(owned.replica);
      // A request that the owner may have carried out is not repeated.
      const mayRepeat = !error.wasSent || request.method === "GET" || request.method === "HEAD";
      if (!mayRepeat || isRead || request.readableDidRead || response.destroyed) throw owned;
      await delay(lookIntervalMs);
      again();
    }
  }

  /** Ends streams immediately, and other long requests after a grace period. Called before the server stops. */
  endWaits(): void {
    const end = (onlyStreams: boolean) => {
      for (const { isStream, stop } of this.#active) if (isStream || !onlyStreams) stop();
    };
    end(true);
    timer(stopGraceMs, () => end(false));
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /**
   * Sends the request and relays the reply, which must begin within `limitMs`. If null, only the end of the owner's
   * lease ends the wait.
   */
  async #send(
    context: RequestContext,
    { url, replica, key }: OwnedElsewhere,
    hops: number,
    limitMs: number | null,
  ): Promise<void> {
    if (url === null) throw new OwnerGone(false);
    const { request, response } = context;
    const { host: owner, pathname, protocol } = new URL(url);
    const sent = http.request(url, {
      path: pathname.replace(/\/$/, "") + context.target,
      method: request.method,
      headers: this.#headersOf(context, owner, hops, key),
      agent: protocol === "https:" ? this.#https : this.#http,
    });
    const active = {
      isStream: false,
      stop: () => void sent.destroy(new OwnerGone(sent.socket?.connecting === false)),
    };
    this.#active.add(active);
    const { stop } = active;
    const unwatch = this.options.cluster.watch(replica, stop);
    const limit = limitMs === null ? null : timer(limitMs, stop);
    response.once("close", stop);
    try {
      writeBody(context, sent);
      const reply = await firstAnswer(sent);
      limit?.cancel();
      active.isStream = reply.headers["content-type"] === "text/event-stream";
      await relay(reply, response);
    } catch (error) {
      if (error instanceof OwnerGone || response.headersSent) throw error;
      if (isUnreachable(error)) throw new OwnerGone(false);
      // An owner that still accepts connections has closed this one on purpose, as rules may ask for.
      if (await this.options.isReachable(url, probeTimeoutMs)) return resetConnection(response);
      throw new OwnerGone(true);
    } finally {
      limit?.cancel();
      this.#active.delete(active);
      response.off("close", stop);
      unwatch();
    }
  }

  #headersOf(context: RequestContext, owner: string, hops: number, key: string | null): string[] {
    const { request, host, baseUrl } = context;
    const names = key === null ? [] : ["x-service-key", "x-sandbox-account"];
    const headers = withoutHeaders([...ownHeaders, "content-length", ...names], request.rawHeaders);
    headers.push(...framingOf(context));
    if (headerIn(headers, "host") === undefined) headers.push("Host", owner);
    if (key !== null) headers.push("X-Service-Key", key);
    return [...headers, header, `${this.#token} ${hops} ${host || "-"} ${baseUrl}`];
  }
}

/** Writes the owner's reply as it arrives. */
async function relay(reply: IncomingMessage, response: Response): Promise<void> {
  response.writeHead(reply.statusCode as number, withoutHeaders(ownHeaders, reply.rawHeaders));
  response.flushHeaders();
  for await (const chunk of reply) {
    if (response.write(chunk) || response.destroyed) continue;
    await new Promise<void>((resolve) => {
      const resume = () => {
        response.off("drain", resume).off("close", resume);
        resolve();
      };
      response.on("drain", resume).on("close", resume);
    });
  }
  response.end();
}

/** Methods whose requests Node sends in chunks if no header says that there is no body. */
const chunkedMethods: readonly string[] = ["POST", "PUT", "PATCH"];

/** Returns the header that says where the body ends. */
function framingOf({ request, bodyText, method }: RequestContext): string[] {
  if (bodyText !== null) return ["Content-Length", String(Buffer.byteLength(bodyText))];
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (coding !== undefined) return ["Transfer-Encoding", "chunked"];
  if (length === undefined && !chunkedMethods.includes(method)) return [];
  return ["Content-Length", length ?? "0"];
}

/** Sends the body as it arrives, or as it was read. Reading begins only when the owner accepts the connection. */
function writeBody({ request, bodyText }: RequestContext, sent: ClientRequest): void {
  if (bodyText !== null || !hasBody(request.headers)) return void sent.end(bodyText);
  sent.once("socket", (socket) => {
    if (socket.connecting) socket.once("connect", () => request.pipe(sent));
    else request.pipe(sent);
  });
}

const unreachable = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;

/** Returns whether no connection could be made, so that nothing was sent. */
function isUnreachable(error: unknown): boolean {
  const { code, errors } = error as { code?: string; errors?: unknown[] };
  return unreachable.test(code ?? "") || (errors?.some(isUnreachable) ?? false);
}
