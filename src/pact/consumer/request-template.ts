/** Builds the request of a consumer test, with matchers and with values of the provider states. */
import type { ErrorCode } from "../../contract/errors.js";
import { type JsonSchema, toJsonSchema } from "../../contract/json-schema.js";
import type { AnyOperation } from "../../contract/operation.js";
import type { Fields } from "../../scenarios/given-sections.js";
import type { JsonOperationId } from "../../service/index.js";
import { examplePath, placeholderCredentials } from "../matching/example-request.js";
import { matchBody } from "../matching/match-body.js";
import { sample } from "../matching/sample.js";
import type { RequiredState } from "../provider-states/required-states.js";
import { type MatcherObject, stateValue, toTemplate } from "./body-template.js";
import { isRefusedOnLiveKeys, isRequestError } from "./check-refusal.js";
import { checkRequired, checkValue, findProblem } from "./check-value.js";
import { checkNames } from "./find-by-name.js";
import type { InteractionOptions } from "./interaction-options.js";

/** Optional fields of which at least one is required, by operation, or by operation and error code. */
const neededFields: Readonly<Record<string, Fields>> = {
  sendChannelMessage: { text: "Your order is ready." },
  "sendChannelMessage plan_required": { image: { link: "https://shop.example/receipt.png" } },
} satisfies Partial<Record<JsonOperationId | `${JsonOperationId} ${ErrorCode}`, Fields>>;

/** Returns the body's example; null if the operation has none or it is left out. */
export function exampleBody(operation: AnyOperation, { body, refused }: InteractionOptions): Fields | null {
  const { id, body: bodySchema, bodyOptional } = operation;
  if (!bodySchema || (!body && bodyOptional)) return null;
  const schema = toJsonSchema(bodySchema);
  if (body) return checkedExample(`the body of ${id}`, schema, body, refused);
  return { ...(sample(schema) as Fields), ...(neededFields[`${id} ${refused}`] ?? neededFields[id]) };
}

export function exampleQuery({ id, query: querySchema }: AnyOperation, options: InteractionOptions): Fields {
  if (!querySchema) return {};
  const schema = toJsonSchema(querySchema);
  const { query, refused } = options;
  return query ? checkedExample(`the query of ${id}`, schema, query, refused) : (sample(schema) as Fields);
}

/** Skips the check if the request is refused for its values. */
function checkedExample(
  name: string,
  schema: JsonSchema,
  value: Fields,
  refused: InteractionOptions["refused"],
): Fields {
  if (!isRequestError(refused)) {
    checkValue(name, schema, value);
    checkRequired(name, schema, value);
  }
  return value;
}

/** A refused request gets no matchers: its values matter. */
export function bodyTemplate(
  { body: bodySchema }: AnyOperation,
  example: Fields | null,
  { refused }: InteractionOptions,
  from: RequiredState["from"],
): unknown {
  if (example === null || !bodySchema) return null;
  const schema = toJsonSchema(bodySchema);
  const stateValues = Object.entries(from).flatMap(([target, value]) => {
    const [part, name = ""] = target.split(".");
    // Keeps an invalid value, because it is the reason for the refusal.
    const isRight = findProblem(name, schema.properties?.[name] ?? {}, example[name]) === null;
    return part === "body" && isRight ? [[`$.${name}`, value]] : [];
  });
  const body =
    refused === undefined ? matchBody(schema, example, { strict: true }) : { content: example, rules: {} };
  return toTemplate(body, Object.fromEntries(stateValues));
}

export function pathTemplate(
  operation: AnyOperation,
  { params = {}, refused }: InteractionOptions,
  from: RequiredState["from"],
): string | MatcherObject {
  const schema = operation.params ? toJsonSchema(operation.params) : {};
  const { properties = {} } = schema;
  checkNames(`the path of ${operation.id} has no field`, Object.keys(properties), params);
  if (!isRequestError(refused)) checkValue(`the path of ${operation.id}`, schema, params);
  const { path, expression, regex } = examplePath(
    operation,
    from,
    (name) => params[name] ?? String(properties[name]?.enum?.[0] ?? `${name}_1`),
  );
  return expression === null ? path : stateValue(expression, path, regex);
}

export const queryTemplate = (
  query: Fields,
  from: RequiredState["from"],
): Record<string, string | MatcherObject> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const source = from[`query.${name}`];
      return [name, source === undefined ? String(value) : stateValue(`\${${source}}`, String(value))];
    }),
  );

/** Matches any key or token of the client. */
export function headersTemplate(
  operation: AnyOperation,
  { refused }: InteractionOptions,
): Record<string, MatcherObject> {
  const mode = refused !== undefined && isRefusedOnLiveKeys(operation, refused) ? "live" : "test";
  const [name, value] = placeholderCredentials(operation, mode);
  return {
    [name]:
      name === "Authorization"
        ? { "pact:matcher:type": "regex", regex: "^Bearer .+$", value }
        : { "pact:matcher:type": "type", value },
  };
}
