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
