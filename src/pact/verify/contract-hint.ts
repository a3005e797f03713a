/** What the contract promises at the place where a body differs. */
import { closest, distance } from "fastest-levenshtein";
import type { TSchema } from "typebox";
import { payloadSchema } from "../../contract/events.js";
import { type AnyOperation, isBinary, methodOf, pathOf } from "../../contract/operation.js";
import { type Shape, toShape, variantsOf } from "../matching/schema-shape.js";
import type { Visit } from "./interaction-run.js";
import type { CoreMismatch } from "./run-verifier.js";
import { kindIn } from "./webhook-message.js";

/** Of the body that came. */
export interface Promised {
  /** Who promises. */
  name: string;
  schema: TSchema;
}

export function promiseOf(
  { message, request, answer }: Visit,
  operations: readonly AnyOperation[],
): Promised | null {
  const kind = message === null ? null : kindIn(message);
  if (kind !== null) return { name: kind, schema: payloadSchema(kind) };
  const operation = request && operations.find((one) => isAt(one, request));
  const schema = operation?.reply[answer?.status ?? 0];
  return schema && !isBinary(schema) ? { name: operation.id, schema } : null;
}

function isAt(operation: AnyOperation, { method, path }: { method: string; path: string }): boolean {
  const parts = path.split("?")[0]?.split("/") ?? [];
  const own = pathOf(operation).split("/");
  if (methodOf(operation) !== method || own.length !== parts.length) return false;
  return own.every((part, index) => part.startsWith("{") || part === parts[index]);
}

/** What the contract has at that place. */
export function sayContract({ path = "$", mismatch = "" }: CoreMismatch, promise: Promised | null): string {
  if (!promise) return "";
  const missing = /missing the following keys: (.+)/.exec(mismatch)?.[1]?.split(", ") ?? [];
  const keys = path.match(/[a-zA-Z_]\w*|(?<=\[)(?:\d+|\*)(?=\])/g) ?? [];
  const schema = schemaAt(promise.schema, keys);
  if (missing.length > 0) return sayKeys(schema, missing, promise.name);
  return schema ? `; the contract of ${promise.name} has ${sayPlace(keys)} as ${sayTypes(schema)}` : "";
}

const sayPlace = (keys: readonly string[]): string =>
  keys.filter((key) => !isIndex(key)).join(".") || "the body";

function sayKeys(shapes: readonly Shape[] | null, missing: readonly string[], name: string): string {
  const known = Object.keys(shapes?.find(({ properties }) => properties)?.properties ?? {});
  if (known.length === 0) return "";
  const near = missing
    .map((key) => [key, closest(key, known)] as const)
    .filter(([key, one]) => distance(key, one) <= key.length / 3);
  const guess = near.map(([key, one]) => `${key} may mean ${one}`).join(", ");
  return `; the contract of ${name} has ${known.join(", ")} there${guess ? `; ${guess}` : ""}`;
}

const isIndex = (key: string): boolean => /^(?:\d+|\*)$/.test(key);

/** All that the value may be; null where the contract has nothing there. */
function schemaAt(schema: TSchema, keys: readonly string[]): readonly Shape[] | null {
  let shapes = variantsOf(toShape(schema));
  for (const key of keys) {
    const inner = shapes.map((shape) => (isIndex(key) ? shape.items : shape.properties?.[key]));
    shapes = inner.flatMap((shape) => (shape ? variantsOf(shape) : []));
    if (shapes.length === 0) return null;
  }
  return shapes;
}

const sayTypes = (shapes: readonly Shape[]): string => [...new Set(shapes.map(sayType))].join(" or ");

function sayType({ type, enum: values, const: only, format, pattern }: Shape): string {
  if (values) return `one of ${values.join(", ")}`;
  if (only !== undefined) return JSON.stringify(only);
  return `${type ?? "any value"}${format ? ` (${format})` : ""}${pattern ? ` like ${pattern}` : ""}`;
}
