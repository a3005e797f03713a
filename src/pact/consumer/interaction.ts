/** Builds the request and response of an operation for a consumer test, with matchers from the contract. */
import { type AnyOperation, methodOf } from "../../contract/operation.js";
import { outcomesOf } from "../../rules/outcomes.js";
import type { JsonOperationId } from "../../service/index.js";
import { describeExchange } from "../export/interaction-descriptions.js";
import type { ObservedExchange, RequiredState } from "../provider-states/required-states.js";
import { requiredStates, valuesTaken } from "../provider-states/required-states.js";
import { addToPact, type InteractionParts, type PactBuilder } from "./add-to-pact.js";
import { checkRefusal, checkRefusedRequest } from "./check-refusal.js";
import { expectedRefusal, expectedSuccess } from "./expected-response.js";
import { findProviderState, requireOperation } from "./find-by-name.js";
import { checkInteractionOptions, type InteractionOptions, statesIn } from "./interaction-options.js";
import {
  bodyTemplate,
  exampleBody,
  exampleQuery,
  headersTemplate,
  pathTemplate,
  queryTemplate,
} from "./request-template.js";

export interface ConsumerInteraction extends InteractionParts {
  /** Adds the interaction to a PactV4; call `executeTest` on the result. */
  onPact<Done>(pact: PactBuilder<Done>): Done;
}

/**
 * Returns an interaction with an operation, ready to be added to a pact. Throws a RangeError if a name does not exist,
 * suggesting the nearest; if a value is one that the service neither accepts nor sends; or if nothing in the request or
 * its states would bring the refusal about.
 *
 * @example
 *     await interaction("createPayout", { body: { amount: 7_000 }, reply: { id: "po_1" } })
 *       .onPact(pact)
 *       .executeTest(({ url }) => new Shop(url).payOut(7_000));
 */
export function interaction(name: JsonOperationId, options: InteractionOptions = {}): ConsumerInteraction {
  const operation = requireOperation(name);
  checkInteractionOptions(operation, options);
  const { refused } = options;
  if (refused !== undefined) checkRefusal(operation, refused);
  const expected = refused === undefined ? expectedSuccess(operation, options) : expectedRefusal(refused);
  const body = exampleBody(operation, options);
  const query = exampleQuery(operation, options);
  if (refused !== undefined) checkRefusedRequest(operation, refused, options, body);
  const exchange: ObservedExchange = {
    status: expected.status,
    code: refused ?? null,
    outcome: refused !== undefined && refused in outcomesOf(operation) ? refused : null,
    body: body ?? {},
    query,
    reply: expected.example,
    again: false,
  };
  const states = interactionStates(operation, options, exchange);
  const from = valuesTaken(states);
  const parts: InteractionParts = {
    description: options.description ?? describe(operation, options, exchange, states),
    states: states.map((state) => ({ name: state.name, params: state.params })),
    request: {
      method: methodOf(operation),
      path: pathTemplate(operation, options, from),
      query: queryTemplate(query, from),
      headers: headersTemplate(operation, options),
      body: bodyTemplate(operation, body, options, from),
    },
    response: { status: expected.status, body: expected.body(states) },
  };
  return { ...parts, onPact: <Done>(pact: PactBuilder<Done>) => addToPact(pact, parts) };
}

/** Mentions empty lists: Pact drops all but the last interaction without states of one description. */
function describe(
  operation: AnyOperation,
  { reply }: InteractionOptions,
  exchange: ObservedExchange,
  states: readonly RequiredState[],
): string {
  const description = describeExchange(operation, { ...exchange, reply: reply ?? null }, states);
  const lists = Array.isArray(reply) ? [["entries", reply]] : Object.entries(reply ?? {});
  const empty = lists.filter(([, list]) => Array.isArray(list) && list.length === 0);
  return empty.length > 0
    ? `${description} with no ${empty.map(([name]) => name).join(" and ")}`
    : description;
}

/**
 * Returns the provider states that the options name, or those that the operation requires. Throws a RangeError if none are
 * named and no state of the catalogue leads to the answer.
 */
function interactionStates(
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
