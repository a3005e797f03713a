/** Builds the request and the response of an exported interaction: without personal data and keys, and with values of the provider states. */

import { errorShape } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { type AnyOperation, methodOf, pathOf, successStatus } from "../../contract/operation.js";
import { isBinary, type ReplySchema } from "../../contract/reply-forms.js";
import { fillPath } from "../../contract/route.js";
import { toJsonSchema } from "../../contract/schema-walk.js";
import type { Fields } from "../../scenarios/given-sections.js";
import type { Assumptions } from "../../service/assumptions.js";
import { pathsDecided, type RequiredState, valuesTaken } from "../provider-states/required-states.js";
import { anonymize, anonymizeFieldPath, anonymizePathParam } from "./anonymize.js";
import { type MatchedBody, type MatchingRule, matchBody } from "./match-body.js";
import { type ExportedInteraction, stateGenerator } from "./pact-document.js";
import type { RecordedExchange } from "./recorded-exchange.js";

type Request = ExportedInteraction["request"];
type Generators = NonNullable<Request["generators"]>;

export function exportedRequest(
  exchange: RecordedExchange,
  states: readonly RequiredState[],
  mode: "test" | "live",
): Request {
  const { operation, code, entry } = exchange;
  const wrong = wrongFields(exchange);
  const from = withoutWrong(valuesTaken(states), wrong);
  const { path, expression, regex } = examplePath(operation, from, (name) => anonymizedParam(exchange, name));
  const [credentials, placeholder] = placeholderCredentials(operation, mode);
  const query = Object.entries(anonymizedFields(exchange, "query", wrong));
  const request: Request = {
    method: methodOf(operation),
    path,
    headers: { [credentials]: [placeholder] },
    ...(query.length > 0
      ? { query: Object.fromEntries(query.map(([name, value]) => [name, [String(value)]])) }
      : {}),
  };
  const matchingRules: NonNullable<Request["matchingRules"]> = {};
  if (operation.body && entry.body) {
    request.headers["Content-Type"] = ["application/json"];
    const content = anonymizedFields(exchange, "body", wrong);
    request.body = { contentType: "application/json", content, encoded: false };
    // The values of a refused request are the reason for its refusal.
    if (code === null) matchingRules.body = matchBody(toJsonSchema(operation.body), content).rules;
  }
  if (expression !== null) matchingRules.path = { combine: "AND", matchers: [{ match: "regex", regex }] };
  if (Object.keys(matchingRules).length > 0) request.matchingRules = matchingRules;
  const generators = generatorsOf(from, expression);
  if (Object.keys(generators).length > 0) request.generators = generators;
  return request;
}

function anonymizedParam({ operation, params }: RecordedExchange, name: string): string {
  const schema = operation.params && toJsonSchema(operation.params).properties?.[name];
  return anonymizePathParam(schema ?? {}, name, params[name] ?? "");
}

/** Keeps undeclared fields: whether the service accepts them is an assumption. */
const anonymizedFields = (
  exchange: RecordedExchange,
  part: "body" | "query",
  wrong: ReadonlySet<string>,
): Fields =>
  anonymize(schemaOf(exchange.operation, part), exchange[part], { wrong, unknowns: true }) as Fields;

/** Returns an empty schema if the operation has no such part. */
export const schemaOf = (operation: AnyOperation, part: "body" | "query") =>
  toJsonSchema(operation[part] ?? ({} as never));

/** Returns the paths of the fields that a validation error names. */
function wrongFields({ code, reply }: RecordedExchange): Set<string> {
  if (code === null || !("validation" in errors[code as ErrorCode])) return new Set();
  const { error = reply } = reply as { error?: unknown };
  const { param, details = [] } = error as { param?: string; details?: { param: string }[] };
  return new Set([param ?? [], ...details.map((detail) => detail.param)].flat());
}

/** Keeps invalid values in the request, because the state's value would be valid. */
const withoutWrong = (from: RequiredState["from"], wrong: ReadonlySet<string>): RequiredState["from"] =>
  Object.fromEntries(
    Object.entries(from).filter(([target]) => !wrong.has(target.slice(target.indexOf(".") + 1))),
  );

function generatorsOf(from: RequiredState["from"], pathExpression: string | null): Generators {
  const generators: Generators = {};
  for (const [target, value] of Object.entries(from)) {
    const [part, name = ""] = target.split(".");
    const generator = stateGenerator(`\${${value}}`);
    if (part === "body") generators.body = { ...generators.body, [`$.${name}`]: generator };
    if (part === "query") generators.query = { ...generators.query, [name]: generator };
  }
  if (pathExpression !== null) generators.path = stateGenerator(pathExpression);
  return generators;
}

