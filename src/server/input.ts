/** Validates the input of an operation: path parameters, query, body or form. */
import * as Type from "typebox";
import { type ErrorDetail, Refusal } from "../contract/errors.js";
import { isObject } from "../contract/json.js";
import { formatNearest } from "../contract/nearest.js";
import type { AnyOperation, Extent } from "../contract/operation.js";
import type { UploadedFile } from "../contract/upload.js";
import {
  compileValidator,
  detailsOf,
  maxErrorDetails,
  readTexts,
  validatorOf,
} from "../contract/validate.js";

type RawFields = Record<string, unknown>;
type Fields = Readonly<RawFields>;

const nothing = Object.freeze({});

/** Input of an operation, before validation. */
export interface RawInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  files: Record<string, UploadedFile>;
  /** Which problems of the body a refusal names. Default: all. */
  extent?: Extent | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Length in characters above which the refusal of a body names only its first problem. */
const maxCharactersOfAllProblems = 100_000;

/** Returns whether all problems of a body are reported, or only the first. */
export const extentFor = (bodyText: string | null): Extent =>
  bodyText !== null && bodyText.length > maxCharactersOfAllProblems ? "first" : "all";

/** Parts of a request in which unknown fields are refused. Schemas of bodies may refuse them as well. */
export type Strictness = "nowhere" | "query" | "everywhere";

/** Returns whether a schema accepts null. */
const acceptsNull = (schema: Type.TSchema): boolean =>
  Type.IsUnknown(schema) ||
  Type.IsNull(schema) ||
  (Type.IsUnion(schema) && schema.anyOf.some((variant) => acceptsNull(variant)));

/**
 * Returns the fields without optional ones that are null but not nullable, at any depth: switch `omitted` of assumption
 * fields.null.
 */
export function omitNulls({ properties, required }: Type.TObject, fields: RawFields): RawFields {
  let kept = fields;
  const change = (name: string, value?: unknown) => {
    if (kept === fields) kept = { ...fields };
    if (value === undefined) delete kept[name];
    else kept[name] = value;
  };
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    if (value === null) {
      if (!required?.includes(name) && !acceptsNull(schema)) change(name);
    } else if (Type.IsObject(schema) && isObject(value)) {
      const inner = omitNulls(schema, value);
      if (inner !== value) change(name, inner);
    }
  }
  return kept;
}

/** Returns a promise until the validators of an operation are compiled, on its first call, and null from then on. */
export function compileInput(
  { params, query, body }: AnyOperation,
  extent: Extent = "all",
): Promise<unknown> | null {
  const compiling: Promise<unknown>[] = [];
  if (params && !validatorOf(params)) compiling.push(compileValidator(params));
  if (query && !validatorOf(query)) compiling.push(compileValidator(query));
  if (body && !validatorOf(body, extent)) compiling.push(compileValidator(body, extent));
  return compiling.length > 0 ? Promise.all(compiling) : null;
}

/** Throws one refusal that names every invalid field. The validators of the operation must have been compiled. */
export function validateInput(operation: AnyOperation, input: RawInput, strict: Strictness): void {
  const { params, query, body, upload } = operation;
  const details: ErrorDetail[] = [];
  if (params) check(params, input.params, "path", details);
  if (query) check(query, input.query, "query", details);
  if (body) check(body, input.body, upload ? "form" : "body", details, input.extent);
  if (upload) {
    for (const name of Object.keys(upload)) {
      if (input.files[name]) continue;
      details.push({
        param: name,
        code: "missing_field",
        message: `${name} is required: send a file in a form field of that name.`,
      });
    }
  }
  if (strict !== "nowhere") {
    let left = maxErrorDetails;
    for (const detail of unknownFields(operation, input, strict)) {
      details.push(detail);
      if (--left === 0) break;
    }
  }
  if (details.length > 0) throw toRefusal(details);
}

/** Adds the problems of one part of the input to the details. */
function check(
  schema: Type.TObject,
  value: RawFields,
  place: "path" | "query" | "form" | "body",
  details: ErrorDetail[],
  extent: Extent = "all",
): void {
  if (place !== "body") readTexts(schema, value);
  const validate = validatorOf(schema, extent);
  if (!validate) throw new Error(`the validator of the ${place} is not compiled`);
  if (!validate(value)) details.push(...detailsOf(validate, place));
}

/** Yields the unknown fields. An operation without a schema has no fields. */
function* unknownFields(
  { query, body, upload }: AnyOperation,
  input: RawInput,
  strict: Exclude<Strictness, "nowhere">,
): Generator<ErrorDetail> {
  yield* unknownIn(input.query, query?.properties ?? nothing, "query");
  if (strict === "everywhere")
    yield* unknownIn(input.body, { ...body?.properties, ...upload }, upload ? "form" : "body");
}

function* unknownIn(value: Fields, known: Fields, place: string, path = ""): Generator<ErrorDetail> {
  for (const name of Object.keys(value)) {
    const param = `${path}${name}`;
    const { properties } = (Object.hasOwn(known, name) ? known[name] : nothing) as { properties?: Fields };
    const inner = value[name];
    if (properties && isObject(inner)) yield* unknownIn(inner, properties, place, `${param}.`);
    else if (!Object.hasOwn(known, name)) yield unknownField(param, place, Object.keys(known));
  }
}

function unknownField(param: string, place: string, known: readonly string[]): ErrorDetail {
  const right = known.length > 0 ? known.join(", ") : "none";
  return {
    param,
    code: "unknown_field",
    message: `${param} is not a field of the ${place}, which has ${right}${formatNearest(param, known)}.`,
  };
}

/** Returns the refusal, with the code that all details share, or validation_error. */
function toRefusal(details: readonly ErrorDetail[]): Refusal {
  const [first] = details as [ErrorDetail, ...ErrorDetail[]];
  const code = details.every((detail) => detail.code === first.code) ? first.code : "validation_error";
  const message = details.map((detail) => detail.message).join(" ");
  return new Refusal(code, { param: first.param, message, details });
}
