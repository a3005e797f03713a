/** A consumer test in three lines: request and reply of an operation with the matchers that its contract asks for. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import { methodOf, type Operation } from "../../contract/operation.js";
import { outcomesOf } from "../../scenarios/outcomes.js";
import { say } from "../export/descriptions.js";
import type { Need, Seen } from "../export/need.js";
import { needsOf } from "../export/needs.js";
import { refusalOf, successOf } from "./expected.js";
import type { MatcherObject } from "./matcher-object.js";
import { operationCalled, stateCalled } from "./names.js";
import { type OnPact, type PactBuilder, putOn } from "./on-pact.js";
import type { OperationName } from "./operation-names.js";
import { bodyOf, headersFor, matchedBody, matchedQuery, pathFor, queryOf } from "./request.js";

type Fields = Readonly<Record<string, unknown>>;

/** A provider state of the catalogue (`standin verify --states`), with parameters where it needs some. */
export type StateName = string | { name: string; params?: Fields };

export interface InteractionOptions {
  /** Absent: the operation and what it answers. Two of a pact with the same states need two. */
  description?: string;
  /** What the client sends; absent: the required fields, with examples. */
  body?: Fields;
  /** Of the path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  /** Absent: the states that the operation needs. */
  state?: StateName | readonly StateName[];
  /** Of a success; absent: the operation's first. */
  status?: number;
  /** The fields that the client uses, with examples; absent: all that are always there and never null. */
  reply?: Fields | readonly unknown[];
  /** An error code: the call is refused, and the reply is that error. */
  refused?: ErrorCode;
}

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
 * right name when an operation, state, parameter, field, choice or error code does not exist.
 */
export function interaction(name: OperationName, options: InteractionOptions = {}): ConsumerInteraction {
  const operation = operationCalled(name);
  const { refused } = options;
  const expected = refused === undefined ? successOf(operation, options) : refusalOf(operation, refused);
  const sent = bodyOf(operation, options);
  const query = queryOf(operation, options);
  checkReason(operation, options);
  const seen = toSeen(operation, options, { ...expected, query, body: sent ?? {} });
  const needs = needsFor(operation, options, seen);
  const from: Need["from"] = Object.assign({}, ...needs.map((need) => need.from));
  const made = {
    description: options.description ?? say(operation, { ...seen, reply: options.reply ?? null }, needs),
    states: needs.map(({ state, params }) => ({ name: state, params })),
    request: {
      method: methodOf(operation),
      path: pathFor(operation, options, from),
      query: matchedQuery(query, from),
      headers: headersFor(operation),
      body: matchedBody(operation, sent, options, from),
    },
    response: { status: expected.status, body: expected.body(needs) },
  };
  return { ...made, onPact: <Done>(pact: PactBuilder<Done>) => putOn(pact, made) };
}

/** An example of a whole request is one that is taken. */
function checkReason({ id }: Operation<never>, { refused, body, params, query }: InteractionOptions): void {
  if (refused === undefined || body || params || query || !("validation" in errors[refused])) return;
  throw new RangeError(
    `${id} refuses with ${refused} what is wrong with the request: say it with body or query`,
  );
}

function toSeen(
  operation: Operation<never>,
  { refused }: InteractionOptions,
  { status, body, query, example }: Pick<Seen, "status" | "body" | "query"> & { example: unknown },
): Seen {
  const code = refused ?? null;
  const outcome = code !== null && code in outcomesOf(operation) ? code : null;
  return { status, code, outcome, body, query, reply: example, again: false };
}

function needsFor(operation: Operation<never>, { state }: InteractionOptions, seen: Seen): Need[] {
  const usual = needsOf(operation, seen);
  if (state === undefined) {
    if (usual) return usual;
    const what = seen.code === null ? "answers so" : `refuses with ${seen.code}`;
    throw new RangeError(`there is no known state in which ${operation.id} ${what}: name one with state`);
  }
  const places: Need["from"] = Object.assign({}, ...(usual ?? []).map(({ from }) => from));
  const decides = usual?.flatMap((need) => need.decides ?? []) ?? [];
  return ([state].flat() as StateName[]).map((one, index) => {
    const { name, params = {} } = typeof one === "string" ? { name: one } : one;
    const { values } = stateCalled(name, params);
    const from = Object.fromEntries(Object.entries(places).filter(([, value]) => value in values));
    return { state: name, params: { ...params }, from, decides: index === 0 ? decides : [] };
  });
}
