/** What the client sends, as a consumer test states it; what a provider state gives stands in its place when it is verified. */

import { toJsonSchema } from "../../contract/json-schema.js";
import { type AnyOperation, pathOf } from "../../contract/operation.js";
import { placeholderKey } from "../export/exported-request.js";
import { matchBody } from "../matching/match-body.js";
import { sample } from "../matching/schema-shape.js";
import type { Need } from "../provider-states/state-selectors.js";
import type { MatcherObject } from "./body-template.js";
import { fromState, toTemplate } from "./body-template.js";
import { isOfRequest, isOnLiveKey } from "./check-refusal.js";
import { checkValue, checkWhole, wrongIn } from "./check-value.js";
import { checkNames } from "./find-by-name.js";
import type { InteractionOptions } from "./interaction-options.js";

type Fields = Readonly<Record<string, unknown>>;

/** What a schema cannot say of a request that is taken, or that a refusal comes of. */
const oneOfSeveral: Readonly<Record<string, Fields>> = {
  sendChannelMessage: { text: "Your order is ready." },
  "sendChannelMessage plan_required": { image: { link: "https://shop.example/receipt.png" } },
};

/** The example of the body; null: none is sent. */
export function bodyOf(operation: AnyOperation, { body, refused }: InteractionOptions): Fields | null {
  const { id, body: schema, bodyOptional } = operation;
  if (!schema) return null;
  const shape = toJsonSchema(schema);
  if (!body)
    return bodyOptional
      ? null
      : { ...(sample(shape) as Fields), ...(oneOfSeveral[`${id} ${refused}`] ?? oneOfSeveral[id]) };
  if (isOfRequest(refused)) return body;
  checkValue(`the body of ${id}`, shape, body);
  checkWhole(`the body of ${id}`, shape, body);
  return body;
}

/** With matchers in it, unless it is refused: then what is wrong with it matters. */
export function matchedBody(
  { body: schema }: AnyOperation,
  sent: Fields | null,
  { refused }: InteractionOptions,
  from: Need["from"],
): unknown {
  if (sent === null || !schema) return null;
  const shape = toJsonSchema(schema);
  const inBody = Object.entries(from).flatMap(([where, value]) => {
    const [part, name = ""] = where.split(".");
    // A wrong value stays: it is what the request is refused for.
    const isWrong = wrongIn(name, shape.properties?.[name] ?? {}, sent[name]) !== null;
    return part === "body" && !isWrong ? [[`$.${name}`, value]] : [];
  });
  const matched =
    refused === undefined ? matchBody(shape, sent, { strict: true }) : { content: sent, rules: {} };
  return toTemplate(matched, Object.fromEntries(inBody));
}

export function pathFor(
  operation: AnyOperation,
  { params = {}, refused }: InteractionOptions,
  from: Need["from"],
): string | MatcherObject {
  const shape = operation.params ? toJsonSchema(operation.params) : {};
  const { properties = {} } = shape;
  checkNames(`the path of ${operation.id} has no field`, Object.keys(properties), params);
  if (!isOfRequest(refused)) checkValue(`the path of ${operation.id}`, shape, params);
  const exampleOf = (name: string) => params[name] ?? String(properties[name]?.enum?.[0] ?? `${name}_1`);
  const route = pathOf(operation);
  const fill = (find: (name: string) => string) =>
    route.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => find(name));
  const path = fill(exampleOf);
  const inState = fill((name) => (`path.${name}` in from ? `\${${from[`path.${name}`]}}` : exampleOf(name)));
  return inState.includes("${") ? fromState(inState, path, `^${fill(() => "[^/]+")}$`) : path;
}

/** The example of the query. */
export function queryOf(operation: AnyOperation, { query, refused }: InteractionOptions): Fields {
  if (!operation.query) return {};
  const shape = toJsonSchema(operation.query);
  if (!query) return sample(shape) as Fields;
  if (!isOfRequest(refused)) {
    checkValue(`the query of ${operation.id}`, shape, query);
    checkWhole(`the query of ${operation.id}`, shape, query);
  }
  return query;
}

export const matchedQuery = (query: Fields, from: Need["from"]): Record<string, string | MatcherObject> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const given = from[`query.${name}`];
      return [name, given === undefined ? String(value) : fromState(`\${${given}}`, String(value))];
    }),
  );

/** Whatever key or token the client has; a live key where only those are refused so. */
export function headersFor(
  operation: AnyOperation,
  { refused }: InteractionOptions,
): Record<string, MatcherObject> {
  if (operation.auth === "session")
    return {
      Authorization: { "pact:matcher:type": "regex", regex: "^Bearer .+$", value: "Bearer placeholder" },
    };
  const mode = refused !== undefined && isOnLiveKey(operation, refused) ? "live" : "test";
  return { "X-Service-Key": { "pact:matcher:type": "type", value: placeholderKey[mode] } };
}
