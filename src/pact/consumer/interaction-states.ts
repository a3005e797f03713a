/** Finds the provider states of a consumer test: those that it names, or those that the operation requires. */
import type { AnyOperation } from "../../contract/operation.js";
import { requiredStates } from "../provider-states/required-states.js";
import {
  type ObservedExchange,
  type RequiredState,
  valuesTaken,
} from "../provider-states/state-selectors.js";
import { findProviderState } from "./find-by-name.js";
import { type InteractionOptions, statesIn } from "./interaction-options.js";

/** Throws a RangeError if none are named and no state of the catalogue leads to the answer. */
export function interactionStates(
  operation: AnyOperation,
  options: InteractionOptions,
  exchange: ObservedExchange,
): RequiredState[] {
  const required = requiredStates(operation, exchange);
  if (options.state === undefined) {
    if (required) return required;
    const answer = exchange.code === null ? "gives this answer" : `refuses with ${exchange.code}`;
    throw new RangeError(
      `no known provider state makes sure that ${operation.id} ${answer}: name one with state`,
    );
  }
  const taken = Object.entries(valuesTaken(required ?? []));
  const decides = required?.flatMap((state) => state.decides ?? []) ?? [];
  return statesIn(options).map((named, index) => {
    const { name, params = {} } = typeof named === "string" ? { name: named } : named;
    const state = findProviderState(name);
    const from = Object.fromEntries(taken.filter(([, value]) => value in state.values));
    return { name: state.name, params, from, decides: index === 0 ? decides : [] };
  });
}
