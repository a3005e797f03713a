/**
 * Ends requests with a reply or a refusal, which leaves once everything that it may reveal is stored, and with a
 * journal entry.
 */

import type { TSchema } from "typebox";
import { type GeneralAssumptions, generalDefaults } from "../contract/assumptions/general.js";
import { isControlPath } from "../contract/control-routes.js";
import { renderError } from "../contract/error-body.js";
import { type ErrorCode, Refusal } from "../contract/errors.js";
import { type AnyOperation, isServiceOperation } from "../contract/operation.js";
import { errorCodesOf } from "../contract/refusals.js";
import { type Answer, Binary, isBinary, Stream } from "../contract/reply-forms.js";
import { schemaInForce } from "../contract/schemas.js";
import { redactAddress } from "../contract/secrets.js";
import { compileValidator, detailsOf, validatorOf } from "../contract/validate.js";
import { formatFault, isOnWire } from "../rules/faults.js";
import { afterTick } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { countTexts, shortEnough } from "../world/activity/activity.js";
import type { Figures } from "../world/activity/coverage.js";
import { RequestIds } from "../world/activity/request-journal.js";
import { toRefusal, unknownPath } from "./errors.js";
import { RequestDropped } from "./perform.js";
import { uploadedFormOf } from "./recent-files.js";
import { formatRawReply, resetConnection, writeReply } from "./reply.js";
import { ClientGone, type RequestContext } from "./request-context.js";
import type { ServerSettings } from "./settings.js";
import { holdReply } from "./waits.js";

const describeRequest = ({ method, shownTarget }: RequestContext): string =>
  `${method} ${redactAddress(shownTarget)}`;

export class Replies {
  readonly #requestIds: RequestIds;
  #requestCount = 0;
  /** Called when a request that reached no account has been answered. */
  onStray: ((context: RequestContext, status: number | null, errorCode: string | null) => void) | null = null;
  /** Replies that leave together at the end of this tick. */
  #leaving: (() => void)[] = [];

  constructor(
    readonly settings: ServerSettings,
    readonly warn: (message: string) => void,
    /** Distinguishes this run of the sandbox from earlier ones on the same data. */
    runId: string,
    readonly figures: Figures,
  ) {
    this.#requestIds = new RequestIds(settings.seed, runId);
  }

  /** Returns an id for a request that reaches no account. Other requests have ids of their account's sequence. */
  nextRequestId(): string {
    return this.#requestIds.idOf(++this.#requestCount);
  }

  /** Sends the reply once everything that it may reveal is stored, also for reads. */
  finish(context: RequestContext, operation: AnyOperation, answer: Answer<unknown>): void {
    for (const [name, value] of Object.entries(answer.headers)) context.replyHeaders.push(name, value);
    if (!this.settings.validateReplies) return this.#send(context, answer);
    checkReply(operation, answer.status, answer.body, this.settings.assumptions).then(
      () => this.#send(context, answer),
      (error: unknown) => this.refuse(context, error),
    );
  }

  /** Answers with the refusal for an error, or with a 500 that is reported to the operator. */
  refuse(context: RequestContext, error: unknown): void {
    if (error instanceof RequestDropped) return this.#drop(context);
    const refusal = this.#declared(context, error instanceof URIError ? unknownPath(context.path) : error);
    if (refusal instanceof ClientGone) {
      context.response.destroy();
      return;
    }
    const { account } = context;
    if (!account) return this.guard(context, () => this.#writeRefusal(context, refusal));
    this.#whenSafe(context, account, (lost) =>
      this.#writeRefusal(context, lost ? new Refusal("storage_unavailable") : refusal),
    );
  }

