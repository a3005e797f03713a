/**
 * Builds the request of an exported interaction: without personal data and keys, and with values of the provider
 * states.
 */
import { type ErrorCode, errors } from "../../contract/errors.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { fillPath } from "../../contract/route.js";
import { toJsonSchema } from "../../contract/schema-walk.js";
import type { Fields } from "../../scenarios/given-sections.js";
import { type RequiredState, valuesTaken } from "../provider-states/required-states.js";
import { anonymize, anonymizePathParam } from "./anonymize.js";
import { matchBody } from "./match-body.js";
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
