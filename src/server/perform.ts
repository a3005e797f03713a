/**
 * Performs operations: the one way to run them, for requests over HTTP, hosted pages, scenarios and the control API.
 * Refusals come in this order: outcome name, fields, mode and plan, then the handler's (record, state, caps),
 * then an error outcome, then an empty wallet. A service operation runs in one commit, which a refusal takes back.
 */

import { setMaxListeners } from "node:events";
import { controlRoutes } from "../contract/control-routes.js";
import { Refusal, refuse } from "../contract/errors.js";
import { formatNaira } from "../contract/money.js";
import {
  type AnyOperation,
  type CommonOutcome,
  commonOutcomes,
  type Decision,
  isServiceOperation,
  type OperationCall,
} from "../contract/operation.js";
import { defaultOutcome, outcomeHeader, refuseImpossible, requestedOutcome } from "../rules/outcomes.js";
import { planReply, retryAfterOf } from "../rules/plan-reply.js";
import { returnUse, type StoredRule } from "../rules/rules.js";
import type { Account } from "../world/account/account.js";
import { type Activity, countTexts, shortEnough } from "../world/activity/activity.js";
import { freeFirsts } from "../world/records/account-settings.js";
import { checkMode, checkPlan, createHandlerCall, type HandlerCall } from "./handler-call.js";
import {
  compileInput,
  extentFor,
  omitNulls,
  type RawInput,
  type Strictness,
  validateInput,
} from "./input.js";
import type { Quotas } from "./quotas.js";
import { uploadedFormOf } from "./recent-files.js";
import type { RequestContext } from "./request-context.js";
import type { ServerSettings } from "./settings.js";
import { holdRequest, planDelay, planHold } from "./waits.js";

/** Price of a call: an entry of the price list. */
interface Price {
  readonly key: string;
  /** Type of call in usage and pricing. */
  readonly type: string;
  /** In kobo. */
  readonly cost: number;
}

export interface PerformerOptions {
  settings: ServerSettings;
  /** Passed to handlers of the control API, together with the account. */
  sandbox: object;
  /** Limits of the operator. Default: none. */
  quotas?: Quotas | null;
  price(key: string): Price;
}

/** Options of a call that the sandbox itself makes. */
type OwnCall = Partial<OperationCall> & { activity?: Activity };

/** Thrown when a fault drops the request as if it had never arrived. */
export class RequestDropped extends Error {}

export class Performer {
  readonly #stopping = new AbortController();

  constructor(readonly options: PerformerOptions) {
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Ends deliberate delays, so that held replies leave before the server stops. */
  endDelays(): void {
    this.#stopping.abort();
  }

  /** Performs an operation for the sandbox itself: a page, a scenario or the control API. */
  async performOwn(account: Account, operation: AnyOperation, call: OperationCall): Promise<unknown> {
    const { params = {}, query = {}, body = {}, files = {}, outcome } = call;
    const headers = outcome === undefined ? {} : { [outcomeHeader]: outcome };
    const activity = account.activities.ofOwnCall(call.actor, operation);
    if (activity.call) {
      activity.call.body = shortEnough(JSON.stringify({ ...params, ...body }));
      if (operation.upload) activity.call.form = uploadedFormOf({}, files);
    }
    const input = {
      params: { ...params },
      query: { ...query },
      body: { ...body },
      files: { ...files },
      headers,
    };
    try {
      return await this.perform(account, operation, input, null, { ...call, activity });
    } catch (error) {
      if (activity.call && error instanceof Refusal) activity.call.error_code = error.code;
      throw error;
    } finally {
      account.activities.log.publish(activity);
      if (activity.call) countTexts(activity.call);
    }
  }

  /** Performs an operation. The result is a promise only where something has to be waited for. */
  perform(
    account: Account,
    operation: AnyOperation,
    input: RawInput,
    context: RequestContext | null,
    own: OwnCall = {},
  ): unknown {
    const requested = isServiceOperation(operation) ? requestedOutcome(operation, input.headers) : null;
    const run = () => this.#run(account, operation, input, context, own, requested);
    if (context) input.extent = extentFor(context.bodyText);
    const compiling = compileInput(operation, input.extent);
    return compiling ? compiling.then(run) : run();
  }

  #run(
    account: Account,
    operation: AnyOperation,
    input: RawInput,
    context: RequestContext | null,
    own: OwnCall,
    requested: Decision | null,
  ): unknown {
    const activity = own.activity ?? context?.activity ?? null;
    if (operation.body && this.#ignoresNulls(operation)) input.body = omitNulls(operation.body, input.body);
    validateInput(operation, input, context ? this.#strictness(operation) : "nowhere");
    if (!own.setsUp) checkMode(account, operation);
    checkPlan(account, operation);
    refuseImpossible(operation, requested, input);
    const call = createHandlerCall(account, operation, input, context, this.options);
    call.activity = activity;
    if (!isServiceOperation(operation))
      return account.activities.within(activity, () => operation.handle(call as never));
    const path = context?.path ?? "";
    const { decision, fault, rule, unevaluatedRules, returnable } = planReply(
      account,
      operation,
      {
        path,
        params: input.params,
        query: input.query,
        headers: input.headers,
        body: input.body,
        files: input.files,
      },
      { requested, onWire: context !== null },
    );
    call.outcome = decision.outcome;
    call.decision = decision;
    if (activity?.call) activity.call.rule = rule;
    let pause: (() => Promise<void>) | null = null;
    let hold: ((result: unknown) => Promise<void>) | null = null;
    if (context) {
      context.decision = decision;
      context.fault = fault;
      context.stopping = this.#stopping.signal;
      if (unevaluatedRules !== null) context.replyHeaders.push("X-Sandbox-Rules", unevaluatedRules);
      if (fault || this.options.settings.latency === "documented")
        pause = planDelay(operation, call, context);
      if (fault?.reply === "reset_before") return drop(pause);
      if (fault) hold = planHold(call, context);
    }
    const run = () => {
      const result = this.#prepareAndCommit(operation, call, decision, own, pause);
      return hold ? resultAfter(hold, result) : result;
    };
    if (context && fault?.hold === "request") {
      const held = this.#whenReleased(operation, call, context).then(run);
      return returnable ? orReturnUse(account, returnable, () => held) : held;
    }
    return returnable ? orReturnUse(account, returnable, run) : run();
  }

  /** Waits until a tester releases the request, and takes over the body if it was changed. */
  async #whenReleased(operation: AnyOperation, call: HandlerCall, context: RequestContext): Promise<void> {
    const released = await holdRequest(context, call.account, call.body);
    if (released === null) throw new RequestDropped();
    if (released.body === undefined) return;
    call.body =
      this.#ignoresNulls(operation) && operation.body
        ? omitNulls(operation.body, released.body)
        : released.body;
    validateInput(operation, call, this.#strictness(operation));
  }

  #prepareAndCommit(
    operation: AnyOperation,
    call: HandlerCall,
    decision: Decision,
    own: OwnCall,
    pause: (() => Promise<void>) | null,
  ): unknown {
    const { account, activity } = call;
    const commit = () =>
      account.activities.within(activity, () => this.#commit(operation, call, decision, own));
    const preparing = operation.prepare?.(call as never);
    if (!(preparing instanceof Promise) && !pause) {
      call.prepared = preparing;
      return commit();
    }
    return Promise.resolve(preparing).then(async (prepared) => {
      call.prepared = prepared;
      await pause?.();
      return commit();
    });
  }

  /** Unknown query parameters are always refused by the control API, where a typing error could empty an account. */
  #strictness(operation: AnyOperation): Strictness {
    if (!isServiceOperation(operation)) return "query";
    return this.options.settings.assumptions["fields.unmarked"] === "refused" ? "everywhere" : "nowhere";
  }

  #ignoresNulls(operation: AnyOperation): boolean {
    const { assumptions } = this.options.settings;
    return isServiceOperation(operation) && assumptions["fields.null"] === "omitted";
  }

