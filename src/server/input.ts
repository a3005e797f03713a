/** Validates the input of an operation: path parameters, query, body or form. */
import * as Type from "typebox";
import { type ErrorDetail, Refusal } from "../contract/errors.js";
import { isObject } from "../contract/json.js";
import { formatNearest } from "../contract/nearest.js";
import type { AnyOperation } from "../contract/operation.js";
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
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Operations whose validators have been compiled. */
const compiled = new WeakSet<AnyOperation>();

/** Compiles the validators of an operation on its first call. Returns null when there is nothing to wait for. */
export function compileInput(operation: AnyOperation): Promise<unknown> | null {
  if (compiled.has(operation)) return null;
  const { params, query, body } = operation;
  const missing = [params, query, body].filter((schema) => schema !== undefined && !validatorOf(schema));
  if (missing.length > 0)
    return Promise.all(missing.map((schema) => compileValidator(schema as Type.TObject)));
  compiled.add(operation);
  return null;
}

/** Where unknown fields are refused. Schemas of bodies may refuse them as well. */
export type Strictness = "nowhere" | "query" | "everywhere";

/** Returns whether a schema accepts null. */
const acceptsNull = (schema: Type.TSchema): boolean =>
  Type.IsUnknown(schema) ||
  Type.IsNull(schema) ||
  (Type.IsUnion(schema) && schema.anyOf.some((one) => acceptsNull(one)));

/**
 * Returns the fields without those that are optional, null and not nullable, at any depth: switch `omitted` of assumption
 * fields.null.
 */
export function omitNulls({ properties, required }: Type.TObject, fields: RawFields): RawFields {
  // Most bodies are flat and have no null, and need no copy.
  if (!Object.values(fields).some((value) => typeof value === "object")) return fields;
  const schemaOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const isOmitted = (name: string, schema = schemaOf(name)) =>
    schema && !required?.includes(name) && !acceptsNull(schema);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => value !== null || !isOmitted(name))
      .map(([name, value]) => {
        const schema = schemaOf(name);
        const isNested = schema && Type.IsObject(schema) && isObject(value);
        return [name, isNested ? omitNulls(schema, value) : value];
      }),
  );
}

/** Throws one refusal that names every invalid field. Needs compiled validators. */
export function validateInput(operation: AnyOperation, input: RawInput, strict: Strictness): void {
  const details: ErrorDetail[] = [];
  const form = operation.upload !== undefined;
  const check = (schema: Type.TObject | undefined, value: RawFields, place: string, isText: boolean) => {
    const validate = schema && validatorOf(schema);
    if (!validate) return;
    if (isText) readTexts(schema, value);
    if (!validate(value)) details.push(...detailsOf(validate, place));
  };
  check(operation.params, input.params, "path", true);
  check(operation.query, input.query, "query", true);
  check(operation.body, input.body, form ? "form" : "body", form);
  for (const name of Object.keys(operation.upload ?? nothing)) {
    if (!input.files[name]) {
      details.push({
        param: name,
        code: "missing_field",
        message: `${name} is required: send a file in a form field of that name.`,
      });
    }
  }
  if (strict !== "nowhere") details.push(...unknownFields(operation, input, strict));
  if (details.length > 0) throw toRefusal(details);
}

/** Returns the unknown fields. An operation without a schema has no fields. */
function unknownFields(
  { query, body, upload }: AnyOperation,
  input: RawInput,
  strict: Strictness,
): ErrorDetail[] {
  const inQuery = unknownIn(input.query, query?.properties ?? nothing, "query");
  if (strict === "query") return inQuery.slice(0, maxErrorDetails);
  const inBody = unknownIn(input.body, { ...body?.properties, ...upload }, upload ? "form" : "body");
  return [...inQuery, ...inBody].slice(0, maxErrorDetails);
}

function unknownIn(value: Fields, known: Fields, place: string, path = ""): ErrorDetail[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const param = `${path}${name}`;
    const { properties } = (Object.hasOwn(known, name) ? known[name] : nothing) as { properties?: Fields };
    if (properties && isObject(inner)) return unknownIn(inner, properties, place, `${param}.`);
    return Object.hasOwn(known, name) ? [] : [unknownField(param, place, Object.keys(known))];
  });
}

function unknownField(param: string, place: string, known: readonly string[]): ErrorDetail {
  const right = known.length > 0 ? known.join(", ") : "none";
  return {
    param,
    code: "unknown_field",
    message: `${param} is not a field of the ${place}, which has ${right}${formatNearest(param, known)}.`,
  };
}

/** Uses the code that all details share, or validation_error. */
function toRefusal(details: readonly ErrorDetail[]): Refusal {
  const [first] = details as [ErrorDetail, ...ErrorDetail[]];
  const code = details.every((detail) => detail.code === first.code) ? first.code : "validation_error";
  const message = details.map((detail) => detail.message).join(" ");
  return new Refusal(code, { param: first.param, message, details });
}
