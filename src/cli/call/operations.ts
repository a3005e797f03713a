/** Finds, describes and prepares calls of operations of service and control API, for `standin call`, its completion and agents. */

import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { TSchema } from "typebox";
import { describeRemovedOperation } from "../../contract/control-routes.js";
import { findNumber, parseJson, putAt } from "../../contract/json.js";
import { formatNearest } from "../../contract/nearest.js";
import {
  type AnyOperation,
  commonOutcomes,
  isServiceOperation,
  methodOf,
  pathOf,
} from "../../contract/operation.js";
import { describeFileError } from "../../contract/read-file.js";
import { fillPath, formatTarget } from "../../contract/route.js";
import {
  describeSchema,
  fieldsIn,
  type JsonSchema,
  type SchemaWords,
  schemasAt,
  variantsOf,
} from "../../contract/schema-walk.js";
import { controlOperations } from "../../control/index.js";
import { serviceOperations } from "../../service/index.js";
import { UsageError } from "../errors.js";

/** All operations, with the operations of the service first. */
export const operations: readonly AnyOperation[] = [...serviceOperations, ...controlOperations];

/** Returns the operation with this id, or else the operations that have all of the words in their id, path or summary. */
export function findOperations(query: string, among: readonly AnyOperation[]): readonly AnyOperation[] {
  const exact = among.find(({ id }) => id === query);
  if (exact) return [exact];
  const words = query
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return among.filter((operation) => {
    const text = `${operation.id} ${operation.route} ${operation.summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the operation with this id, or throws a UsageError that names the nearest ids. */
export function callableOperation(id: string): AnyOperation {
  const found = operations.find((operation) => operation.id === id);
  if (found) return found;
  const removed = describeRemovedOperation(id);
  if (removed) throw new UsageError(removed);
  const similar = findOperations(id, operations).slice(0, 8);
  const ids = operations.map((operation) => operation.id);
  const hint =
    formatNearest(id, ids, { limit: 3 }) ||
    (similar.length > 0
      ? `; some have it in their name or path: ${similar.map((operation) => operation.id).join(", ")}`
      : "");
  throw new UsageError(`there is no operation ${id.slice(0, 60)}${hint}; "standin call" lists all`);
}

/** Describes an operation's input, outcomes and errors, one line each. */
export function describeOperation(operation: AnyOperation): string {
  const { id, route, summary, params, query, body, outcomes = {}, refuses = [], auth } = operation;
  const [byDefault] = Object.keys(outcomes);
  const ofService = isServiceOperation(operation);
  return [
    `${id}  ${route}  ${summary}${auth === "session" ? " (session token; call adds it)" : ""}`,
    ...describeFields("param", params),
    ...describeFields("query", query),
    ...describeFields("body", body),
    ...filesOf(operation),
    ...Object.entries(outcomes).map(
      ([name, text]) => `outcome ${name}${name === byDefault ? " (default)" : ""}: ${text}`,
    ),
    ...(ofService ? [`outcomes of every operation: ${Object.keys(commonOutcomes).join(", ")}`] : []),
    `errors: ${refuses.join(", ") || "only the common ones"}`,
  ].join("\n");
}

const filesOf = ({ upload = {} }: AnyOperation): string[] =>
  Object.entries(upload).map(
    ([name, { types, maxMB }]) => `file ${name}: ${types?.join(", ") ?? "any type"}, up to ${maxMB} MB`,
  );

const describeFields = (place: string, schema: AnyOperation["body"]): string[] =>
  fieldsIn(schema).map(({ name, schema: field, isRequired }) => {
    const notes = field.anyOf ? notesOf(field) : "";
    return `${place} ${name}${isRequired ? "" : "?"}: ${describeSchema(field, words)}${notes}`;
  });

const words: SchemaWords = {
  or: " | ",
  choice: (values, schema) => values.map((value) => JSON.stringify(value)).join(" | ") + notesOf(schema),
  leaf: (schema) =>
    [schema.type ?? "any", schema.format ?? schema["x-rule"]].filter(Boolean).join(" ") + notesOf(schema),
};

function notesOf({ examples, description }: JsonSchema): string {
  const example = examples?.[0] === undefined ? "" : `, such as ${JSON.stringify(examples[0])}`;
  return `${example}${description ? `. ${description}` : ""}`;
}

type Values = Readonly<Record<string, unknown>>;

/** Input of a call. */
export interface OperationValues {
  params?: Values;
  query?: Values;
  body?: Values | undefined;
  /** Paths by upload field. */
  files?: Readonly<Record<string, string>>;
  outcome?: string | undefined;
}

/** Requirements of a call on its caller. */
export interface CallMeans {
  openFile(path: string, field: string): Promise<File>;
  issueSessionToken(): Promise<string>;
}

/**
 * Opens a file of this machine to upload. Rejects with a UsageError, for folders too: they would only fail during the upload, as
 * a lost connection.
 */
export async function openFile(path: string, field: string): Promise<File> {
  try {
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return new File([await openAsBlob(path)], basename(path));
  } catch (error) {
    const reason = describeFileError(error as NodeJS.ErrnoException);
    throw new UsageError(
      `the file ${path} of the field ${field} cannot be read: ${reason}; give the path of a file that exists`,
    );
  }
}

export interface CallRequest {
  readonly path: string;
  readonly init: RequestInit & { method: string; headers: Record<string, string> };
}

/** Returns the request of a call. Throws a UsageError if a path parameter is missing. */
export async function toRequest(
  operation: AnyOperation,
  { params = {}, query = {}, body, files = {}, outcome }: OperationValues,
  { openFile, issueSessionToken }: CallMeans,
): Promise<CallRequest> {
  const path = fillPath(pathOf(operation), (name) => {
    if (params[name] === undefined)
      throw new UsageError(
        `${operation.id} needs params: {"${name}": "…"}; its path is ${pathOf(operation)}.`,
      );
    return encodeURIComponent(String(params[name]));
  });
  const { upload, auth } = operation;
  const content = async (): Promise<string | FormData | undefined> => {
    if (!upload)
      return operation.body && !isLeftOut(operation, body) ? JSON.stringify(body ?? {}) : undefined;
    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
    for (const [name, file] of Object.entries(files)) form.set(name, await openFile(file, name));
    return form;
  };
  const sent = await content();
  return {
    path: formatTarget(path, query),
    init: {
      method: methodOf(operation),
      ...(sent === undefined ? {} : { body: sent }),
      headers: {
        ...(typeof sent === "string" ? { "Content-Type": "application/json" } : {}),
        ...(auth === "session" ? { Authorization: `Bearer ${await issueSessionToken()}` } : {}),
        ...(outcome === undefined ? {} : { "X-Sandbox-Outcome": outcome }),
      },
    },
  };
}

const isLeftOut = ({ bodyOptional }: AnyOperation, body: Values | undefined): boolean =>
  bodyOptional === true && body === undefined;

type Place = "params" | "query" | "body" | "files";

const namesIn = (schema: AnyOperation["body"]): string[] => fieldsIn(schema).map(({ name }) => name);

/** Returns the fields of an operation by place. A name that two places have belongs to the first. */
const placesOf = ({ params, query, body, upload = {} }: AnyOperation): Record<Place, readonly string[]> => ({
  params: namesIn(params),
  body: namesIn(body),
  files: Object.keys(upload),
  query: namesIn(query),
});

/** Returns whether a body takes fields that its schema does not name, as the body of a move does. */
const takesAnyField = ({ body }: AnyOperation): boolean => body !== undefined && namesIn(body).length === 0;

/**
 * Reads words such as `amount=5000`, `bank.code=058` and `file=@photo.jpg` as the input of an operation. A value is read
 * by the schema of its field. Throws a UsageError for a field that the operation does not have.
 */
export function parseFields(operation: AnyOperation, words: readonly string[]): OperationValues {
  const input = { params: {}, query: {}, body: {}, files: {} } as Record<Place, Record<string, unknown>>;
  const places = placesOf(operation);
  const given = new Set<string>();
  for (const word of words) {
    const [, key, text] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (key === undefined || text === undefined)
      throw new UsageError(`${word} is no field; a field is written as name=value, such as amount=5000`);
    if (given.has(key)) throw new UsageError(`${key} is given twice; give one value`);
    given.add(key);
    const path = key.split(".");
    const [name = ""] = path;
    const place =
      (Object.keys(places) as Place[]).find((candidate) => places[candidate].includes(name)) ??
      (takesAnyField(operation) ? "body" : undefined);
    if (!place) throw new UsageError(unknownField(operation, name));
    if (place === "files") input.files[name] = text.replace(/^@/, "");
    else putAt(input[place], path, place === "body" ? parseValue(operation.body, path, text) : text);
  }
  const { params, query, body, files } = input;
  refuseTooLarge(body);
  const missing = places.params.find((name) => params[name] === undefined);
  if (missing !== undefined)
    throw new UsageError(`${operation.id} needs ${missing}=…; its path is ${pathOf(operation)}`);
  return {
    params,
    query,
    files: files as Record<string, string>,
    ...(Object.keys(body).length > 0 ? { body } : {}),
  };
}

/** Throws a UsageError for a value with an infinite number, which JSON would send as null. */
export function refuseTooLarge(value: unknown): void {
  const path = findNumber(value, (number) => !Number.isFinite(number));
  if (path) throw new UsageError(`${path.join(".")} is a number that is too large to be sent`);
}

function unknownField(operation: AnyOperation, name: string): string {
  const known = Object.values(placesOf(operation)).flat();
  const has = known.length === 0 ? "it takes none" : `it has ${known.join(", ")}`;
  return `${operation.id} has no field ${name}: ${has}${formatNearest(name, known)}`;
}

/** Returns the value of a text: as JSON if the schema takes a value of that type, and otherwise as a string. */
function parseValue(schema: TSchema | undefined, path: readonly string[], text: string): unknown {
  const forms = schema ? schemasAt(schema, path).flatMap(variantsOf) : [];
  const value = parseJson(text);
  if (value === undefined) return text;
  const isText = forms.some((form) => form.type === "string" || form.enum?.includes(text));
  const isJson = forms.length === 0 || forms.some((form) => takes(form, value));
  return isJson && !(isText && typeof value !== "object") ? value : text;
}

/** Returns whether a schema takes values of this JSON type. */
function takes({ type, enum: values, const: only }: JsonSchema, value: unknown): boolean {
  if (values) return values.includes(value);
  if (only !== undefined) return only === value;
  if (type === undefined) return true;
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  return type === typeof value || (type === "integer" && typeof value === "number");
}

/** Returns the fields of an operation as a shell completes them: `amount=`, `mode=test`. */
export const fieldWords = (operation: AnyOperation): string[] => [
  ...[operation.params, operation.body, operation.query].flatMap((schema) =>
    fieldsIn(schema).flatMap(({ name, schema: field }) => {
      const values = variantsOf(field).flatMap(
        (form) => form.enum ?? (form.type === "boolean" ? [true, false] : []),
      );
      return values.length === 0 ? [`${name}=`] : values.map((value) => `${name}=${value}`);
    }),
  ),
  ...Object.keys(operation.upload ?? {}).map((name) => `${name}=@`),
];
