/**
 * A proxy in front of the real service. It passes requests and replies on as they are, keeps a copy of each exchange,
 * and compares the replies with the contract meanwhile.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { isLiveKey } from "../../contract/api-keys.js";
import { connectionHeaders, withoutHeaders } from "../../contract/connection-headers.js";
import type { AnyOperation } from "../../contract/operation.js";
import { isAllowed } from "../allowed-operations.js";
import type { ServiceContract } from "../compare/contract.js";
import type { Deviation } from "../compare/deviations.js";
import { operationAt } from "../plan-scenario.js";
import { describeReply, isOutage } from "../service-client.js";
import { type PassedExchange, readExchange } from "./exchange.js";
import { answer, NotPassed } from "./not-passed.js";
import { BodyCopy, bodyOf, copying, headerIn, megabyteBytes } from "./passing-bodies.js";
import { PassingRelations } from "./passing-relations.js";

/** Line that the proxy prints as soon as a request is answered. Contains no value of a request or reply. */
export interface PassedReport {
  /** Route and status, such as `POST /v1/audits → 201`. */
  readonly line: string;
  /** Null if no operation of the interface has the path. */
  readonly operation: string | null;
  /** Where the reply deviates from the contract. */
  readonly deviations: readonly Deviation[];
  /** Why the reply was not compared with the contract. Null if it was. */
  readonly unchecked: string | null;
}

export interface RecordingProxyOptions {
  /** Base URL of the service without a trailing slash. */
  readonly baseUrl: string;
  /** 0 for a free port. */
  readonly port: number;
  readonly allowsLiveKeys: boolean;
  readonly contract: ServiceContract;
  /** Ms since the epoch. */
  now(): number;
  onPassed(report: PassedReport): void;
}

const host = "127.0.0.1";
/** Maximum sizes of the bodies that are kept. */
const maxKeptRequestBytes = 32 * megabyteBytes;
const maxKeptReplyBytes = 4 * megabyteBytes;
/** Maximum number of exchanges that are kept, and the maximum size of their bodies. */
const maxExchanges = 1_000;
const maxKeptBytes = 128 * megabyteBytes;

export class RecordingProxy {
  readonly #server: Server;
  readonly #agent: Dispatcher;
  /** In the order of the requests. Null until the reply is complete. */
  readonly #exchanges: (PassedExchange | null)[] = [];
  readonly #leftOut = new Set<string>();
  readonly #relations = new PassingRelations();
  #keptBytes = 0;
  /** Key of the account that is recorded: the first one that is used. */
  #key: string | null = null;

