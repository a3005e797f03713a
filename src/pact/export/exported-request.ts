/** The request of an interaction: as it was sent, without people and keys, and with the state's own values in place. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import { toJsonSchema } from "../../contract/json-schema.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { matchBody } from "../matching/match-body.js";
import type { Need } from "../provider-states/state-selectors.js";
import { paramWithoutPeople, withoutPeople } from "./anonymize.js";
import { fromState, type PactInteraction } from "./pact-document.js";
import type { Exchange } from "./recorded-exchange.js";

type Request = PactInteraction["request"];
type Generators = NonNullable<Request["generators"]>;
type Fields = Readonly<Record<string, unknown>>;

/** Keys that are nobody's; the verifier puts its own in their place. */
export const placeholderKey = { test: "svc_test_placeholder", live: "svc_live_placeholder" };

export function requestOf(exchange: Exchange, needs: readonly Need[], mode: "test" | "live"): Request {
  const { operation, code } = exchange;
  const wrong = wrongPaths(exchange);
  const headers: Record<string, string[]> =
    operation.auth === "session"
      ? { Authorization: ["Bearer placeholder"] }
      : { "X-Service-Key": [placeholderKey[mode]] };
  const request: Request = {
    method: methodOf(operation),
    path: cleanPath(exchange),
    headers,
  };
  const query = Object.entries(cleanFields(exchange, "query", wrong));
  if (query.length > 0)
    request.query = Object.fromEntries(query.map(([name, value]) => [name, [String(value)]]));
  if (operation.body && exchange.entry.body) {
    headers["Content-Type"] = ["application/json"];
    const content = cleanFields(exchange, "body", wrong);
    request.body = { contentType: "application/json", content, encoded: false };
    // Of a request that is refused, what is wrong with it matters.
    if (code === null)
      request.matchingRules = { body: matchBody(toJsonSchema(operation.body), content).rules };
  }
  return withStateValues(request, operation, needs, wrong);
}

function cleanPath({ operation, params }: Exchange): string {
  const shapes = operation.params ? (toJsonSchema(operation.params).properties ?? {}) : {};
  return pathOf(operation).replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    paramWithoutPeople(shapes[name] ?? {}, name, params[name] ?? ""),
  );
}

/** Fields that the contract does not know are there still: whether they may be is an assumption. */
const cleanFields = (exchange: Exchange, part: "body" | "query", wrong: ReadonlySet<string>): Fields =>
  withoutPeople(toJsonSchema(exchange.operation[part] ?? ({} as never)), exchange[part], {
    wrong,
    unknowns: true,
  }) as Fields;

/** As a refusal of the request itself names them. */
function wrongPaths({ code, reply }: Exchange): Set<string> {
  if (code === null || !("validation" in errors[code as ErrorCode])) return new Set();
  const { error = reply } = reply as { error?: unknown };
  const { param, details = [] } = error as { param?: string; details?: { param: string }[] };
  return new Set([param ?? [], ...details.map((detail) => detail.param)].flat());
}

/** What is wrong with the request stays: the state's own value would be right. */
function withStateValues(
  request: Request,
  operation: AnyOperation,
  needs: readonly Need[],
  wrong: ReadonlySet<string>,
): Request {
  const all: Need["from"] = Object.assign({}, ...needs.map((one) => one.from));
  const from = Object.fromEntries(
    Object.entries(all).filter(([where]) => !wrong.has(where.slice(where.indexOf(".") + 1))),
  );
  const generators: Generators = {};
  for (const [where, value] of Object.entries(from)) {
    const [part, name = ""] = where.split(".");
    const generator = fromState(`\${${value}}`);
    if (part === "body") generators.body = { ...generators.body, [`$.${name}`]: generator };
    if (part === "query") generators.query = { ...generators.query, [name]: generator };
  }
  const matchingRules = { ...request.matchingRules };
  if (Object.keys(from).some((where) => where.startsWith("path."))) {
    const path = pathOf(operation);
    const inState = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `\${${from[`path.${name}`]}}`);
    generators.path = fromState(inState);
    const regex = `^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`;
    matchingRules.path = { combine: "AND", matchers: [{ match: "regex", regex }] };
  }
  return {
    ...request,
    ...(Object.keys(matchingRules).length > 0 ? { matchingRules } : {}),
    ...(Object.keys(generators).length > 0 ? { generators } : {}),
  };
}
