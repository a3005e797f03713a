/** Validators of the contract's schemas, compiled by Ajv on first use, and their errors as messages of the API. */
import type { ErrorObject, ValidateFunction } from "ajv";
import type { TObject, TSchema } from "typebox";
import { type ErrorCode, type ErrorDetail, errors } from "./errors.js";
import { nearestNames } from "./nearest.js";
import type { Extent } from "./operation.js";

class Compiler {
  #compile: Promise<(schema: TSchema) => ValidateFunction> | undefined;
  readonly compiled = new WeakMap<TSchema, ValidateFunction>();

  constructor(readonly extent: Extent) {}

  async compile(schema: TSchema): Promise<ValidateFunction> {
    this.#compile ??= this.#load();
    const validate = (await this.#compile)(schema);
    this.compiled.set(schema, validate);
    return validate;
  }

  async #load() {
    const { createAjv } = await import("./ajv.js");
    const ajv = createAjv(this.extent === "all");
    return (schema: TSchema) => ajv.compile(schema);
  }
}

const compilers = { all: new Compiler("all"), first: new Compiler("first") };

/** Returns the validator if it has been compiled. */
export const validatorOf = (schema: TSchema, extent: Extent = "all"): ValidateFunction | undefined =>
  compilers[extent].compiled.get(schema);

export const compileValidator = (schema: TSchema, extent: Extent = "all"): Promise<ValidateFunction> =>
  compilers[extent].compile(schema);

const integerForm = /^-?(?:0|[1-9]\d*)$/;
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Parses a text of a query or form as a value of the type. Returns the text if it cannot be parsed. */
function readText(type: unknown, text: string): unknown {
  if (type === "integer" && integerForm.test(text)) return Number(text);
  if (type === "number" && numberForm.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/**
 * Replaces the texts of a query, path or form by the numbers and booleans that its schema expects. Numbers are
 * accepted in plain decimal notation only; Ajv's own coercion would also accept `1e1`, `0x0c` and ` 12`.
 */
export function readTexts({ properties }: TObject, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string" || !Object.hasOwn(properties, name)) continue;
    values[name] = readText((properties[name] as { type?: unknown }).type, value);
  }
}

/**
 * Maximum number of problems that an error lists. Without it, a hostile body could cause a reply many times its size.
 */
export const maxErrorDetails = 20;

/** Maximum number of sent names that are compared with a missing one, which bounds the work that a hostile body causes. */
const maxNamesCompared = 50;

/** Maximum number of unknown names that the refusal of a missing field shows. */
const maxNamesShown = 3;

/**
 * Returns the problems of the last validated value, one per field, with the field's own code if it has one. `place` says
 * where the fields were sent, such as `body`.
 */
export function detailsOf(validate: ValidateFunction, place = "input"): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  const unknownNames = unknownNamesReader();
  for (const error of withUnionTypes(validate.errors ?? [])) {
    // The error of the union is more helpful than the errors of its alternatives.
    if (error.schemaPath.includes("/oneOf/")) continue;
    const detail = toDetail(error, place, unknownNames);
    if (!details.has(detail.param)) details.set(detail.param, detail);
    if (details.size === maxErrorDetails) break;
  }
  return [...details.values()];
}

/** Matches the path of the type in the schema of an alternative. */
const typeOfAlternative = /^(.*\/anyOf)\/\d+\/type$/;

/** Returns the place of the union whose alternative has another type than the value, or undefined for other errors. */
function unionOf({ keyword, schemaPath, instancePath }: ErrorObject): string | undefined {
  const union = keyword === "type" ? typeOfAlternative.exec(schemaPath)?.[1] : undefined;
  return union && `${union} ${instancePath}`;
}

/**
 * Returns the errors. If a value has the type of no alternative of a union, one error names the types of all;
 * otherwise, the errors of the alternative with its type remain.
 */
function withUnionTypes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const types = new Map<string, unknown[]>();
  for (const error of errors) {
    const union = unionOf(error);
    if (union !== undefined) types.set(union, [...(types.get(union) ?? []), error.params.type]);
  }
  const named = new Map<string, unknown[]>();
  for (const { keyword, schema, schemaPath, instancePath } of errors) {
    const union = `${schemaPath} ${instancePath}`;
    const found = types.get(union) ?? [];
    if (keyword === "anyOf" && found.length === (schema as unknown[]).length) named.set(union, found.flat());
  }
  return errors.flatMap((error) => {
    const union = unionOf(error);
    if (union === undefined) return error.keyword === "anyOf" ? [] : [error];
    const type = named.get(union);
    return type ? [{ ...error, params: { type } }] : [];
  });
}

const dotted = (pointer: string): string =>
  pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");

