/** Plans the outcome of a request, and the deliveries of an event, by the account's rules. */

import { type ErrorCode, errors } from "../contract/errors.js";
import type { AnyOperation, Decision } from "../contract/operation.js";
import { parseDuration } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { DeliveryTarget } from "../world/webhooks/delivery.js";
import type { DeliveryPlan, SentEvent } from "../world/webhooks/outbox.js";
import { isOnWire, type PlannedFault, type WebhookFaults } from "./faults.js";
import { defaultOutcome, describeImpossible, type Input } from "./outcomes.js";
import { everyOperation, everyWebhook } from "./rule-input.js";
import { countUse, hasRules, matchingRules, RuleEvaluation, type StoredRule } from "./rules.js";

export interface ReplyPlan {
  decision: Decision;
  /** Fault of the reply, with the error if a rule decided on one. */
  fault: PlannedFault | null;
  /** Id of the first rule that decided on the outcome or the fault, or null. */
  rule: string | null;
  /** Rules that could not be evaluated, as the reply's header shows them. Null when all could. */
  unevaluatedRules: string | null;
  /**
   * The rules that decided the outcome and did nothing else, as they were before this use. Their uses are returned if the
   * request is refused for another reason.
   */
  returnable: readonly StoredRule[];
}

interface ReplyPlanOptions {
  /** Outcome that the request header names. */
  requested?: Decision | null;
  /** Whether a client waits on a connection. If not, faults of the connection are left to later requests. Default true. */
  onWire?: boolean;
}

/** Decides on the outcome and the fault of a request. */
export function planReply(
  account: Account,
  operation: AnyOperation,
  input: Input,
  { requested = null, onWire = true }: ReplyPlanOptions = {},
): ReplyPlan {
  const found = applyRules(account, operation, input, requested !== null, onWire);
  return { ...found, decision: requested ?? found.decision ?? decideByInput(account, operation, input) };
}

type RuleEffects = Omit<ReplyPlan, "decision"> & { decision: Decision | null };
const noEffects: RuleEffects = {
  decision: null,
  fault: null,
  rule: null,
  unevaluatedRules: null,
  returnable: [],
};

function applyRules(
  account: Account,
  operation: AnyOperation,
  input: Input,
  isRequested: boolean,
  onWire: boolean,
): RuleEffects {
  if (!hasRules(account)) return noEffects;
  const evaluation = new RuleEvaluation();
  const on = [operation.id, everyOperation];
  let decision: Decision | null = null;
  let wire: PlannedFault | null = null;
  let used: string | null = null;
  const returnable: StoredRule[] = [];
  const apply = (rule: StoredRule, decides: Decision | null): void => {
    const breaks = wire || !onWire ? null : wireFault(rule);
    if (!decides && !breaks) return;
    countUse(account, rule);
    used ??= rule.id;
    if (decides && !breaks) returnable.push(rule);
    decision = decides ?? decision;
    wire ??= breaks;
  };
  const looksAtOutcome = ({ when }: StoredRule): boolean => when.outcome !== undefined;
  const isPlain = (rule: StoredRule): boolean => !looksAtOutcome(rule);
  for (const rule of matchingRules(account, on, input, evaluation, isPlain))
    apply(rule, isRequested || decision ? null : decisionOf(rule, operation, input));
  const decided: Decision | null = decision;
  const parts = {
    ...input,
    get outcome() {
      return (decided ?? decideByInput(account, operation, input)).outcome;
    },
  };
  let isOverruled = isRequested;
  for (const rule of matchingRules(account, on, parts, evaluation, looksAtOutcome)) {
    const decides = isOverruled ? null : decisionOf(rule, operation, input);
    isOverruled ||= decides !== null;
    apply(rule, decides);
  }
  const fault = wholeFault(wire, decision);
  return { decision, fault, rule: used, unevaluatedRules: evaluation.format(), returnable };
}

/**
 * Combines the fault of the connection with the error that is sent, which may overrule the error of the fault's own
 * rule.
 */
function wholeFault(wire: PlannedFault | null, decision: Decision | null): PlannedFault | null {
  const { error: _overruled, ...others } = wire ?? {};
  const error = decision?.error?.code;
  if (error !== undefined) return { ...others, error };
  return wire && others;
}

/** Returns what the rule decides, or null. An error counts as an outcome of that name. */
function decisionOf({ outcome, fault }: StoredRule, operation: AnyOperation, input: Input): Decision | null {
  if (fault?.error !== undefined) {
    const code = fault.error as ErrorCode;
    return {
      outcome: code,
      by: "rule",
      error: { code, retryAfter: fault.retry_after ?? retryAfterOf(code) },
    };
  }
  if (outcome === undefined || describeImpossible(operation, outcome, input) !== undefined) return null;
  return { outcome, by: "rule" };
}

/** Returns the default Retry-After of an error in seconds, or null. */
export const retryAfterOf = (code: ErrorCode): number | null => (errors[code].status === 429 ? 60 : null);

function wireFault({ fault, hold }: StoredRule): PlannedFault | null {
  const planned = hold === undefined || hold === "webhook" ? fault : { ...fault, hold };
  return planned && isOnWire(planned) ? planned : null;
}

function decideByInput(account: Account, operation: AnyOperation, input: Input): Decision {
  const { params, query, body, files } = input;
  const value = operation.testValue?.({ account, params, query, body, files });
  if (value !== undefined && describeImpossible(operation, value, input) === undefined)
    return { outcome: value, by: "test-value" };
  return { outcome: defaultOutcome(operation), by: "default" };
}

/** Plans the deliveries of an event, inside the commit in which it happens. Returns null if no rule matches. */
export function planDelivery(
  account: Account,
  sent: SentEvent,
  { url }: DeliveryTarget,
): DeliveryPlan | null {
  const { event, data } = sent;
  for (const rule of matchingRules(account, [event, everyWebhook], { event, data, url })) {
    if (!rule.webhook && !rule.hold) continue;
    countUse(account, rule);
    const {
      delay,
      duplicate = 0,
      reorder = false,
      drop = false,
      tamper = null,
      set = null,
      earlier = null,
      lose_answer: loseAnswer = false,
      cut_off: cutOff = false,
    } = rule.webhook ?? {};
    const hold = rule.hold === "webhook";
    return {
      rule: rule.id,
      copies: duplicate,
      delay: drawDelay(account, delay),
      reorder,
      drop,
      tamper,
      set,
      earlier,
      loseAnswer,
      cutOff,
      hold,
    };
  }
  return null;
}

function drawDelay(account: Account, delay: WebhookFaults["delay"]): number {
  if (delay === undefined) return 0;
  if (typeof delay === "string") return parseDuration(delay) as number;
  return account.random.integer(parseDuration(delay.min) as number, parseDuration(delay.max) as number);
}
