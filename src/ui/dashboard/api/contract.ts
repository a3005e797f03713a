/** Reads the OpenAPI documents of the service and of the control API, for the reference and the try-out form. */
import { controlPath } from "../../../contract/control-routes.js";
import { baseUrl } from "../state/session.js";
import { call } from "./control.js";

export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Schema;
}

interface MediaObject {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

interface ResponseObject {
  description: string;
  content?: Record<string, MediaObject>;
}

/** Price of a call. A key alone, or a note, stands where the price list has no single price. */
export interface ListedPrice {
  key?: string;
  price?: number;
  currency?: string;
  unit?: string;
  note?: string;
}

interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaObject> };
  responses: Record<string, ResponseObject>;
  security?: Record<string, unknown>[];
  "x-plan"?: string;
  "x-test-mode-only"?: boolean;
  "x-price"?: ListedPrice;
  "x-outcomes"?: Record<string, string>;
  "x-emits"?: string[];
  "x-assumptions"?: string[];
}

/** A document whose references are replaced by what they refer to. */
interface Document {
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks?: Record<string, Record<string, OperationObject>>;
}

export interface OperationReply {
  status: string;
  description: string;
  /** Media type of the body. Null if there is none. */
  type: string | null;
  schema: Schema | null;
}

export interface OperationError {
  status: string;
  code: string;
  summary: string;
  body: unknown;
}

/** Credential of a call: the API key, a session token, access to the control API, or none. */
export type Credential = "key" | "session" | "control" | "none";

export interface ApiOperation {
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
  credential: Credential;
  replies: readonly OperationReply[];
  errors: readonly OperationError[];
  price: ListedPrice | null;
  plan: string | null;
  isTestModeOnly: boolean;
  /** Meaning of each outcome, by its name. */
  outcomes: Readonly<Record<string, string>>;
  /** Kinds of the events that follow from it. */
  emits: readonly string[];
  assumptions: readonly string[];
}

/** An event that the service posts to webhook endpoints. */
export interface ApiEvent {
  id: string;
  kind: string;
  description: string;
  headers: readonly Parameter[];
  body: Schema;
  example: unknown;
  /** Answers that an endpoint may give. `default` stands for any other status. */
  answers: readonly { status: string; description: string }[];
  assumptions: readonly string[];
}

export interface Contract {
  /** Descriptions of the groups of operations, by name, in their order. */
  groups: ReadonlyMap<string, string>;
  operations: readonly ApiOperation[];
  events: readonly ApiEvent[];
}

export type ApiName = "service" | "control";

const reading = new Map<ApiName, Promise<Contract>>();

/** Reads a contract, once. */
export function readContract(api: ApiName): Promise<Contract> {
  const contract = reading.get(api) ?? read(api);
  reading.set(api, contract);
  contract.catch(() => reading.delete(api));
  return contract;
}

async function read(api: ApiName): Promise<Contract> {
  const document = inlineReferences(
    api === "control" ? await call("getControlContract") : await readServiceDocument(),
  );
  return {
    groups: new Map(document.tags?.map(({ name, description }) => [name, description])),
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => toOperation(method, path, operation)),
    ),
    events: Object.values(document.webhooks ?? {}).flatMap((methods) => Object.values(methods).map(toEvent)),
  };
}

async function readServiceDocument(): Promise<object> {
  const reply = await fetch(baseUrl + controlPath("getServiceContract"));
  if (!reply.ok) throw new Error(`The OpenAPI document could not be read: ${reply.status}.`);
  return reply.json();
}

/** Replaces each reference by what it refers to. No schema of the documents contains itself. */
function inlineReferences(document: object): Document {
  const follow = (reference: string): unknown =>
    reference
      .slice(2)
      .split("/")
      .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], document);
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline);
    if (typeof node !== "object" || node === null) return node;
    if ("$ref" in node && typeof node.$ref === "string") return inline(follow(node.$ref));
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, inline(inner)]));
  };
  return inline(document) as Document;
}

function credentialOf({ security = [] }: OperationObject): Credential {
  const accepts = (scheme: string) => security.some((way) => scheme in way);
  if (accepts("SessionToken")) return "session";
  if (accepts("AdminToken")) return "control";
  return accepts("ApiKey") ? "key" : "none";
}

const toReply = ([status, { description, content = {} }]: [string, ResponseObject]): OperationReply => {
  const [[type, { schema }] = [null, { schema: undefined }]] = Object.entries(content);
  return { status, description, type, schema: schema ?? null };
};

const toErrors = ([status, { content = {} }]: [string, ResponseObject]): OperationError[] =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([code, { summary, value }]) => ({ status, code, summary, body: value })),
  );

function toOperation(method: string, path: string, operation: OperationObject): ApiOperation {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const replies = Object.entries(operation.responses);
  const isError = ([status]: (typeof replies)[number]) => Number(status) >= 400;
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? null,
    group: operation.tags?.[0] ?? "",
    parameters: operation.parameters ?? [],
    bodyType: content?.[0] ?? null,
    body: content?.[1].schema ?? null,
    credential: credentialOf(operation),
    replies: replies.filter((reply) => !isError(reply)).map(toReply),
    errors: replies.filter(isError).flatMap(toErrors),
    price: operation["x-price"] ?? null,
    plan: operation["x-plan"] ?? null,
    isTestModeOnly: operation["x-test-mode-only"] ?? false,
    outcomes: operation["x-outcomes"] ?? {},
    emits: operation["x-emits"] ?? [],
    assumptions: operation["x-assumptions"] ?? [],
  };
}

function toEvent(operation: OperationObject): ApiEvent {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return {
    id: operation.operationId,
    kind: operation.summary,
    description: operation.description ?? "",
    headers: operation.parameters ?? [],
    body: content?.schema ?? {},
    example: content?.example,
    answers: Object.entries(operation.responses).map(([status, { description }]) => ({
      status,
      description,
    })),
    assumptions: operation["x-assumptions"] ?? [],
  };
}

/** Returns whether a field of a form is a file, or a list of files. */
export const isFileField = ({ format, items }: Schema): boolean =>
  format === "binary" || items?.format === "binary";

/** Returns an example of a field, or undefined if the document has none. */
export function exampleOfSchema(schema: Schema): unknown {
  const { examples, default: usual, enum: choices, const: only, anyOf, oneOf, properties } = schema;
  const given = examples?.[0] ?? usual ?? choices?.[0] ?? only;
  if (given !== undefined) return given;
  const [form] = anyOf ?? oneOf ?? [];
  if (form) return exampleOfSchema(form);
  return properties ? exampleOfBody(schema) : undefined;
}

/** Values of required fields without an example, by type. */
const blanks: Readonly<Record<string, unknown>> = {
  array: [],
  object: {},
  number: 0,
  integer: 0,
  boolean: false,
};

/** Returns the example of a body, or one with the required fields. */
export function exampleOfBody({ examples, properties = {}, required = [] }: Schema): Record<string, unknown> {
  const given = examples?.[0];
  if (typeof given === "object" && given !== null) return { ...given };
  return Object.fromEntries(
    required.map((name) => {
      const field = properties[name] ?? {};
      return [name, exampleOfSchema(field) ?? blanks[field.type ?? ""] ?? ""];
    }),
  );
}
