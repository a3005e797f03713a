/** The operations of the service and of the control API as one list, read from their OpenAPI documents. */
import * as Type from "typebox";
import { toJsonSchema } from "../contract/schema-walk.js";
import { nullable } from "../contract/schemas.js";
import { example } from "../pact/examples.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { AnyObject, NullableString } from "./schemas.js";

const Api = Type.Enum(["service", "control"]);

const Schema = nullable(AnyObject, { description: "JSON Schema. Null if the content is not JSON" });

const Parameter = Type.Object({
  name: Type.String(),
  in: Type.Enum(["path", "query", "header"]),
  required: Type.Boolean(),
  description: NullableString,
  schema: AnyObject,
  example: Type.Unknown(),
});

const ListedOperation = Type.Object({
  id: Type.String({ examples: ["createPayout"] }),
  api: Api,
  method: Type.String(),
  path: Type.String({ examples: ["/v1/business/payouts"] }),
  section: Type.String({ examples: ["Business payments"] }),
  summary: Type.String(),
  description: NullableString,
  auth: Type.Enum(["key", "session", "control", "none"]),
  plan: nullable(Type.String(), { description: "Minimum plan. Null if every plan has it" }),
  test_mode_only: Type.Boolean(),
  price: nullable(AnyObject, { description: "Null if it is free" }),
  parameters: Type.Array(Parameter),
  body: nullable(
    Type.Object({
      type: Type.String({ description: "Media type" }),
      required: Type.Boolean(),
      schema: AnyObject,
      example: Type.Unknown(),
    }),
  ),
  replies: Type.Array(
    Type.Object({
      status: Type.Integer(),
      description: Type.String(),
      type: nullable(Type.String(), { description: "Media type. Null without content" }),
      schema: Schema,
      example: Type.Unknown({ description: "Null if the content is not JSON" }),
    }),
  ),
  refusals: Type.Array(
    Type.Object({ status: Type.Integer(), code: Type.String(), message: Type.String(), body: AnyObject }),
  ),
  outcomes: Type.Record(Type.String(), Type.String(), { description: "Meanings by name" }),
  emits: Type.Array(Type.String(), { description: "Kinds of the events that can follow" }),
  assumptions: Type.Array(Type.String()),
});
type ListedOperation = Type.Static<typeof ListedOperation>;

const ListedEvent = Type.Object({
  id: Type.String({ examples: ["onPayoutPaid"] }),
  event: Type.String({ examples: ["payout.paid"] }),
  description: Type.String(),
  headers: Type.Array(Parameter),
  body: Type.Object({ schema: AnyObject, example: Type.Unknown() }),
  answers: Type.Array(Type.Object({ status: Type.String(), description: Type.String() }), {
    description: "What an endpoint may answer. `default` stands for any other status",
  }),
  assumptions: Type.Array(Type.String()),
});
type ListedEvent = Type.Static<typeof ListedEvent>;

export const listOperations = operation({
  id: "listOperations",
  summary:
    "List the operations of the service and of the control API with their schemas, examples and refusals",
  description:
    "The same facts as the two OpenAPI documents, one item for each operation and without references, under the assumptions in force.",
  query: Type.Object({
    api: Type.Optional(Api),
    id: Type.Optional(Type.String({ description: "Operation id" })),
  }),
  reply: {
    200: Type.Object({
      sections: Type.Array(Type.Object({ api: Api, name: Type.String(), description: Type.String() })),
      items: Type.Array(ListedOperation),
      events: Type.Array(ListedEvent, { description: "What the service posts to webhook endpoints" }),
    }),
  },

  async handle({ sandbox, baseUrl, query }) {
    const apis = (["service", "control"] as const).filter((api) => api === (query.api ?? api));
    const known = lists.get(sandbox) ?? {};
    lists.set(sandbox, known);
    const read: ApiList[] = [];
    for (const api of apis) {
      const list = known[api] ?? (await listOf(api, sandbox, baseUrl));
      known[api] = list;
      read.push(list);
    }
    return {
      sections: read.flatMap(({ sections }) => sections),
      items: read.flatMap(({ items }) => items).filter(({ id }) => id === (query.id ?? id)),
      events: read.flatMap(({ events }) => events).filter(({ id }) => id === (query.id ?? id)),
    };
  },
});

/** Cached lists, by sandbox. They do not change while the sandbox runs. */
const lists = new WeakMap<ControlledSandbox, Partial<Record<Type.Static<typeof Api>, ApiList>>>();

