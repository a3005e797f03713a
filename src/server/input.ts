/** Reads and validates what a request brings: parameters, query, body or form. */
import type { TObject } from "typebox";
import { type ErrorDetail, Refusal } from "../contract/errors.js";
import { formatNearest } from "../contract/nearest.js";
import type { AnyOperation, Upload, UploadedFile } from "../contract/operation.js";
import { compileValidator, detailsOf, mostDetails, type Source, validatorOf } from "../contract/validate.js";
import { isObject } from "../world/json.js";
import { deepest, parseJson, readJsonText } from "./body.js";
import type { Exchange } from "./exchange.js";

export interface RawInput {
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  files: Record<string, UploadedFile>;
}

const nothing = Object.freeze({});

/** Bytes in, values out; nothing is validated yet. Synchronous where there is no body to wait for. */
export function readInput(exchange: Exchange, operation: AnyOperation): RawInput | Promise<RawInput> {
  const query = exchange.search === "" ? {} : readQuery(exchange.search);
  if (operation.upload) return readUpload(exchange, operation.upload, query);
  if (operation.body) return readBody(exchange, query, operation.maxBodyBytes);
  return { query, body: nothing, files: nothing };
}

async function readUpload(exchange: Exchange, upload: Upload, query: RawInput["query"]): Promise<RawInput> {
  const { readForm } = await import("./upload.js");
  const { fields, files } = await readForm(exchange.request, exchange.response, upload);
  return { query, body: fields, files };
}

async function readBody(exchange: Exchange, query: RawInput["query"], limit?: number): Promise<RawInput> {
  exchange.bodyText = await readJsonText(exchange.request, limit);
  // A document of many records holds their bodies some levels further in.
  const levels = limit === undefined ? deepest : deepest + 4;
  return { query, body: parseJson(exchange.bodyText, levels), files: nothing };
}

function readQuery(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const all = new URLSearchParams(search);
  for (const name of new Set(all.keys())) {
    const values = all.getAll(name);
    Object.defineProperty(query, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return query;
}

/** The schemas of an operation's input, each with the way in which its values come. */
function schemasOf({ params, query, body, upload }: AnyOperation): readonly [TObject, Source][] {
  const schemas: [TObject, Source][] = [];
  if (params) schemas.push([params, "text"]);
  if (query) schemas.push([query, "text"]);
  if (body) schemas.push([body, upload ? "text" : "json"]);
  return schemas;
}

/** Operations whose validators are compiled. */
const compiled = new WeakSet<AnyOperation>();

/** Compiles what the operation's first request needs; null when all of it is compiled. */
export function compileInput(operation: AnyOperation): Promise<unknown> | null {
  if (compiled.has(operation)) return null;
  const missing = schemasOf(operation).filter(([schema, source]) => !validatorOf(schema, source));
  if (missing.length > 0) {
    return Promise.all(missing.map(([schema, source]) => compileValidator(schema, source)));
  }
  compiled.add(operation);
  return null;
}

/** Where unknown fields are refused; bodies may say so in their schemas, too. */
export type Strictness = "nowhere" | "query" | "everywhere";

/** Throws one Refusal that names every field that is wrong. The validators are compiled. */
export function validateInput(
  operation: AnyOperation,
  params: Readonly<Record<string, string>>,
  input: RawInput,
  strict: Strictness,
): void {
  const details: ErrorDetail[] = [];
  const check = (schema: TObject, value: Record<string, unknown>, source: Source) => {
    const validate = validatorOf(schema, source);
    if (validate && !validate(value)) details.push(...detailsOf(validate));
  };
  if (operation.params) check(operation.params, params, "text");
  if (operation.query) check(operation.query, input.query, "text");
  if (operation.body) check(operation.body, input.body, operation.upload ? "text" : "json");
  for (const name of Object.keys(operation.upload ?? nothing)) {
    if (!input.files[name]) {
      details.push({
        param: name,
        code: "missing_field",
        message: `${name} is required: a file in a form field of that name.`,
      });
    }
  }
  if (strict !== "nowhere") details.push(...unknownFields(operation, input, strict));
  if (details.length > 0) throw toRefusal(details);
}

type Fields = Readonly<Record<string, unknown>>;

/** An operation without a schema takes no field. */
function unknownFields(
  { query, body, upload }: AnyOperation,
  input: RawInput,
  strict: Strictness,
): ErrorDetail[] {
  const inQuery = unknownIn(input.query, query?.properties ?? nothing, "query");
  if (strict === "query") return inQuery.slice(0, mostDetails);
  const inBody = unknownIn(input.body, { ...body?.properties, ...upload }, upload ? "form" : "body");
  return [...inQuery, ...inBody].slice(0, mostDetails);
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
    message: `${param} is not a field of the ${place}, which takes ${right}${formatNearest(param, known)}.`,
  };
}

/** One code when all details share it, validation_error otherwise. */
function toRefusal(details: readonly ErrorDetail[]): Refusal {
  const [first] = details as [ErrorDetail, ...ErrorDetail[]];
  const code = details.every((detail) => detail.code === first.code) ? first.code : "validation_error";
  const message = details.map((detail) => detail.message).join(" ");
  return new Refusal(code, { param: first.param, message, details });
}