  private constructor(
    readonly options: RecordingProxyOptions,
    agent: Dispatcher,
  ) {
    this.#agent = agent;
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** Rejects with the error of the socket if the port cannot be used. */
  static async open(options: RecordingProxyOptions): Promise<RecordingProxy> {
    const { Agent } = await import("undici");
    const proxy = new RecordingProxy(options, new Agent());
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen(options.port, host, resolve);
    });
    return proxy;
  }

  get url(): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Complete exchanges, in the order in which their requests arrived. */
  get exchanges(): PassedExchange[] {
    return this.#exchanges.filter((exchange) => exchange !== null);
  }

  /** Requests that are not among the exchanges, and why. */
  get leftOut(): string[] {
    return [...this.#leftOut];
  }

  /** Whether the account that is recorded has a live key. */
  get live(): boolean {
    return this.#key !== null && isLiveKey(this.#key);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#agent.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = operationAt(`${request.method} ${request.url}`) ?? null;
    const about = operation?.route ?? `${request.method} (no operation of the interface)`;
    try {
      this.#authorize(request, operation);
      const report = await this.#pass(request, response, operation);
      this.options.onPassed({ operation: operation?.id ?? null, ...report });
    } catch (error) {
      // A client that has gone away needs no reply, and what it asked for is not known to be complete.
      if (response.headersSent || response.destroyed) return void response.destroy();
      const refusal = error instanceof NotPassed ? error : this.#unanswered(error);
      answer(request, response, refusal);
      this.#leftOut.add(`${about}: ${refusal.message}`);
      this.options.onPassed({
        line: `${about} → ${refusal.status}`,
        operation: operation?.id ?? null,
        deviations: [],
        unchecked: refusal.message,
      });
    }
  }

  /** Refuses what a drift run does not call either: anything with a live key, and what costs or reaches people. */
  #authorize({ headers }: IncomingMessage, operation: AnyOperation | null): void {
    const key = headers["x-service-key"];
    if (typeof key !== "string" || !isLiveKey(key)) return;
    if (!this.options.allowsLiveKeys)
      throw new NotPassed(
        403,
        "live_key_refused",
        "live keys are refused, because their calls cost money; use a test key, or start standin record with --i-know-this-costs-money",
      );
    if (!operation || !isAllowed(operation.id, true))
      throw new NotPassed(403, "live_key_refused", "not passed on with a live key; use a test key");
  }

  #unanswered(error: unknown): NotPassed {
    const { code, message, cause } = error as Error & { code?: string; cause?: { code?: string } };
    const reason = cause?.code ?? code ?? message;
    return new NotPassed(
      502,
      "service_unreachable",
      `the service at ${new URL(this.options.baseUrl).origin} does not answer (${reason}); check --from`,
    );
  }

  async #pass(request: IncomingMessage, response: ServerResponse, operation: AnyOperation | null) {
    const at = this.options.now();
    const slot = this.#slotFor(request, operation);
    const sent = new BodyCopy(maxKeptRequestBytes);
    const reply = await this.#send(request, response, sent);
    const received = new BodyCopy(maxKeptReplyBytes);
    const rawHeaders = (reply.headers as unknown as Buffer[]).map(String);
    response.writeHead(reply.statusCode, withoutHeaders(connectionHeaders, rawHeaders));
    await pipeline(reply.body, copying(received), response);
    if (!operation)
      return {
        line: `${request.method} (no operation of the interface) → ${reply.statusCode}`,
        deviations: [],
        unchecked: "it is no operation of the interface",
      };
    const exchange = await readExchange({
      id: `passed_${slot ?? 0}`,
      at,
      operation,
      method: request.method as string,
      path: request.url as string,
      rawHeaders: request.rawHeaders,
      sent: { type: request.headers["content-type"] ?? "", bytes: sent.bytes() },
      status: reply.statusCode,
      received: { type: headerIn(rawHeaders, "content-type"), bytes: received.bytes() },
    });
    const unchecked = obstacleOf(exchange, rawHeaders, received);
    const deviations = unchecked === null ? this.#deviationsOf(exchange) : [];
    if (slot !== null) this.#keep(slot, exchange, unchecked);
    return { line: describeReply(exchange.reply), deviations, unchecked };
  }

  /** Relations are compared only in replies that follow the contract. */
  #deviationsOf(exchange: PassedExchange): Deviation[] {
    const ofContract = this.options.contract.check(exchange.reply);
    return ofContract.length > 0 ? ofContract : this.#relations.check(exchange);
  }

  /** Returns the place of the exchange in the recording, or null if it has none. */
  #slotFor({ headers }: IncomingMessage, operation: AnyOperation | null): number | null {
    const key = headers["x-service-key"];
    if (typeof key === "string") this.#key ??= key;
    if (!operation) this.#leftOut.add("requests that are no operation of the interface");
    else if (typeof key === "string" && key !== this.#key)
      this.#leftOut.add("requests with another API key than the first one");
    else if (this.#exchanges.length >= maxExchanges)
      this.#leftOut.add(`everything after the first ${maxExchanges} requests`);
    else return this.#exchanges.push(null) - 1;
    return null;
  }

  #keep(slot: number, exchange: PassedExchange, unchecked: string | null): void {
    const { entry } = exchange;
    if (isOutage(exchange.reply.status)) {
      this.#leftOut.add(`a ${describeReply(exchange.reply)}: ${unchecked}`);
      return;
    }
    for (const { kept } of entry.form?.files ?? []) {
      this.#keptBytes += kept.bytes?.length ?? 0;
      if (this.#keptBytes > maxKeptBytes) kept.bytes = null;
    }
    this.#exchanges[slot] = exchange;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    copy: BodyCopy,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname } = new URL(this.options.baseUrl);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const headers = withoutHeaders([...connectionHeaders, "host", "accept-encoding"], request.rawHeaders);
    return this.#agent.request({
      origin,
      path: pathname.replace(/\/$/, "") + request.url,
      method: request.method as Dispatcher.HttpMethod,
      // A compressed reply could not be compared.
      headers: [...headers, "accept-encoding", "identity"],
      body: bodyOf(request, copy),
      responseHeaders: "raw",
      signal: gone.signal,
    });
  }
}

/** Returns why a reply cannot be compared with the contract, or null if it can. */
function obstacleOf({ reply }: PassedExchange, rawHeaders: readonly string[], received: BodyCopy) {
  if (isOutage(reply.status)) return "the service has an outage";
  if (headerIn(rawHeaders, "content-encoding") !== "") return "the reply is compressed";
  return reply.mediaType.includes("json") && received.bytes() === null ? "the reply is too long" : null;
}