type ApiList = Awaited<ReturnType<typeof listOf>>;

interface Media {
  schema?: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { summary: string; value: Record<string, unknown> }>;
}

interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Omit<Type.Static<typeof Parameter>, "description" | "example">[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  "x-plan"?: string;
  "x-test-mode-only"?: boolean;
  "x-price"?: Record<string, unknown>;
  "x-outcomes"?: Record<string, string>;
  "x-emits"?: string[];
  "x-assumptions"?: string[];
}

interface OpenApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks?: Record<string, { post: OperationObject }>;
}

async function listOf(api: Type.Static<typeof Api>, sandbox: ControlledSandbox, baseUrl: string) {
  const { tags, paths, webhooks = {} } = inlineReferences(await sandbox.contract(api, baseUrl));
  return {
    sections: tags.map(({ name, description }) => ({ api, name, description })),
    items: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, node]) => ({
        api,
        method: method.toUpperCase(),
        path,
        ...toItem(node),
      })),
    ),
    events: Object.values(webhooks).map(({ post }) => toEvent(post)),
  };
}

/** Replaces each reference with its target. No schema of the documents contains itself. */
function inlineReferences(document: object): OpenApiDocument {
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline);
    if (typeof node !== "object" || node === null) return node;
    if ("$ref" in node && typeof node.$ref === "string") return inline(follow(node.$ref));
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, inline(inner)]));
  };
  const follow = (reference: string): unknown =>
    reference
      .split("/")
      .slice(1)
      .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], document);
  return inline(document) as OpenApiDocument;
}

function toItem(node: OperationObject): Omit<ListedOperation, "api" | "method" | "path"> {
  const [content] = Object.entries(node.requestBody?.content ?? {});
  const responses = Object.entries(node.responses);
  const isRefusal = ([status]: (typeof responses)[number]) => Number(status) >= 400;
  return {
    id: node.operationId,
    section: node.tags[0] ?? "",
    summary: node.summary,
    description: node.description ?? null,
    auth: authOf(node),
    plan: node["x-plan"] ?? null,
    test_mode_only: node["x-test-mode-only"] ?? false,
    price: node["x-price"] ?? null,
    parameters: toParameters(node),
    body: content
      ? {
          type: content[0],
          required: node.requestBody?.required ?? false,
          schema: content[1].schema ?? {},
          example: example(toJsonSchema(content[1].schema ?? {})),
        }
      : null,
    replies: responses.filter((response) => !isRefusal(response)).map(toReply),
    refusals: responses.filter(isRefusal).flatMap(toRefusals),
    outcomes: node["x-outcomes"] ?? {},
    emits: node["x-emits"] ?? [],
    assumptions: node["x-assumptions"] ?? [],
  };
}

const toParameters = ({ parameters = [] }: OperationObject): ListedOperation["parameters"] =>
  parameters.map((parameter) => ({
    description: null,
    ...parameter,
    example: example(toJsonSchema(parameter.schema), parameter.name),
  }));

function toEvent(node: OperationObject): ListedEvent {
  const [content = {}] = Object.values(node.requestBody?.content ?? {});
  return {
    id: node.operationId,
    event: node.summary,
    description: node.description ?? "",
    headers: toParameters(node),
    body: { schema: content.schema ?? {}, example: content.example },
    answers: Object.entries(node.responses).map(([status, { description }]) => ({ status, description })),
    assumptions: node["x-assumptions"] ?? [],
  };
}

function authOf({ security }: OperationObject): ListedOperation["auth"] {
  const accepts = (scheme: string) => security.some((way) => scheme in way);
  if (accepts("SessionToken")) return "session";
  if (accepts("AdminToken")) return "control";
  return accepts("ApiKey") ? "key" : "none";
}

type Response = [status: string, response: OperationObject["responses"][string]];

function toReply([status, { description, content = {} }]: Response): ListedOperation["replies"][number] {
  const [[type, { schema }] = [null, {} as Media]] = Object.entries(content);
  const isJson = type === "application/json" && schema !== undefined;
  return {
    status: Number(status),
    description,
    type,
    schema: isJson ? schema : null,
    example: isJson ? example(toJsonSchema(schema)) : null,
  };
}

const toRefusals = ([status, { content = {} }]: Response): ListedOperation["refusals"] =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([code, { summary, value }]) => ({
      status: Number(status),
      code,
      message: summary,
      body: value,
    })),
  );
