/** Valid requests derived from an operation's contract, for a test to make invalid. */
import { type AnyOperation, methodOf, pathOf } from "../../src/contract/operation.js";
import type { RawRequest } from "./raw.js";

interface AnySchema {
  properties?: Record<string, AnySchema>;
  items?: AnySchema;
  anyOf?: AnySchema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  pattern?: string;
  format?: string;
  examples?: unknown[];
  minimum?: number;
}

/** Each pattern of a request field is matched by one of these. */
const texts = [
  "12345678901",
  "1234567890",
  "123456",
  "058",
  "2348031234567",
  "#0F766E",
  "AAA12345678",
  "any",
];
const formats: Record<string, string> = {
  date: "1990-01-31",
  email: "ada@shop.example",
  uri: "https://a.example",
};

/** Returns a value that matches the schema. */
export function sample(schema: AnySchema): unknown {
  const first = schema.const ?? schema.examples?.[0] ?? schema.enum?.[0];
  if (first !== undefined) return first;
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {});
  if (schema.type === "array") return [sample(schema.items ?? {})];
  if (schema.type === "boolean") return true;
  if (schema.type === "number" || schema.type === "integer") return schema.minimum ?? 1;
  if (schema.type === "string")
    return formats[schema.format ?? ""] ?? texts.find((text) => new RegExp(schema.pattern ?? "").test(text));
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, sample(of)]));
}

/** Returns the fields that only alternatives other than the first of a `oneOf` require. */
function fieldsOfOthers(body: object | undefined): string[] {
  const { oneOf = [] } = (body ?? {}) as { oneOf?: { required: string[] }[] };
  const [first, ...others] = oneOf.map(({ required }) => required);
  return others.flat().filter((name) => !first?.includes(name));
}

/** Returns the body's fields, each as JSON text. */
export function rightFields({ body }: AnyOperation): Record<string, string> {
  const left = fieldsOfOthers(body);
  return Object.fromEntries(
    Object.entries(body?.properties ?? {})
      .filter(([name]) => !left.includes(name))
      .map(([name, of]) => [name, JSON.stringify(sample(of as AnySchema))]),
  );
}

/** Returns the JSON text of an object with these fields, without those that are undefined. */
export const toBody = (fields: Readonly<Record<string, string | undefined>>): string =>
  `{${Object.entries(fields)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`;

/** Returns the path with `param` in place of each parameter, and a query that keeps waits short. */
export function targetOf(operation: AnyOperation, param = "phv_0", search = ""): string {
  const wait = operation.query?.properties.timeout ? "timeout=1ms&" : "";
  return `${pathOf(operation).replaceAll(/\{\w+\}/g, () => param)}?${wait}${search}`;
}

/** Returns the operation's valid request, as JSON, with these changes. */
export const requestOf = (operation: AnyOperation, changes: Partial<RawRequest>): RawRequest => ({
  method: methodOf(operation),
  target: targetOf(operation),
  body: toBody(rightFields(operation)),
  ...changes,
  headers: { "Content-Type": "application/json", ...changes.headers },
});
