/** The reply of an interaction: of a success what the schema knows, of a refusal what a client relies on. */
import type { Assumptions } from "../../contract/assumptions.js";
import { errorShape } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import { isBinary, type ReplySchema, successStatus } from "../../contract/operation.js";
import { type MatchedBody, matchBody } from "../matching/match-body.js";
import type { Rule } from "../matching/matchers.js";
import type { Need } from "../provider-states/state-selectors.js";
import { pathWithoutPeople, withoutPeople } from "./anonymize.js";
import type { PactInteraction } from "./pact-document.js";
import type { Exchange } from "./recorded-exchange.js";

type Response = PactInteraction["response"];

export function replyOf(exchange: Exchange, needs: readonly Need[], assumptions: Assumptions): Response {
  const { operation, status, code } = exchange;
  if (code !== null) return json(status, errorShape(assumptions).mediaType, refusal(exchange, assumptions));
  // Assumption http.created answers 200 where the schema is that of a 201.
  const schema = (operation.reply[status] ?? operation.reply[successStatus(operation)]) as ReplySchema;
  if (isBinary(schema)) return ofType(status, schema.contentType);
  return json(status, "application/json", success(exchange, schema, needs));
}

/** Whatever stands in the file. */
const ofType = (status: number, contentType: string): Response => ({
  status,
  headers: { "Content-Type": [contentType] },
  matchingRules: { header: { "Content-Type": mediaType(contentType) } },
});

function json(status: number, contentType: string, { content, rules }: MatchedBody): Response {
  const typed = ofType(status, contentType);
  return {
    ...typed,
    body: { contentType, content, encoded: false },
    matchingRules: { ...typed.matchingRules, body: rules },
  };
}

const mediaType = (type: string): Rule => ({
  combine: "AND",
  matchers: [{ match: "regex", regex: `^${type.replaceAll(/[.+]/g, "\\$&")}(?:;.*)?$` }],
});

function success({ reply }: Exchange, schema: ReplySchema, needs: readonly Need[]): MatchedBody {
  const shape = toJsonSchema(schema as never);
  return matchBody(shape, withoutPeople(shape, reply), {
    filled: needs.some(({ fills }) => fills),
    exact: needs.flatMap(({ decides = [] }) => decides.map((name) => `$.${name}`)),
  });
}

const named: Readonly<Record<string, (exchange: Exchange, text: string) => string>> = {
  message: ({ code }) => errors[code as ErrorCode].message,
  detail: ({ code }) => errors[code as ErrorCode].message,
  param: (exchange, path) => paramOf(exchange, path),
  request_id: () => "req_0123456789abcdef",
};

/** The sentence names what the client sent, and so may the field's name: the catalogue's stand in for them. */
function refusal(exchange: Exchange, assumptions: Assumptions): MatchedBody {
  const value: unknown = JSON.parse(JSON.stringify(exchange.reply), (key, inner: unknown) => {
    // Nothing is wrong with a field then: there is nothing to expect of them.
    if (key === "details" && Array.isArray(inner) && inner.length === 0) return undefined;
    const name = typeof inner === "string" && Object.hasOwn(named, key) ? named[key] : undefined;
    return name ? name(exchange, inner as string) : inner;
  });
  const exact = ["code", "type", "param"].flatMap((name) => [`$.${name}`, `$.error.${name}`]);
  return matchBody(toJsonSchema(errorShape(assumptions).body), value, { exact });
}

/** Headers and what stands in the path have names of the contract. */
function paramOf({ operation, params, query, body }: Exchange, path: string): string {
  if (path in params || /^(?:X-[A-Za-z-]+|Authorization|Content-Type|body)$/.test(path)) return path;
  const name = path.split(".")[0] as string;
  const part = operation.query && (name in query || !operation.body) ? "query" : "body";
  return pathWithoutPeople(
    toJsonSchema(operation[part] ?? ({} as never)),
    part === "query" ? query : body,
    path,
  );
}
