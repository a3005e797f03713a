/** Which outcome a request gets. First hit wins: header, rule, test value, default. */
import { refuse } from "../contract/errors.js";
import { commonOutcomes, type Decision, type Operation, type UploadedFile } from "../contract/operation.js";
import type { Account } from "../world/account.js";
import { matchingRule } from "./rules.js";

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
export const outcomesOf = (operation: Pick<Operation<never>, "outcomes">): Record<string, string> => ({
  ...operation.outcomes,
  ...commonOutcomes,
});

const defaults = new WeakMap<object, string | null>();

/** The first outcome that the operation declares. */
export function defaultOutcome(operation: Operation<never>): string | null {
  let outcome = defaults.get(operation);
  if (outcome === undefined) {
    outcome = Object.keys(operation.outcomes)[0] ?? null;
    defaults.set(operation, outcome);
  }
  return outcome;
}

/** The outcome that the request header names; a name that the operation does not have is refused. */
export function requestedOutcome(operation: Operation<never>, headers: Input["headers"]): Decision | null {
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

/** What decides when no header does. A rule that hits has its use counted at once. */
export function decideOutcome(account: Account, operation: Operation<never>, input: Input): Decision {
  const rule = matchingRule(account, operation.id, input);
  if (rule) return { outcome: rule.outcome, by: "rule" };
  const { params, query, body, files } = input;
  const value = operation.testValue?.({ account, params, query, body, files });
  if (value !== undefined) return { outcome: value, by: "test-value" };
  return { outcome: defaultOutcome(operation), by: "default" };
}

export const sayDecision = ({ outcome, by }: Decision): string => `${outcome ?? "none"}; by=${by}`;
