/** A consumer test in three lines: request and reply of an operation with the matchers that its contract asks for. */
import { type AnyOperation, methodOf } from "../../contract/operation.js";
import { outcomesOf } from "../../rules/outcomes.js";
import { say } from "../export/interaction-descriptions.js";
import type { Need, Seen } from "../provider-states/state-selectors.js";
import { type OnPact, type PactBuilder, putOn } from "./add-to-pact.js";
import type { MatcherObject } from "./body-template.js";
import { checkReason, checkRefusal } from "./check-refusal.js";
import { refusalOf, successOf } from "./expected-response.js";
import { operationCalled } from "./find-by-name.js";
import { checkOptions, type InteractionOptions } from "./interaction-options.js";
import { needsFor } from "./interaction-states.js";
import type { OperationName } from "./operation-names.js";
import { bodyOf, headersFor, matchedBody, matchedQuery, pathFor, queryOf } from "./request-template.js";

type Fields = Readonly<Record<string, unknown>>;

export interface ConsumerInteraction extends OnPact {
  description: string;
  states: { name: string; params: Fields }[];
  request: {
    method: string;
    path: string | MatcherObject;
    query: Readonly<Record<string, string | MatcherObject>>;
    headers: Readonly<Record<string, string | MatcherObject>>;
    /** With matchers in it; null: none is sent. */
    body: unknown;
  };
  response: { status: number; body: unknown };
}

/**
 * Request and reply of an operation, as a consumer test of Pact states them. Throws a RangeError that names the nearest
 * right name when an operation, option, state, parameter, field, choice or error code does not exist, and what would be
 * right where a value is one that the service neither takes nor sends, or where nothing said brings the refusal about.
 */
export function interaction(name: OperationName, options: InteractionOptions = {}): ConsumerInteraction {
  const operation = operationCalled(name);
  checkOptions(operation, options);
  const { refused } = options;
  if (refused !== undefined) checkRefusal(operation, refused);
  const expected = refused === undefined ? successOf(operation, options) : refusalOf(refused);
  const sent = bodyOf(operation, options);
  const query = queryOf(operation, options);
  if (refused !== undefined) checkReason(operation, refused, options, sent);
  const seen = toSeen(operation, options, { ...expected, query, body: sent ?? {} });
  const needs = needsFor(operation, options, seen);
  const from: Need["from"] = Object.assign({}, ...needs.map((need) => need.from));
  const made = {
    description: options.description ?? describe(operation, options, seen, needs),
    states: needs.map(({ state, params }) => ({ name: state, params })),
    request: {
      method: methodOf(operation),
      path: pathFor(operation, options, from),
      query: matchedQuery(query, from),
      headers: headersFor(operation, options),
      body: matchedBody(operation, sent, options, from),
    },
    response: { status: expected.status, body: expected.body(needs) },
  };
  return { ...made, onPact: <Done>(pact: PactBuilder<Done>) => putOn(pact, made) };
}

/** In a pact one without states takes the place of one with the same description: a list without entries is said. */
function describe(
  operation: AnyOperation,
  { reply }: InteractionOptions,
  seen: Seen,
  needs: readonly Need[],
): string {
  const said = say(operation, { ...seen, reply: reply ?? null }, needs);
  const lists = Array.isArray(reply) ? [["entries", reply]] : Object.entries(reply ?? {});
  const empty = lists.filter(([, list]) => Array.isArray(list) && list.length === 0);
  return empty.length > 0 ? `${said} with no ${empty.map(([name]) => name).join(" and ")}` : said;
}

function toSeen(
  operation: AnyOperation,
  { refused }: InteractionOptions,
  { status, body, query, example }: Pick<Seen, "status" | "body" | "query"> & { example: unknown },
): Seen {
  const code = refused ?? null;
  const outcome = code !== null && code in outcomesOf(operation) ? code : null;
  return { status, code, outcome, body, query, reply: example, again: false };
}
