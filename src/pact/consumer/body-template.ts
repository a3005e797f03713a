/** An example of the contract, each value in the matcher that its schema asks for. */
import type { MatchedBody } from "../matching/match-body.js";
import type { Matcher } from "../matching/matchers.js";

/** A matcher as Pact's own libraries write it into a body: `{ "pact:matcher:type": "type", value }`. */
export interface MatcherObject {
  "pact:matcher:type": string;
  "pact:generator:type"?: string;
  value: unknown;
  regex?: string;
  format?: string;
  min?: number;
  expression?: string;
}

const wrap = ({ match, ...options }: Matcher, value: unknown): MatcherObject => ({
  "pact:matcher:type": match,
  ...options,
  value,
});

/**
 * A value that the provider state gives when the pact is verified. The example is for the consumer's own test, which
 * takes any value of its type, or what the regular expression takes.
 */
export const fromState = (expression: string, value: unknown, regex?: string): MatcherObject => ({
  ...(regex === undefined ? { "pact:matcher:type": "type" } : { "pact:matcher:type": "regex", regex }),
  "pact:generator:type": "ProviderState",
  expression,
  value,
});

/** The example with a matcher around each value that has a rule; `from` names by path what the state gives. */
export function toTemplate(
  { content, rules }: MatchedBody,
  from: Readonly<Record<string, string>> = {},
  path = "$",
): unknown {
  const value = inner(content, (part, key) => toTemplate({ content: part, rules }, from, `${path}${key}`));
  const [matcher] = rules[path]?.matchers ?? [];
  const name = from[path];
  if (name !== undefined) return fromState(`\${${name}}`, value);
  return matcher ? wrap(matcher, value) : value;
}

function inner(content: unknown, each: (part: unknown, key: string) => unknown): unknown {
  if (Array.isArray(content)) return content.map((entry) => each(entry, "[*]"));
  if (typeof content !== "object" || content === null) return content;
  return Object.fromEntries(Object.entries(content).map(([name, part]) => [name, each(part, `.${name}`)]));
}
