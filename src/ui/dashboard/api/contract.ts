/** Reads the parts of the service's OpenAPI document that the reference and the try-out form need. */
import { controlPath } from "../../../contract/control-routes.js";
import { baseUrl } from "../state/session.js";

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  contentMediaType?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

interface ResponseObject {
  content?: Record<string, { examples?: Record<string, { summary?: string } | { $ref: string }> }>;
}

interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  responses: Record<string, ResponseObject | { $ref: string }>;
  "x-outcomes"?: Record<string, string>;
  tags?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  security?: Record<string, unknown>[];
}

interface Document {
  paths: Record<string, Record<string, OperationObject>>;
}

export interface OperationError {
  status: string;
  code: string;
  summary: string;
}

/** An operation of the service, as the reference and the form show it. */
export interface TryableOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  group: string;
  parameters: readonly Parameter[];
  /** Media type of the body. Null if it takes none. */
  bodyType: string | null;
  body: Schema | null;
  /** Called with a session token in place of the API key. */
  needsSession: boolean;
  errors: readonly OperationError[];
  /** What each outcome means, by its name. */
  outcomes: Readonly<Record<string, string>>;
}

let reading: Promise<readonly TryableOperation[]> | null = null;

/** Reads the operations of the service, once. */
export function readOperations(): Promise<readonly TryableOperation[]> {
  reading ??= read().catch((error: unknown) => {
    reading = null;
    throw error;
  });
  return reading;
}

async function read(): Promise<readonly TryableOperation[]> {
  const reply = await fetch(baseUrl + controlPath("getServiceContract"));
  if (!reply.ok) throw new Error(`The OpenAPI document could not be read: ${reply.status}.`);
  const document = (await reply.json()) as Document;
  const follow = <T extends object>(node: T | { $ref: string }): T => {
    if (!("$ref" in node) || typeof node.$ref !== "string") return node as T;
    const parts = node.$ref.slice(2).split("/");
    let inside: unknown = document;
    for (const name of parts) inside = (inside as Record<string, unknown>)[name];
    return inside as T;
  };
  const resolve = (schema: Schema): Schema => {
    const followed = follow(schema);
    if (!followed.properties) return followed;
    const fields = Object.entries(followed.properties).map(([name, field]) => [name, follow(field)]);
    return { ...followed, properties: Object.fromEntries(fields) };
  };
  const errorsOf = ({ responses }: OperationObject): OperationError[] =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) =>
        Object.values(follow<ResponseObject>(response).content ?? {}).flatMap(({ examples = {} }) =>
          Object.entries(examples).map(([code, example]) => {
            const { summary = "" } = follow<{ summary?: string }>(example);
            return { status, code, summary };
          }),
        ),
      );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): TryableOperation => {
      const [content] = Object.entries(operation.requestBody?.content ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: operation.description ?? null,
        group: operation.tags?.[0] ?? "",
        parameters: (operation.parameters ?? []).map((one) => follow<Parameter>(one)),
        bodyType: content?.[0] ?? null,
        body: content ? resolve(content[1].schema) : null,
        needsSession: operation.security?.some((way) => "SessionToken" in way) ?? false,
        errors: errorsOf(operation),
        outcomes: operation["x-outcomes"] ?? {},
      };
    }),
  );
}

/** Returns whether a field of a form is a file, or a list of files. */
export const isFile = ({ format, items }: Schema): boolean =>
  format === "binary" || items?.format === "binary";

/** Returns an example of a field, or undefined if the document has none. */
export const exampleOf = ({ examples, enum: choices, const: only }: Schema): unknown =>
  examples?.[0] ?? choices?.[0] ?? only;

/** Returns an example body: the required fields, and others that have an example. */
export function exampleBody({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    required.includes(name) ? (exampleOf(field) ?? "") : undefined,
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