  /**
   * Runs the code that writes a reply, often from a callback or a promise that no handler of Express waits for. An
   * error is reported, and the client gets a 500 or a reset connection, while the process continues.
   */
  guard(context: RequestContext, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#warnAbout(context, error);
      const { response } = context;
      if (response.writableEnded) return;
      if (response.headersSent) return resetConnection(response);
      // One of these headers may have caused the failure.
      context.replyHeaders.length = 0;
      context.changedHeaders = null;
      context.fault = null;
      context.decision = null;
      try {
        this.#writeRefusal(context, new Refusal("internal_error"));
      } catch {
        response.destroy();
      }
    }
  }

  /** Resets the connection as if the request had never arrived, apart from its journal entry. */
  #drop(context: RequestContext): void {
    this.#record(context, null, null, null);
    resetConnection(context.response);
  }

  /** Formats the answer to bytes that are not an HTTP request. */
  formatRefusal(refusal: Refusal): string {
    const requestId = this.nextRequestId();
    const { status, contentType, body } = renderError(refusal, requestId, this.settings.assumptions);
    return formatRawReply(status, body, contentType, requestId);
  }

  #send(context: RequestContext, { status, body }: Answer<unknown>): void {
    const write = (lost: unknown) => {
      if (lost) return this.#writeRefusal(context, new Refusal("storage_unavailable"));
      this.#whenReleased(context, this.#status(context, status), body, (sent, text) =>
        context.fault?.reply === "timeout_after"
          ? this.#writeTimeout(context, sent)
          : this.#record(context, sent, null, writeReply(context, sent, text)),
      );
    };
    const { account } = context;
    // An account that was closed during the request has lost its changes: its state is what is on the disk.
    if (account?.closed) write(account);
    else if (account) this.#whenSafe(context, account, write);
    else write(null);
  }

  /** Answers with a 504 to a request that took effect with `status`. */
  #writeTimeout(context: RequestContext, status: number): void {
    const refusal = new Refusal("provider_timeout");
    const error = renderError(refusal, context.requestId, this.#assumptionsFor(context));
    writeReply(context, error.status, error.body, error.contentType);
    this.#record(context, status, null, null);
  }

  /** Writes replies together at the end of the tick: a write between two reads costs more than it saves. */
  #whenSafe(context: RequestContext, { log }: Account, write: (lost: Error | null) => void): void {
    if (!log.safe) return log.whenSafe((lost) => this.guard(context, () => write(lost)));
    if (this.#leaving.length === 0) afterTick(() => this.#sendWaiting());
    this.#leaving.push(() => this.guard(context, () => write(null)));
  }

  #sendWaiting(): void {
    const leaving = this.#leaving;
    this.#leaving = [];
    for (const write of leaving) write();
  }

  /** Returns the status of a success; assumption http.created. */
  #status({ operation }: RequestContext, status: number): number {
    const allOk = this.settings.assumptions["http.created"] === "ok";
    return status === 201 && allOk && operation && isServiceOperation(operation) ? 200 : status;
  }

  #declared(context: RequestContext, error: unknown): Refusal | ClientGone {
    let reason = error;
    const { operation } = context;
    const refusal = toRefusal(error, operation);
    if (refusal instanceof Refusal && refusal.options.failure !== undefined)
      this.warn(`${describeRequest(context)}: ${refusal.options.failure}`);
    if (refusal) {
      if (!operation || refusal instanceof ClientGone || !this.settings.validateReplies) return refusal;
      try {
        checkDeclaredRefusal(operation, refusal.code);
        return refusal;
      } catch (offContract) {
        reason = offContract;
      }
    }
    this.#warnAbout(context, reason);
    return new Refusal("internal_error");
  }

  #warnAbout(context: RequestContext, error: unknown): void {
    const text = error instanceof Error ? error.stack : String(error);
    this.warn(`${describeRequest(context)}: ${text}`);
  }

  #writeRefusal(context: RequestContext, refusal: Refusal): void {
    context.requestId ||= this.nextRequestId();
    const assumptions = this.#assumptionsFor(context);
    const { status, contentType, body } = renderError(refusal, context.requestId, assumptions);
    // A retry can succeed once the store is back, or another replica has taken the account over.
    const retry = refusal.code === "storage_unavailable" ? { "Retry-After": "1" } : {};
    const challenge = status === 401 ? { "WWW-Authenticate": challengeOf(refusal.code) } : {};
    const headers: Record<string, string> = { ...retry, ...challenge, ...refusal.options.headers };
    for (const [name, value] of Object.entries(headers)) context.replyHeaders.push(name, value);
    const seconds = headers["Retry-After"];
    if (context.activity?.call && seconds !== undefined) context.activity.call.retry_after = Number(seconds);
    this.#whenReleased(context, status, body, (sent, text) =>
      this.#record(context, sent, refusal.code, writeReply(context, sent, text, contentType)),
    );
  }

  /** Writes the reply immediately, or once a tester has released it. */
  #whenReleased(
    context: RequestContext,
    status: number,
    body: unknown,
    write: (status: number, body: unknown) => void,
  ): void {
    if (context.fault?.hold !== "reply") return write(status, body);
    void holdReply(context, status, body).then((sent) =>
      this.guard(context, () => write(sent.status, sent.body)),
    );
  }

  /**
   * Returns the assumptions about errors. The control API is not part of the service, so its errors are the same under
   * every assumption.
   */
  #assumptionsFor({ path }: RequestContext): ServerSettings["assumptions"] {
    const { assumptions } = this.settings;
    return isControlPath(path) ? generalDefaults : assumptions;
  }

  #record(
    context: RequestContext,
    status: number | null,
    errorCode: string | null,
    reply: string | null,
  ): void {
    const { account, activity, entry, decision, fault } = context;
    this.figures.answered(context.operation?.id, status);
    if (!account) return this.onStray?.(context, status, errorCode);
    const call = activity?.call;
    if (!call) return;
    call.status = status;
    call.error_code = errorCode;
    call.outcome = decision?.outcome ?? null;
    call.decided_by = decision?.outcome || decision?.error ? decision.by : null;
    call.asked_fault = fault && formatFault(fault);
    call.duration_ms = context.elapsed();
    call.body = shortEnough(context.bodyText);
    call.form = context.operation?.upload ? uploadedFormOf(context.request.body, context.files) : null;
    call.reply = shortEnough(reply);
    account.activities.log.publish(activity);
    if (!entry) return countTexts(call);
    entry.fault = fault && isOnWire(fault) ? call.asked_fault : null;
    if (context.hasCalled) account.coverage.called(entry.operation as string, status, decision);
    account.requests.add(entry);
  }
}

