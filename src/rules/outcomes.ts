/** Which outcome a request gets. First hit wins: header, rule, test value, default. What goes wrong on the wire comes from rules alone. */

import { commonOutcomes, type Decision } from "../contract/decision.js";
import { type ErrorCode, errors, refuse } from "../contract/errors.js";
import type { AnyOperation } from "../contract/operation.js";
import type { UploadedFile } from "../contract/upload.js";
import type { Account } from "../world/account.js";
import { type Fault, isOnWire } from "./faults.js";
import { Patience } from "./patience.js";
import { hasRules, matchingRules, type Rule, use } from "./rules.js";

export interface Input {
  path: string;
  params: unknown;
  query: Record<string, unknown>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
  files: Readonly<Record<string, UploadedFile>>;
}

export const outcomeHeader = "x-sandbox-outcome";

/** Every outcome of an operation, its own before the common ones. */
export const outcomesOf = (operation: Pick<AnyOperation, "outcomes">): Record<string, string> => ({
  ...operation.outcomes,
  ...commonOutcomes,
});

const defaults = new WeakMap<object, string | null>();

/** The first outcome that the operation declares. */
export function defaultOutcome(operation: AnyOperation): string | null {
  let outcome = defaults.get(operation);
  if (outcome === undefined) {
    outcome = Object.keys(operation.outcomes)[0] ?? null;
    defaults.set(operation, outcome);
  }
  return outcome;
}

/** The outcome that the request header names; a name that the operation does not have is refused. */
export function requestedOutcome(operation: AnyOperation, headers: Input["headers"]): Decision | null {
  const header = headers[outcomeHeader];
  if (header === undefined) return null;
  const outcome = String(header).trim();
  const known = Object.keys(outcomesOf(operation));
  if (!known.includes(outcome)) {
    const message = `${operation.id} has no outcome ${JSON.stringify(outcome)}; it has ${known.join(", ")}.`;
    refuse("unknown_outcome", { param: "X-Sandbox-Outcome", message });
  }
  return { outcome, by: "header" };
}

export interface ReplyPlan {
  decision: Decision;
  /** With the error that a rule decided on. */
  fault: Fault | null;
  /** Which rules could not be judged; null: all could. */
  unjudged: string | null;
}

export interface ReplyPlanOptions {
  /** What the header decided. */
  asked?: Decision | null;
  /** False: no client waits on a connection, and what would go wrong there is kept for one that does. Default true. */
  onWire?: boolean;
}

/** What rules, test values and defaults decide, and what goes wrong. */
export function planReply(
  account: Account,
  operation: AnyOperation,
  input: Input,
  { asked = null, onWire = true }: ReplyPlanOptions = {},
): ReplyPlan {
  const found = findRules(account, operation, input, asked !== null, onWire);
  return {
    decision: asked ?? found.decision ?? decideByInput(account, operation, input),
    fault: found.fault,
    unjudged: found.unjudged,
  };
}

/** What `on` of a rule names for every operation. */
export const everyOperation = "*";

type Found = Omit<ReplyPlan, "decision"> & { decision: Decision | null };
const nothing: Found = { decision: null, fault: null, unjudged: null };

function findRules(
  account: Account,
  { id }: AnyOperation,
  input: Input,
  asked: boolean,
  onWire: boolean,
): Found {
  if (!hasRules(account)) return nothing;
  const patience = new Patience();
  let decision: Decision | null = null;
  let wire: Fault | null = null;
  for (const rule of matchingRules(account, [id, everyOperation], input, patience)) {
    const decides: Decision | null = asked || decision ? null : decisionOf(rule);
    const breaks: Fault | null = wire || !onWire ? null : wireFault(rule);
    if (!decides && !breaks) continue;
    use(account, rule);
    decision ??= decides;
    wire ??= breaks;
  }
  return { decision, fault: wholeFault(wire, decision), unjudged: patience.say() };
}

/** What goes wrong on the wire, with the error that is answered: an error that something else came before is none. */
function wholeFault(wire: Fault | null, decision: Decision | null): Fault | null {
  const { error: _notAnswered, ...others } = wire ?? {};
  const error = decision?.error?.code;
  if (error !== undefined) return { ...others, error };
  return wire && others;
}

/** An error that is an outcome of every operation is said as such. */
function decisionOf({ outcome, fault }: Rule): Decision | null {
  if (fault?.error !== undefined) {
    const code = fault.error as ErrorCode;
    return {
      outcome: code,
      by: "rule",
      error: { code, retryAfter: fault.retry_after ?? retryAfterOf(code) },
    };
  }
  return outcome === undefined ? null : { outcome, by: "rule" };
}

/** Seconds after which a client that was told to slow down may try again. */
export const retryAfterOf = (code: ErrorCode): number | null => (errors[code].status === 429 ? 60 : null);

const wireFault = ({ fault }: Rule): Fault | null => (fault && isOnWire(fault) ? fault : null);

function decideByInput(account: Account, operation: AnyOperation, input: Input): Decision {
  const { params, query, body, files } = input;
  const value = operation.testValue?.({ account, params, query, body, files });
  if (value !== undefined) return { outcome: value, by: "test-value" };
  return { outcome: defaultOutcome(operation), by: "default" };
}

export const formatDecision = ({ outcome, by }: Decision): string => `${outcome ?? "none"}; by=${by}`;
