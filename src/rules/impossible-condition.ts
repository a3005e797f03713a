/** Finds conditions that no request can meet: requests are validated before rules are tried. */
import type { TSchema } from "typebox";
import { absent, isObject } from "../contract/json.js";
import { formatNearest, nearestNames } from "../contract/nearest.js";
import { type AnyOperation, pathOf } from "../contract/operation.js";
import { matchPath } from "../contract/route.js";
import { type JsonSchema, toJsonSchema, variantsOf } from "../contract/schema-walk.js";
import { isPattern as isPatternText } from "./patterns.js";
import type { MatchFields } from "./rule-input.js";

export interface ImpossibleCondition {
  /** Path of the condition, with dots. */
  at: string;
  reason: string;
}

/** The fields that a part of a request may have. */
interface Part {
  /** Schemas of the part, one for each operation. */
  schemas: readonly JsonSchema[];
  /** Whether a request has no other fields than these. */
  isClosed: boolean;
  /** Whether other fields are texts. */
  isText: boolean;
}

/** Maximum number of fields of an object that are checked, which limits the work caused by a hostile rule. */
const maxFieldsChecked = 200;

type Fields = Readonly<Record<string, unknown>>;
type PartName = "params" | "query" | "body" | "files";

/** Returns the first condition that no request of these operations can meet, or null. */
export function impossibleCondition(
  when: MatchFields,
  targets: readonly AnyOperation[],
): ImpossibleCondition | null {
  const found = impossiblePath(when.path, targets);
  if (found) return found;
  const schemasOf = (part: "params" | "query" | "body") =>
    targets.map(({ [part]: schema }) => (schema ? toJsonSchema(schema) : {}));
  const parts: Record<PartName, Part> = {
    params: { schemas: schemasOf("params"), isClosed: true, isText: true },
    query: { schemas: schemasOf("query"), isClosed: false, isText: true },
    body: { schemas: schemasOf("body"), isClosed: false, isText: targets.every(({ upload }) => upload) },
    files: { schemas: targets.map(filesSchema), isClosed: true, isText: false },
  };
  for (const [name, part] of Object.entries(parts)) {
    const inPart = impossibleField((when[name as PartName] ?? {}) as Fields, part, name);
    if (inPart) return inPart;
  }
  return null;
}

/**
 * Returns a field of an event's data that is probably a typing error, or null. Other unknown fields are accepted, since an
 * event that is sent by hand may have any.
 */
export function mistypedData(
  { data = {} }: MatchFields,
  schemas: readonly TSchema[],
): ImpossibleCondition | null {
  const known = namesIn(schemas.flatMap((schema) => variantsOf(toJsonSchema(schema))));
  const name = Object.keys(data)
    .slice(0, maxFieldsChecked)
    .find((field) => !known.includes(field) && isMistyped(field, known));
  return name === undefined ? null : unknownName(name, known, false, `data.${name}`);
}

const namesIn = (schemas: readonly JsonSchema[]): string[] => [
  ...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties))),
];

const filesSchema = ({ upload }: AnyOperation): JsonSchema => ({
  properties: Object.fromEntries(Object.keys(upload ?? {}).map((name) => [name, {}])),
});

const isPattern = (value: unknown): boolean => typeof value === "string" && isPatternText(value);

/** Returns whether a text is filled in by a scenario, so that its value is not known yet. */
const isFilledIn = (value: unknown): boolean => typeof value === "string" && value.includes("${");

function impossiblePath(
  path: string | undefined,
  targets: readonly AnyOperation[],
): ImpossibleCondition | null {
  if (path === undefined || isPattern(path) || isFilledIn(path)) return null;
  const paths = targets.map(pathOf);
  if (paths.some((known) => matchPath(known, path) !== null)) return null;
  const reason = paths.length === 1 ? `the path is ${paths[0]}` : "no operation has this path";
  return { at: "path", reason: `never matches, since ${reason}` };
}

function impossibleField(fields: Fields, part: Part, path: string): ImpossibleCondition | null {
  const known = namesIn(part.schemas);
  for (const [name, value] of Object.entries(fields).slice(0, maxFieldsChecked)) {
    const at = `${path}.${name}`;
    if (value === absent || isFilledIn(value)) continue;
    const found = known.includes(name)
      ? impossibleValue(value, part, name, at)
      : (unknownName(name, known, part.isClosed, at) ?? (part.isText ? nonText(value, at) : null));
    if (found) return found;
  }
  return null;
}

