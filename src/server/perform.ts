/**
 * Performs operations: the one way to run them, for requests over HTTP, hosted pages, scenarios and the control API.
 * Refusals come in this order: outcome name, fields, mode and plan, then the handler's (record, state, caps), then an
 * error outcome, then an empty wallet. A service operation runs in one commit, which a refusal undoes.
 */

import { setMaxListeners } from "node:events";
import type { GeneralAssumptions } from "../contract/assumptions/general.js";
import { controlRoutes } from "../contract/control-routes.js";
import { Refusal, refuse } from "../contract/errors.js";
import { formatNaira } from "../contract/money.js";
import {
  type AnyOperation,
  type Client,
  type CommonOutcome,
  commonOutcomes,
  type Decision,
  isServiceOperation,
  type OperationCall,
  type Plan,
} from "../contract/operation.js";
import { defaultOutcome, outcomeHeader, refuseImpossible, requestedOutcome } from "../rules/outcomes.js";
import { planReply, type ReplyPlan, retryAfterOf } from "../rules/plan-reply.js";
import { returnUse } from "../rules/rules.js";
import type { Account } from "../world/account/account.js";
import { type Activity, countTexts, shortEnough } from "../world/activity/activity.js";
import { freeFirsts } from "../world/records/account-settings.js";
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
  /** Price in kobo. */
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

/** The client of a call made by the sandbox itself: it never hangs up. */
const ownClient: Client = {
  get gone() {
    return new AbortController().signal;
  },
};

/** The call that an operation's handler receives. All operations share one class, which V8 can optimize. */
class HandlerCall implements RawInput {
  readonly params: RawInput["params"];
  readonly query: RawInput["query"];
  body: RawInput["body"];
  readonly files: RawInput["files"];
  readonly extent: RawInput["extent"];
  readonly headers: RawInput["headers"];
  readonly sandbox: object | null;
  readonly settings: ServerSettings;
  readonly assumptions: GeneralAssumptions;
  readonly client: Client;
  readonly baseUrl: string;
  readonly refuse = refuse;
  outcome: string | null = null;
  decision: Decision | null = null;
  /** Price of the call in kobo. */
  cost = 0;
  prepared: unknown = undefined;

  constructor(
    readonly account: Account,
    operation: AnyOperation,
    input: RawInput,
    context: RequestContext | null,
    readonly activity: Activity | null,
    { settings, sandbox }: PerformerOptions,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.files = input.files;
    this.extent = input.extent;
    this.headers = input.headers;
    this.sandbox = isServiceOperation(operation) ? null : sandbox;
    this.settings = settings;
    this.assumptions = settings.assumptions;
    this.client = context ?? ownClient;
    this.baseUrl = account.baseUrl;
  }
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

