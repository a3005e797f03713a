/** Finds the limits in the schemas of the operations: lengths, counts and ranges, with values on both sides of each. */
import type { AnyOperation } from "../../contract/operation.js";
import { fieldsOf, type JsonSchema } from "../../contract/schema-walk.js";
import { testKeyOperations } from "../allowed-operations.js";

export interface SchemaLimit {
  readonly operation: AnyOperation;
  readonly place: "body" | "query";
  readonly field: string;
  /** Which end: `maximum`, `minLength`. */
  readonly end: "minimum" | "exclusiveMinimum" | "maximum" | "minLength" | "maxLength";
  readonly limit: number;
  /** The last value within the limit, the one before, and the first beyond. */
  readonly inside: unknown;
  readonly further: unknown;
  readonly outside: unknown;
  /** Whether every valid request has a value at the limit, because no other is valid. */
  readonly isOnly: boolean;
}

/** Smallest step of an amount in naira, and of other numbers that need not be whole. */
const koboStep = 0.01;
const fractionStep = 0.001;

function stepOf({ type, "x-error": code }: JsonSchema): number {
  if (type === "integer") return 1;
  return code === "amount_out_of_range" ? koboStep : fractionStep;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

const digitsPattern = /^\^\[0-9\]\{(\d+)\}\$$/;
const urlStart = "https://standin-drift.invalid/";

function textOf(length: number, { format, pattern = "" }: JsonSchema): string {
  if (digitsPattern.test(pattern)) return "22301948576314".slice(0, length);
  const start = format === "uri" || pattern.includes("http") ? urlStart : "";
  return start + "a".repeat(Math.max(0, length - start.length));
}

type Values = Omit<SchemaLimit, "operation" | "place" | "field">;

function limitsOf(schema: JsonSchema): Values[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, pattern = "" } = schema;
  const step = stepOf(schema);
  const digits = digitsPattern.exec(pattern)?.[1] ?? null;
  const found: Values[] = [];
  const add = (end: Values["end"], limit: number, direction: number, at: (by: number) => unknown) =>
    void found.push({
      end,
      limit,
      inside: at(0),
      further: at(-direction),
      outside: at(direction),
      isOnly: digits !== null,
    });
  const atNumber = (limit: number) => (by: number) => rounded(limit + by * step);
  const ofLength = (limit: number) => (by: number) => textOf(limit + by, schema);
  if (minimum !== undefined) add("minimum", minimum, -1, atNumber(minimum));
  if (exclusiveMinimum !== undefined)
    add("exclusiveMinimum", exclusiveMinimum, -1, (by) => rounded(exclusiveMinimum + (by + 1) * step));
  if (maximum !== undefined) add("maximum", maximum, 1, atNumber(maximum));
  if (digits !== null) {
    // Both neighbours of a fixed length are beyond it.
    add("minLength", Number(digits), -1, ofLength(Number(digits)));
    add("maxLength", Number(digits), 1, ofLength(Number(digits)));
  }
  if (minLength !== undefined) add("minLength", minLength, -1, ofLength(minLength));
  if (maxLength !== undefined) add("maxLength", maxLength, 1, ofLength(maxLength));
  return found;
}

/** Returns the limits of all operations that a test key may call. */
export const schemaLimits = (): SchemaLimit[] =>
  testKeyOperations.flatMap((operation) =>
    (["body", "query"] as const).flatMap((place) =>
      fieldsOf(operation[place]).flatMap(({ name: field, schema }) =>
        limitsOf(schema).map((values) => ({ operation, place, field, ...values })),
      ),
    ),
  );