  /**
   * Runs the handler in a commit. It runs before an error outcome or an empty wallet refuses, since its own refusals
   * come first; the refusal then takes back what it changed.
   */
  #commit(operation: AnyOperation, call: HandlerCall, decision: Decision, own: OwnCall): unknown {
    const { account, activity } = call;
    const failure = failureOf(decision);
    const price = this.#priceOf(operation, call, own.priceKey);
    const { quotas } = this.options;
    const recordsBefore = quotas ? account.state.recordCount : 0;
    const result = account.commit(own.actor ?? "api", () => {
      const cost = price === null || isFree(account, operation, price) ? 0 : price.cost;
      const paid = price === null || account.wallet.charge(price.type, cost);
      if (failure !== null) call.outcome = defaultOutcome(operation);
      call.cost = cost;
      const result = operation.handle(call as never);
      if (failure !== null) {
        const { code, retryAfter } = failure;
        const kind = decision.error ? "error" : "outcome";
        refuse(code, {
          byOutcome: true,
          message: `This is the ${kind} ${code}, requested by ${decision.by}.`,
          ...(retryAfter === null ? {} : { headers: { "Retry-After": String(retryAfter) } }),
        });
      }
      if (!paid) {
        const message = `The call costs ${formatNaira(cost)} and the wallet has ${formatNaira(account.wallet.balance + cost)}; top it up with ${controlRoutes.updateAccount} {"balance": 1000000}.`;
        refuse("insufficient_balance", { message });
      }
      quotas?.checkRecords(account, recordsBefore);
      return result;
    });
    if (activity?.call) activity.call.cost = call.cost;
    return result;
  }

  #priceOf({ price }: AnyOperation, call: HandlerCall, priceKey: string | undefined): Price | null {
    const key = typeof price === "function" ? price(call) : price;
    return key === undefined || key === null ? null : this.options.price(priceKey ?? key);
  }
}

/** Runs a request whose outcome a rule decided. If anything else refuses it, the rule's use is returned. */
function orReturnUse(account: Account, rule: StoredRule, run: () => unknown): unknown {
  const giveBack = (error: unknown): never => {
    if (!(error instanceof Refusal && error.options.byOutcome)) returnUse(account, rule);
    throw error;
  };
  try {
    const result = run();
    return result instanceof Promise ? result.catch(giveBack) : result;
  } catch (error) {
    return giveBack(error);
  }
}

async function resultAfter(hold: (result: unknown) => Promise<void>, result: unknown): Promise<unknown> {
  const performed = await result;
  await hold(performed);
  return performed;
}

async function drop(pause: (() => Promise<void>) | null): Promise<never> {
  await pause?.();
  throw new RequestDropped();
}

const isCommon = (outcome: string | null): outcome is CommonOutcome =>
  outcome !== null && Object.hasOwn(commonOutcomes, outcome);

/** Returns the refusal that the decision asks for, or null. */
function failureOf({ outcome, error }: Decision): NonNullable<Decision["error"]> | null {
  if (error) return error;
  if (!isCommon(outcome)) return null;
  return { code: outcome, retryAfter: retryAfterOf(outcome) };
}

/** Takes what makes the call free: a call of the month's free tier, or the account's first at this price. */
function isFree(account: Account, operation: AnyOperation, { key }: Price): boolean {
  if (operation.freeTier) return account.freeTier.take();
  if (!operation.freeFirst?.includes(key) || account.state.has(freeFirsts, key)) return false;
  account.state.put(freeFirsts, key, { at: account.clock.iso() });
  return true;
}
