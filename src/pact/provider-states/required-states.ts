/** Finds the provider states that an exchange requires: what its operation says of them, and what every refusal adds. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import type { AnyOperation } from "../../contract/operation.js";
import type { ObservedExchange, RequiredState, StateSelector } from "../../contract/required-state.js";
import { outcomesOf } from "../../rules/outcomes.js";
import type { ProviderStateName } from "./provider-states.js";

const requiresNothing: StateSelector = () => [];

const requires = (name: ProviderStateName, params: RequiredState["params"]): RequiredState[] => [
  { name, params, from: {} },
];

/** Refusals that a new account gets, by code. */
const ofNewAccounts: ReadonlySet<ErrorCode> = new Set([
  "resource_not_found",
  "business_profile_required",
  "payout_account_required",
  "test_mode_only",
]);

/** States that a refusal requires beside those of the operation; it precedes the outcome. */
const addedByCode: Readonly<Record<string, RequiredState[]>> = {
  insufficient_balance: requires("an empty wallet", {}),
  plan_required: requires("a plan", { plan: "starter" }),
} satisfies Partial<Record<ErrorCode, RequiredState[]>>;

function selectorOfCode({ refusalRequires, requires }: AnyOperation, code: ErrorCode): StateSelector {
  const own = refusalRequires?.[code];
  if (own) return own;
  if (ofNewAccounts.has(code)) return requiresNothing;
  // An invalid request is refused in every state.
  return "validation" in errors[code] ? (requires ?? requiresNothing) : () => null;
}

/** Returns null if no provider state leads to the exchange. */
export function requiredStates(operation: AnyOperation, exchange: ObservedExchange): RequiredState[] | null {
  const { id, requires: ofOperation = requiresNothing, afterFreeCall = [] } = operation;
  const { code, outcome } = exchange;
  const withOthers = (others: readonly RequiredState[]) => {
    const states = ofOperation(exchange);
    return states && [...states, ...others];
  };
  const added = addedByCode[code ?? ""];
  if (added) return withOthers([...(code === "insufficient_balance" ? afterFreeCall : []), ...added]);
  if (outcome !== null) {
    const isKnown = outcome in outcomesOf(operation);
    return isKnown ? withOthers(requires("an outcome", { operation: id, outcome })) : null;
  }
  return code === null ? ofOperation(exchange) : selectorOfCode(operation, code as ErrorCode)(exchange);
}

/** Returns the parts of the request that take a value of any of the states. */
export const valuesTaken = (states: readonly RequiredState[]): RequiredState["from"] =>
  Object.assign({}, ...states.map(({ from }) => from));

/** Returns the JSON paths of the reply's fields that any of the states decides. */
export const pathsDecided = (states: readonly RequiredState[]): string[] =>
  states.flatMap(({ decides = [] }) => decides.map((name) => `$.${name}`));
