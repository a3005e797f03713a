/** Turns examples and matching rules into the templates of Pact's consumer libraries. */
import type { MatchedBody } from "../matching/match-body.js";

/** A matcher in a template of Pact's consumer libraries: `{ "pact:matcher:type": "type", value }`. */
export interface MatcherObject {
  "pact:matcher:type": string;
  "pact:generator:type"?: string;
  value: unknown;
  regex?: string;
  format?: string;
  min?: number;
  expression?: string;
}

/**
 * Returns a value that the provider state replaces when the pact is verified. In the consumer's own test the example
 * stands for any value of its type, or any that the regex matches.
 */
export const stateValue = (expression: string, value: unknown, regex?: string): MatcherObject => ({
  ...(regex === undefined ? { "pact:matcher:type": "type" } : { "pact:matcher:type": "regex", regex }),
  "pact:generator:type": "ProviderState",
  expression,
  value,
});

/** Wraps each value that has a rule in its matcher. `from` names the values of the provider states by JSON path. */
export function toTemplate(
  { content, rules }: MatchedBody,
  from: Readonly<Record<string, string>> = {},
  path = "$",
): unknown {
  const value = mapChildren(content, (child, key) =>
    toTemplate({ content: child, rules }, from, `${path}${key}`),
  );
  const name = from[path];
  if (name !== undefined) return stateValue(`\${${name}}`, value);
  const [matcher] = rules[path]?.matchers ?? [];
  if (!matcher) return value;
  const { match, ...options } = matcher;
  return { "pact:matcher:type": match, ...options, value } satisfies MatcherObject;
}

function mapChildren(content: unknown, map: (child: unknown, key: string) => unknown): unknown {
  if (Array.isArray(content)) return content.map((entry) => map(entry, "[*]"));
  if (typeof content !== "object" || content === null) return content;
  return Object.fromEntries(Object.entries(content).map(([name, child]) => [name, map(child, `.${name}`)]));
}
