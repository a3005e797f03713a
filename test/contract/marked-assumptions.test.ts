/** The contract marks every assumption where it applies. */
import { describe, expect, test } from "vitest";
import { errors, errorTypes } from "../../src/contract/errors.js";
import { serviceDocument } from "../../src/documents/contracts.js";
import { assumptions, resolveAssumptions } from "../../src/service/assumptions.js";

// biome-ignore lint/suspicious/noExplicitAny: the assertions check the document
type Node = any;

const url = "http://127.0.0.1:4010";
const catalogue = assumptions.map(({ id }) => id);

/** Returns the value with its references replaced by what they name. */
function resolved(document: Node, value: Node): Node {
  if (Array.isArray(value)) return value.map((item) => resolved(document, item));
  if (typeof value !== "object" || value === null) return value;
  if (typeof value.$ref === "string") {
    const path = value.$ref.slice(2).split("/");
    return resolved(
      document,
      path.reduce((node: Node, key: string) => node[key], document),
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(document, inner)]));
}

/** Returns the operations and webhooks of a contract by their ids, without references. */
function entriesOf(document: Node): Record<string, Node> {
  const paths = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  const entries = paths.flatMap((path: Node) => Object.values(path)) as Node[];
  const { securitySchemes } = document.components;
  return Object.fromEntries(
    entries.map((entry) => {
      const schemes = entry.security.flatMap((names: object) => Object.keys(names));
      const security = schemes.map((name: string) => securitySchemes[name]);
      return [entry.operationId, resolved(document, { ...entry, security })];
    }),
  );
}

function marksIn(value: Node): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as Node).flatMap(([key, inner]: [string, Node]) => {
    if (key === "x-assumption") return [inner];
    return key === "x-assumptions" ? inner : marksIn(inner);
  });
}

const marksOf = (entry: Node): ReadonlySet<string> => new Set(marksIn(entry));

const defaults = entriesOf(serviceDocument(url));
const all = Object.entries(defaults);
const summaries = all.map(([name, entry]) => ({ name, text: JSON.stringify(entry), marks: marksOf(entry) }));

test("every assumption is marked somewhere, and every mark is an assumption", () => {
  const marked = new Set(all.flatMap(([, entry]) => [...marksOf(entry)]));
  expect(catalogue.filter((id) => !marked.has(id))).toEqual([]);
  expect([...marked].filter((id) => !catalogue.includes(id))).toEqual([]);
});

const alternatives = assumptions.flatMap(({ id, switch: choice }) =>
  Object.keys(choice?.alternatives ?? {}).map((value) => ({ id, value })),
);

test.each(alternatives)("what $id=$value changes in the contract is marked with $id", ({ id, value }) => {
  const changed = entriesOf(serviceDocument(url, resolveAssumptions({ [id]: value })));
  const unmarked = summaries.filter(
    ({ name, text, marks }) => !marks.has(id) && text !== JSON.stringify(changed[name]),
  );
  expect(unmarked.map(({ name }) => name)).toEqual([]);
});

describe("an operation", () => {
  const codesOf = (entry: Node): string[] =>
    Object.values(entry.responses as Node).flatMap((response: Node) =>
      Object.values(response.content ?? {}).flatMap((content: Node) => Object.keys(content.examples ?? {})),
    );
  const isOperation = ({ security }: Node): boolean => security.length > 0;
  const refuses = (code: string) => (entry: Node) => codesOf(entry).includes(code);
  const takesFile = ({ requestBody }: Node): boolean => "multipart/form-data" in (requestBody?.content ?? {});
  const takesPhoneNumber = (entry: Node): boolean =>
    refuses("invalid_phone")(entry) && !marksOf(entry).has("channels.numbers");

  test.each([
    ["that uses an API key", "keys", refuses("invalid_api_key")],
    ["that uses a session token", "session_token", refuses("invalid_session_token")],
    ["that takes a JSON body", "errors.body_limit", refuses("body_too_large")],
    ["with a path", "http.paths", isOperation],
    ["that a page could call", "http.browsers", isOperation],
    ["that takes a file", "uploads.types", takesFile],
    ["that takes a phone number", "phone.notations", takesPhoneNumber],
    ["that needs a plan", "plans", refuses("plan_required")],
    ["that the wallet pays for", "charging", refuses("insufficient_balance")],
    ["with a price", "charging", (entry: Node) => entry["x-price"] !== undefined],
    ["that can be rate limited", "rate_limits", refuses("rate_limited")],
    ["that can be refused", "errors.types", isOperation],
    ["that can be refused for several reasons", "errors.order", isOperation],
    ["that returns a list", "lists", (entry: Node) => /^list/.test(entry.operationId)],
  ])("%s is marked with %s", (_which, id, applies) => {
    const affected = all.filter(([, entry]) => isOperation(entry) && applies(entry));
    expect(affected.length).toBeGreaterThan(0);
    expect(affected.filter(([, entry]) => !marksOf(entry).has(id)).map(([name]) => name)).toEqual([]);
  });
});

test("every error type is that of an error code", () => {
  const used = new Set<string>(Object.values(errors).map(({ type }) => type));
  expect(errorTypes.filter((type) => !used.has(type))).toEqual([]);
});