/** Returns why a name is refused: because there can be no such field, or because it is probably a typing error. */
function unknownName(
  name: string,
  known: readonly string[],
  isClosed: boolean,
  at: string,
): ImpossibleCondition | null {
  if (!isClosed && !isMistyped(name, known)) return null;
  const given = name.slice(0, 100);
  const right = known.length > 0 ? `; there is ${known.join(", ")}` : "";
  return { at, reason: `there is no field ${JSON.stringify(given)}${formatNearest(given, known) || right}` };
}

/** Returns whether an unknown name is so close to a known one that it is probably a typing error. */
export const isMistyped = (name: string, known: readonly string[]): boolean =>
  nearestNames(name, known, { maxDistance: Math.floor(name.length / 3) }).length > 0;

function impossibleValue(
  value: unknown,
  { schemas, isClosed, isText }: Part,
  name: string,
  at: string,
): ImpossibleCondition | null {
  const found = schemas.flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, name) ? properties[name] : [],
  );
  // An operation that does not declare the field accepts any value in it.
  if (found.length < schemas.length && !isClosed) return null;
  const variants = found.flatMap((schema) => variantsOf(schema as JsonSchema));
  const objects = variants.filter(({ properties }) => properties);
  if (isObject(value) && objects.length > 0)
    return impossibleField(value, { schemas: objects, isClosed: false, isText }, at);
  if (variants.some((schema) => canMeet(schema, value))) return null;
  return { at, reason: `${describeValue(value)} never matches: ${describeWhy(value, variants, name)}` };
}

/** Names of the types in a schema that a placeholder such as `<time>` stands for. */
const typesOfPlaceholder: Readonly<Record<string, readonly string[]>> = {
  "<string>": ["string"],
  "<time>": ["string"],
  "<number>": ["number", "integer"],
  "<integer>": ["number", "integer"],
  "<boolean>": ["boolean"],
  "<null>": ["null"],
  "<array>": ["array"],
  "<object>": ["object"],
};
const typesOfPattern = ["string", "number", "integer", "boolean"];

/** Returns the types of a schema that fit a condition. Null if all do. */
function typesFitting(value: unknown): readonly string[] | null {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (isPattern(value)) return typesOfPattern;
  if (value === "<any>") return null;
  if (typeof value === "string") return typesOfPlaceholder[value] ?? ["string"];
  return Number.isInteger(value) ? ["number", "integer"] : [typeof value];
}

/** Returns whether a condition matches a single value only. */
const isLiteral = (value: unknown): boolean =>
  !isObject(value) &&
  !Array.isArray(value) &&
  !isPattern(value) &&
  !(typeof value === "string" && (value === "<any>" || Object.hasOwn(typesOfPlaceholder, value)));

/** Returns whether a value of the schema can meet the condition. */
function canMeet(schema: JsonSchema, value: unknown): boolean {
  const values = valuesOf(schema);
  if (values) return isLiteral(value) ? values.includes(value) : true;
  const known = typesOf(schema);
  const fitting = typesFitting(value);
  return known.length === 0 || fitting === null || known.some((type) => fitting.includes(type));
}

/** Returns the values that a schema lists. Null if it lists none. */
const valuesOf = ({ enum: values, const: only }: JsonSchema): readonly unknown[] | null =>
  values ?? (only === undefined ? null : [only]);

const typesOf = ({ type = [] }: { type?: string | readonly string[] }): readonly string[] => [type].flat();

function describeWhy(value: unknown, variants: readonly JsonSchema[], name: string): string {
  if (value === null || value === "<null>")
    return `a field that is null counts as left out, or is refused; use "<absent>"`;
  const values = variants.flatMap((schema) => valuesOf(schema) ?? []);
  if (values.length > 0) {
    const nearest = typeof value === "string" ? formatNearest(value, values.map(String)) : "";
    return `${name} is ${values.map((allowed) => JSON.stringify(allowed)).join(" or ")}${nearest}`;
  }
  return `${name} is of type ${[...new Set(variants.flatMap(typesOf))].join(" or ")}`;
}

/** Returns why a field that is sent as text cannot have the value, or null. */
function nonText(value: unknown, at: string): ImpossibleCondition | null {
  const fitting = typesFitting(value);
  if (fitting === null || fitting.some((type) => type === "string" || type === "array")) return null;
  const text = typeof value === "number" || typeof value === "boolean" ? `; use "${value}"` : "";
  return { at, reason: `${describeValue(value)} never matches: the field is sent as text${text}` };
}

const describeValue = (value: unknown): string => JSON.stringify(value).slice(0, 100);