  /** Performs an operation. Between the plan of its reply and its commit, it waits only if its plan or its preparation does. */
  async perform(
    account: Account,
    operation: AnyOperation,
    input: RawInput,
    context: RequestContext | null,
    own: OwnCall = {},
  ): Promise<unknown> {
    const requested = isServiceOperation(operation) ? requestedOutcome(operation, input.headers) : null;
    if (context) input.extent = extentFor(context.bodyText);
    const activity = own.activity ?? context?.activity ?? null;
    if (operation.body && this.#ignoresNulls(operation)) input.body = omitNulls(operation.body, input.body);
    const compiling = compileInput(operation, input.extent);
    if (compiling) await compiling;
    validateInput(operation, input, context ? this.#strictness(operation) : "nowhere");
    if (!own.setsUp) checkMode(account, operation);
    checkPlan(account, operation);
    refuseImpossible(operation, requested, input);
    const call = new HandlerCall(account, operation, input, context, activity, this.options);
    if (!isServiceOperation(operation))
      return account.activities.within(activity, () => operation.handle(call as never));
    const { params, query, headers, body, files } = input;
    const plan = planReply(
      account,
      operation,
      { path: context?.path ?? "", params, query, headers, body, files },
      { requested, onWire: context !== null },
    );
    call.outcome = plan.decision.outcome;
    call.decision = plan.decision;
    if (activity?.call) activity.call.rule = plan.rule;
    const pause = context && this.#planWaits(operation, call, context, plan);
    if (plan.fault?.reply === "reset_before") {
      await pause?.();
      throw new RequestDropped();
    }
    try {
      if (context && plan.fault?.hold === "request") await this.#whenReleased(operation, call, context);
      const hold = context && planHold(context, account);
      const prepared = operation.prepare?.(call as never);
      call.prepared = prepared instanceof Promise ? await prepared : prepared;
      if (pause) await pause();
      const result = account.activities.within(activity, () =>
        this.#commit(operation, call, plan.decision, own),
      );
      if (hold) await hold(result);
      return result;
    } catch (error) {
      // A use of a rule is returned if the request was refused for another reason than the rule's outcome.
      const isByRule = error instanceof Refusal && error.options.byOutcome;
      if (!isByRule) for (const rule of plan.returnable) returnUse(account, rule);
      throw error;
    }
  }

  /** Records the plan of a reply in the request's context. Returns its delay, or null for none. */
  #planWaits(
    operation: AnyOperation,
    call: HandlerCall,
    context: RequestContext,
    { decision, fault, unevaluatedRules }: ReplyPlan,
  ): (() => Promise<void>) | null {
    context.decision = decision;
    context.fault = fault;
    context.stopping = this.#stopping.signal;
    if (unevaluatedRules !== null) context.replyHeaders.push("X-Sandbox-Rules", unevaluatedRules);
    const { latency = null } = operation;
    const documented = () => (typeof latency === "function" ? latency(call) : latency);
    return planDelay(context, call.account, call.settings.latency, documented);
  }

  /** Waits until a tester releases the request, and uses the body as the tester may have changed it. */
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

  /**
   * Returns where unknown fields are refused. The control API always refuses unknown query parameters, because a typing
   * error could empty an account.
   */
  #strictness(operation: AnyOperation): Strictness {
    if (!isServiceOperation(operation)) return "query";
    return this.options.settings.assumptions["fields.unmarked"] === "refused" ? "everywhere" : "nowhere";
  }

  #ignoresNulls(operation: AnyOperation): boolean {
    const { assumptions } = this.options.settings;
    return isServiceOperation(operation) && assumptions["fields.null"] === "omitted";
  }

  /**
   * Runs the handler in a commit. It runs before an error outcome or an empty wallet refuses the call, because its own
   * refusals come first; such a refusal then undoes its changes.
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

const isCommon = (outcome: string | null): outcome is CommonOutcome =>
  outcome !== null && Object.hasOwn(commonOutcomes, outcome);

/** Returns the refusal that the decision asks for, or null. */
function failureOf({ outcome, error }: Decision): NonNullable<Decision["error"]> | null {
  if (error) return error;
  if (!isCommon(outcome)) return null;
  return { code: outcome, retryAfter: retryAfterOf(outcome) };
}

/**
 * Uses a free call if there is one, of the month's free tier or the account's first at this price. Returns whether
 * there was one.
 */
function isFree(account: Account, operation: AnyOperation, { key }: Price): boolean {
  if (operation.freeTier) return account.freeTier.take();
  if (!operation.freeFirst?.includes(key) || account.state.has(freeFirsts, key)) return false;
  account.state.put(freeFirsts, key, { at: account.clock.iso() });
  return true;
}

const planRank: Readonly<Record<Plan, number>> = { starter: 0, growth: 1, business: 2 };

function checkMode(account: Account, operation: AnyOperation): void {
  if (operation.testModeOnly && account.live) {
    refuse("test_mode_only", {
      message: `${operation.id} has no effect on live accounts; call it with a test key.`,
    });
  }
}

function checkPlan(account: Account, operation: AnyOperation): void {
  if (!operation.plan) return;
  const { plan } = account.settings;
  if (planRank[plan] >= planRank[operation.plan]) return;
  const message = `The account's plan is ${plan}; this operation needs ${operation.plan} or above.`;
  refuse("plan_required", { message, extra: { required_plan: operation.plan } });
}