function toDetail(error: ErrorObject, place: string, unknownNames: UnknownNames): ErrorDetail {
  const at = dotted(error.instancePath);
  if (error.keyword === "required") {
    const pathOf = (name: string) => (at ? `${at}.${name}` : name);
    const missing = String(error.params.missingProperty);
    const param = pathOf(missing);
    const unknown = unknownNames(error);
    const [sent] = nearestNames(missing, unknown);
    if (sent !== undefined) {
      const message = `${param} is required; the ${place} has ${pathOf(sent)}.`;
      return { param, code: "missing_field", message };
    }
    const { properties = {} } = error.parentSchema as {
      properties?: Record<string, { description?: string }>;
    };
    // Names such as `id` do not say which record they identify.
    const isUnclear = /(?:^|_)id$/.test(missing) && unknown.length > 0;
    const meaning = isUnclear ? properties[missing]?.description : undefined;
    if (meaning === undefined) return { param, code: "missing_field", message: `${param} is required.` };
    const others = unknown.slice(0, maxNamesShown).map(pathOf).join(", ");
    const means = meaning.charAt(0).toLowerCase() + meaning.slice(1);
    const message = `${param} is required: ${means}; the ${place} has ${others} in its place.`;
    return { param, code: "missing_field", message };
  }
  if (error.keyword === "additionalProperties") {
    const unknown = String(error.params.additionalProperty);
    const param = at ? `${at}.${unknown}` : unknown;
    return { param, code: "unknown_field", message: `${param} is not a field of this operation.` };
  }
  const schema = error.parentSchema as Schema;
  const name = at || "the body";
  if (error.keyword !== "type" && schema["x-error"] && schema["x-error"] in errors) {
    const message = `${name} must be ${schema["x-rule"]}; ${formatValue(error.data)} is not.`;
    return { param: at, code: schema["x-error"] as ErrorCode, message };
  }
  return {
    param: at,
    code: "validation_error",
    message: isAboutFields(error)
      ? `${name} ${describeRule(error)}.`
      : `${name} ${describeRule(error)}; got ${formatValue(error.data)}.`,
  };
}

/** Returns the names in an error's object that its schema does not declare, without names of more than 100 characters. */
type UnknownNames = (error: ErrorObject) => string[];

/**
 * Returns a reader that caches unknown names: each missing field of an object asks for them, and listing the names of a
 * hostile object takes milliseconds.
 */
function unknownNamesReader(): UnknownNames {
  const names = new Map<unknown, string[]>();
  return ({ data, parentSchema }) => {
    const { properties = {} } = parentSchema as Schema;
    const sent = names.get(data) ?? Object.keys(data as object).slice(0, maxNamesCompared);
    names.set(data, sent);
    return sent.filter((name) => name.length <= 100 && !Object.hasOwn(properties, name));
  };
}

/** Returns whether the error is about which fields an object has, rather than about one value. */
const isAboutFields = ({ keyword }: ErrorObject): boolean => ["minProperties", "oneOf"].includes(keyword);

type Parameters = Readonly<Record<string, unknown>>;

const countOf = (limit: unknown, noun: string): string => `${limit} ${noun}${limit === 1 ? "" : "s"}`;

/** Ends of the sentence "<field> must …", by the violated keyword of the schema. */
const describeKeyword: Readonly<Record<string, (params: Parameters, schema: Schema) => string>> = {
  type: ({ type }) => `be ${[type].flat().map(withArticle).join(" or ")}`,
  enum: ({ allowedValues }) => `be one of ${(allowedValues as unknown[]).join(", ")}`,
  const: ({ allowedValue }) => `be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) => `be a valid ${format}`,
  oneOf: (_params, schema) => `have ${describeRequired(schema)}`,
  minProperties: (_params, schema) => `have ${describeRequired(schema)}`,
  pattern: ({ pattern }) => `match ${pattern}`,
  minimum: ({ limit }) => `be at least ${limit}`,
  maximum: ({ limit }) => `be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `be greater than ${limit}`,
  minLength: ({ limit }) => `have at least ${countOf(limit, "character")}`,
  maxLength: ({ limit }) => `have at most ${countOf(limit, "character")}`,
  minItems: ({ limit }) => `have at least ${countOf(limit, "item")}`,
  maxItems: ({ limit }) => `have at most ${countOf(limit, "item")}`,
};

interface Schema {
  properties?: object;
  "x-error"?: string;
  "x-rule"?: string;
}

const describeRequired = ({ properties = {}, "x-rule": rule }: Schema): string =>
  rule ?? `at least one of ${Object.keys(properties).join(", ") || "its fields"}`;

function describeRule({ keyword, params, parentSchema, message }: ErrorObject): string {
  const what = describeKeyword[keyword]?.(params as Parameters, parentSchema as Schema);
  return what === undefined ? (message ?? "is not valid") : `must ${what}`;
}

function withArticle(type: unknown): string {
  if (type === "null") return "null";
  return /^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`;
}

/** Formats a value for an error message, shortened to 60 characters. */
function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  // A query may have more digits than a number can hold. JSON would write null.
  if (value === Number.POSITIVE_INFINITY) return "a number with hundreds of digits";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}
