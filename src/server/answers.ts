/** How requests end: with a reply or a refusal, once all that it could have seen is safe, and with an entry in the journal. */
import { resolveAssumptions } from "../contract/assumptions.js";
import { renderError } from "../contract/error-body.js";
import { Refusal } from "../contract/errors.js";
import { Answer, type AnyOperation, successStatus } from "../contract/operation.js";
import { isOnWire, sayFault } from "../rules/faults.js";
import type { Account } from "../world/account.js";
import { Random } from "../world/time/random.js";
import { afterTick } from "../world/time/time.js";
import { ClientGone } from "./body.js";
import { checkRefusal, checkReply } from "./contract-check.js";
import type { Exchange } from "./exchange.js";
import { toRefusal } from "./failures.js";
import { reset } from "./faulty-reply.js";
import { rawReply, writeReply } from "./reply.js";
import type { Settings } from "./settings.js";

/** Paths of the control API, and what it answers with under every assumption. */
const ours = /^\/_sandbox(?:\/|$)/;
const defaults = resolveAssumptions();

/** Characters of a body or reply that the request journal keeps. */
const journalled = 64 * 1024;

export class Answers {
  readonly #requestPrefix: string;
  #requestCount = 0;
  /** Replies of this tick that wait for nothing but its end. */
  #leaving: (() => void)[] = [];

  constructor(
    readonly settings: Settings,
    readonly warn: (message: string) => void,
  ) {
    this.#requestPrefix = `req_${Random.seeded(settings.seed, "requests").letters(8)}`;
  }

  /** For requests that reach no account: the others have ids of their account's sequence. */
  nextRequestId(): string {
    return this.#requestPrefix + (++this.#requestCount).toString(36).padStart(6, "0");
  }

  /** The reply leaves once everything that it could have seen is safe, reads included. */
  finish(exchange: Exchange, operation: AnyOperation, result: unknown): void {
    const answer = result instanceof Answer ? result : new Answer(successStatus(operation), result);
    for (const [name, value] of Object.entries(answer.headers)) exchange.replyHeaders.push(name, value);
    if (!this.settings.validateReplies) return this.#send(exchange, answer);
    checkReply(operation, answer.status, answer.body).then(
      () => this.#send(exchange, answer),
      (error: unknown) => this.refuse(exchange, error),
    );
  }

  /** What was thrown, as the refusal that it is, or as a 500 that the operator hears of. */
  refuse(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientGone) {
      exchange.response.destroy();
      return;
    }
    const refusal = this.#declared(exchange, error);
    const { account } = exchange;
    if (!account || account.closed) return this.#writeRefusal(exchange, refusal);
    this.#whenSafe(account, (lost) =>
      this.#writeRefusal(exchange, lost ? new Refusal("storage_unavailable") : refusal),
    );
  }

  /** The request is dropped as if it had never come; the journal knows. */
  drop(exchange: Exchange): void {
    this.#record(exchange, null, null, null);
    reset(exchange.response);
  }

  /** The answer to bytes of which no request came, as it goes over the socket. */
  refuseBytes(refusal: Refusal): string {
    const requestId = this.nextRequestId();
    const { status, contentType, body } = renderError(refusal, requestId, this.settings.assumptions);
    return rawReply(status, body, contentType, requestId);
  }

  #send(exchange: Exchange, { status, body }: Answer<unknown>): void {
    const write = (lost: unknown) => {
      if (lost) return this.#writeRefusal(exchange, new Refusal("storage_unavailable"));
      const sent = this.#status(exchange, status);
      this.#record(exchange, sent, null, writeReply(exchange, sent, body));
    };
    const { account } = exchange;
    // An account that was closed meanwhile was taken back to what is on disk, and this request's changes with it.
    if (account?.closed) write(account);
    else if (account) this.#whenSafe(account, write);
    else write(null);
  }

  /** Replies leave together at the end of the tick: writing between two reads costs more than it saves. */
  #whenSafe({ log }: Account, write: (lost: Error | null) => void): void {
    if (!log.safe) return log.whenSafe(write);
    if (this.#leaving.length === 0) afterTick(() => this.#leave());
    this.#leaving.push(() => write(null));
  }

  #leave(): void {
    const leaving = this.#leaving;
    this.#leaving = [];
    for (const write of leaving) write();
  }

  /** Assumption http.created. */
  #status({ mounted }: Exchange, status: number): number {
    const allOk = this.settings.assumptions["http.created"] === "ok";
    return status === 201 && allOk && mounted?.layer === "service" ? 200 : status;
  }

  #declared(exchange: Exchange, error: unknown): Refusal {
    let reason = error;
    const refusal = toRefusal(error);
    if (refusal) {
      const operation = exchange.mounted?.operation;
      if (!operation || !this.settings.validateReplies) return refusal;
      try {
        checkRefusal(operation, refusal.code);
        return refusal;
      } catch (offContract) {
        reason = offContract;
      }
    }
    const said = reason instanceof Error ? reason.stack : String(reason);
    this.warn(`${exchange.method} ${exchange.path}: ${said}`);
    return new Refusal("internal_error");
  }

  #writeRefusal(exchange: Exchange, refusal: Refusal): void {
    exchange.requestId ||= this.nextRequestId();
    const assumptions = this.#assumptionsFor(exchange);
    const { status, contentType, body } = renderError(refusal, exchange.requestId, assumptions);
    for (const [name, value] of Object.entries(refusal.options.headers ?? {})) {
      exchange.replyHeaders.push(name, value);
    }
    this.#record(exchange, status, refusal.code, writeReply(exchange, status, body, contentType));
  }

  /** The control API is ours: its errors look the same under every assumption. */
  #assumptionsFor({ path }: Exchange): Settings["assumptions"] {
    const { assumptions } = this.settings;
    return ours.test(path) ? defaults : assumptions;
  }

  #record(exchange: Exchange, status: number | null, errorCode: string | null, reply: string | null): void {
    const { account, mounted, request } = exchange;
    if (!account || mounted?.layer !== "service") return;
    account.coverage.called(mounted.operation.id, status, exchange.decision);
    account.requests.add({
      id: exchange.requestId,
      at: account.clock.now(),
      operation: mounted.operation.id,
      method: exchange.method,
      path: request.url as string,
      headers: request.rawHeaders,
      body: keepShort(exchange.bodyText),
      status,
      error_code: errorCode,
      outcome: exchange.decision?.outcome ?? null,
      fault: exchange.fault && isOnWire(exchange.fault) ? sayFault(exchange.fault) : null,
      asked_fault: exchange.fault && sayFault(exchange.fault),
      reply: keepShort(reply),
      duration_ms: exchange.elapsed(),
    });
  }
}

const keepShort = (text: string | null): string | null =>
  text !== null && text.length <= journalled ? text : null;