/** Formats the challenge that HTTP requires of a 401 (RFC 9110, 11.6.1). */
const challengeOf = (code: ErrorCode): string =>
  code === "invalid_session_token" || code === "expired_session_token"
    ? `Bearer realm="standin", error="invalid_token"`
    : `ApiKey realm="standin", header="${code === "admin_token_required" ? "X-Sandbox-Admin" : "X-Service-Key"}"`;

// Checks replies against the contract of their operation (option `validateReplies`); a violation is a 500.

class ContractViolation extends Error {}

/** The schema of each reply under the assumptions of each sandbox. */
const inForceOf = new WeakMap<GeneralAssumptions, Map<TSchema, TSchema>>();

function schemaUnder(inForce: GeneralAssumptions, schema: TSchema): TSchema {
  const schemas = inForceOf.get(inForce) ?? new Map<TSchema, TSchema>();
  inForceOf.set(inForce, schemas);
  const known = schemas.get(schema) ?? schemaInForce(schema, inForce);
  schemas.set(schema, known);
  return known;
}

async function checkReply(
  operation: AnyOperation,
  status: number,
  body: unknown,
  inForce: GeneralAssumptions,
): Promise<void> {
  const schema = operation.reply[status];
  if (!schema)
    throw new ContractViolation(
      `${operation.id} answered with ${status}, which its contract does not declare`,
    );
  if (isBinary(schema)) {
    if (!(body instanceof Binary || body instanceof Stream))
      throw new ContractViolation(`${operation.id} answered with JSON instead of a file`);
    return;
  }
  const needed = schemaUnder(inForce, schema);
  const validate = validatorOf(needed) ?? (await compileValidator(needed));
  if (validate(JSON.parse(JSON.stringify(body)))) return;
  const why = detailsOf(validate).map((detail) => detail.message);
  throw new ContractViolation(
    `${operation.id} answered with ${status} and a body that violates its contract: ${why.join(" ")}`,
  );
}

function checkDeclaredRefusal(operation: AnyOperation, code: ErrorCode): void {
  if (!errorCodesOf(operation).includes(code)) {
    throw new ContractViolation(`${operation.id} refused with ${code}, which it does not declare`);
  }
}
