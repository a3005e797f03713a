/** Builds the response of an exported interaction: the fields that the contract declares, without personal data. */
import { errorShape } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { successStatus } from "../../contract/operation.js";
import { isBinary, type ReplySchema } from "../../contract/reply-forms.js";
import { toJsonSchema } from "../../contract/schema-walk.js";
import type { Assumptions } from "../../service/assumptions.js";
import type { RequiredState } from "../provider-states/required-states.js";
import { pathsDecided } from "../provider-states/required-states.js";
import { anonymize, anonymizeFieldPath } from "./anonymize.js";
import { schemaOf } from "./exported-request.js";
import { type MatchedBody, type MatchingRule, matchBody } from "./match-body.js";
import type { ExportedInteraction } from "./pact-document.js";
import type { RecordedExchange } from "./recorded-exchange.js";

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
  param: (exchange, path) => anonymizedParam(exchange, path),
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
function anonymizedParam({ operation, params, query, body }: RecordedExchange, path: string): string {
  if (path in params || /^(?:X-[A-Za-z-]+|Authorization|Content-Type|body)$/.test(path)) return path;
  const name = path.split(".")[0] as string;
  const isInQuery = operation.query !== undefined && (name in query || !operation.body);
  return isInQuery
    ? anonymizeFieldPath(schemaOf(operation, "query"), query, path)
    : anonymizeFieldPath(schemaOf(operation, "body"), body, path);
}
