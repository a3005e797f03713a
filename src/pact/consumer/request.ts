/** What the client sends, as a consumer test states it; what a provider state gives stands in its place when it is verified. */
import { type Operation, pathOf } from "../../contract/operation.js";
import type { Need } from "../export/need.js";
import { matchBody } from "../matching/body.js";
import { sample, toShape } from "../matching/shape.js";
import type { InteractionOptions } from "./interaction.js";
import type { MatcherObject } from "./matcher-object.js";
import { checkValue, checkWhole } from "./names.js";
import { fromState, toTemplate } from "./template.js";

type Fields = Readonly<Record<string, unknown>>;

/** What a schema cannot say of a request that is taken. */
const oneOfSeveral: Readonly<Record<string, Fields>> = {
  sendChannelMessage: { text: "Your order is ready." },
};

/** The example of the body; null: none is sent. */
export function bodyOf(operation: Operation<never>, { body, refused }: InteractionOptions): Fields | null {
  const { id, body: schema, bodyOptional } = operation;
  if (!schema) {
    if (body) throw new RangeError(`${id} takes no body`);
    return null;
  }
  if (!body) return bodyOptional ? null : { ...(sample(toShape(schema)) as Fields), ...oneOfSeveral[id] };
  // What is refused may be wrong in any way.
  if (refused !== undefined) return body;
  checkValue(`the body of ${id}`, toShape(schema), body);
  checkWhole(`the body of ${id}`, toShape(schema), body);
  return body;
}

/** With matchers in it, unless it is refused: then what is wrong with it matters. */
export function matchedBody(
  { body: schema }: Operation<never>,
  sent: Fields | null,
  { refused }: InteractionOptions,
  from: Need["from"],
): unknown {
  if (sent === null || !schema) return null;
  const places = Object.entries(from).filter(([where]) => where.startsWith("body."));
  const inBody = Object.fromEntries(places.map(([where, value]) => [where.replace("body", "$"), value]));
  const matched =
    refused === undefined ? matchBody(toShape(schema), sent, { strict: true }) : { content: sent, rules: {} };
  return toTemplate(matched, inBody);
}

export function pathFor(
  operation: Operation<never>,
  { params = {} }: InteractionOptions,
  from: Need["from"],
): string | MatcherObject {
  if (operation.params) checkValue(`the path of ${operation.id}`, toShape(operation.params), params);
  const shapes = operation.params ? (toShape(operation.params).properties ?? {}) : {};
  const exampleOf = (name: string) => params[name] ?? String(shapes[name]?.enum?.[0] ?? `${name}_1`);
  const route = pathOf(operation);
  const fill = (find: (name: string) => string) =>
    route.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => find(name));
  const path = fill(exampleOf);
  const inState = fill((name) => (`path.${name}` in from ? `\${${from[`path.${name}`]}}` : exampleOf(name)));
  return inState.includes("${") ? fromState(inState, path, `^${fill(() => "[^/]+")}$`) : path;
}

/** The example of the query. */
export function queryOf(operation: Operation<never>, { query, refused }: InteractionOptions): Fields {
  if (!operation.query) return {};
  const shape = toShape(operation.query);
  if (!query) return sample(shape) as Fields;
  if (refused === undefined) {
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

/** Whatever key or token the client has. */
export const headersFor = ({ auth }: Operation<never>): Record<string, MatcherObject> =>
  auth === "session"
    ? { Authorization: { "pact:matcher:type": "regex", regex: "^Bearer .+$", value: "Bearer placeholder" } }
    : { "X-Service-Key": { "pact:matcher:type": "type", value: "svc_test_placeholder" } };