interface ExamplePath {
  path: string;
  /** The path with placeholders for values of the provider states; null if it has none. */
  expression: string | null;
  /** Matches any path of the operation. */
  regex: string;
}

/** Builds the path of an operation. `from` names the parts of the request that a provider state gives, such as `path.id`. */
function examplePath(
  operation: AnyOperation,
  from: Readonly<Record<string, string>>,
  exampleOf: (param: string) => string,
): ExamplePath {
  const fill = (valueFor: (param: string) => string) => fillPath(pathOf(operation), valueFor);
  const path = fill(exampleOf);
  const expression = fill((param) =>
    `path.${param}` in from ? `\${${from[`path.${param}`]}}` : exampleOf(param),
  );
  return { path, expression: expression === path ? null : expression, regex: `^${fill(() => "[^/]+")}$` };
}

/** Returns the name and value of the header that authenticates the caller. The gateway replaces the value. */
const placeholderCredentials = (
  { auth }: AnyOperation,
  mode: "test" | "live",
): readonly [name: "Authorization" | "X-Service-Key", value: string] =>
  auth === "session" ? ["Authorization", "Bearer placeholder"] : ["X-Service-Key", `svc_${mode}_placeholder`];

type Response = ExportedInteraction["response"];

export function exportedResponse(
  exchange: RecordedExchange,
  states: readonly RequiredState[],
  assumptions: Assumptions,
): Response {
  const { operation, status, code } = exchange;
  if (code !== null)
    return jsonResponse(status, errorShape(assumptions).mediaType, refusalBody(exchange, assumptions));
  // Assumption http.created answers 200 where the contract declares the schema of a 201.
  const schema = (operation.reply[status] ?? operation.reply[successStatus(operation)]) as ReplySchema;
  if (isBinary(schema)) return responseOfType(status, schema.contentType);
  return jsonResponse(status, "application/json", successBody(exchange, schema, states));
}

/** Does not constrain the body. */
const responseOfType = (status: number, contentType: string): Response => ({
  status,
  headers: { "Content-Type": [contentType] },
  matchingRules: { header: { "Content-Type": mediaTypeRule(contentType) } },
});

function jsonResponse(status: number, contentType: string, { content, rules }: MatchedBody): Response {
  const response = responseOfType(status, contentType);
  return {
    ...response,
    body: { contentType, content, encoded: false },
    matchingRules: { ...response.matchingRules, body: rules },
  };
}

/** Accepts parameters after the media type. */
const mediaTypeRule = (type: string): MatchingRule => ({
  combine: "AND",
  matchers: [{ match: "regex", regex: `^${type.replaceAll(/[.+]/g, "\\$&")}(?:;.*)?$` }],
});

function successBody(
  { reply }: RecordedExchange,
  replySchema: ReplySchema,
  states: readonly RequiredState[],
): MatchedBody {
  const schema = toJsonSchema(replySchema as never);
  return matchBody(schema, anonymize(schema, reply), {
    filled: states.some(({ fills }) => fills),
    exact: pathsDecided(states),
  });
}

/** Fields of an error that may quote the request, with what replaces them. */
const replacements: Readonly<Record<string, (exchange: RecordedExchange, text: string) => string>> = {
  message: ({ code }) => errors[code as ErrorCode].message,
  detail: ({ code }) => errors[code as ErrorCode].message,
  param: (exchange, path) => namedParam(exchange, path),
  request_id: () => "req_0123456789abcdef",
};

function refusalBody(exchange: RecordedExchange, assumptions: Assumptions): MatchedBody {
  const value: unknown = JSON.parse(JSON.stringify(exchange.reply), (key, inner: unknown) => {
    // An empty list would match any entries.
    if (key === "details" && Array.isArray(inner) && inner.length === 0) return undefined;
    const replace = typeof inner === "string" && Object.hasOwn(replacements, key) ? replacements[key] : null;
    return replace ? replace(exchange, inner as string) : inner;
  });
  const exact = ["code", "type", "param"].flatMap((name) => [`$.${name}`, `$.error.${name}`]);
  return matchBody(toJsonSchema(errorShape(assumptions).body), value, { exact });
}

/** Headers and path parameters are named by the contract; names of other fields may be personal data. */
function namedParam({ operation, params, query, body }: RecordedExchange, path: string): string {
  if (path in params || /^(?:X-[A-Za-z-]+|Authorization|Content-Type|body)$/.test(path)) return path;
  const name = path.split(".")[0] as string;
  const isInQuery = operation.query !== undefined && (name in query || !operation.body);
  return isInQuery
    ? anonymizeFieldPath(schemaOf(operation, "query"), query, path)
    : anonymizeFieldPath(schemaOf(operation, "body"), body, path);
}
