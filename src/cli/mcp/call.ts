/** The tools `find_operation` and `call`: the operations of the service, as the contract declares them. */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import * as Type from "typebox";
import { commonOutcomes } from "../../contract/decision.js";
import { type JsonSchema, toJsonSchema } from "../../contract/json-schema.js";
import { fillPath, formatTarget } from "../../contract/match-path.js";
import { formatNearest } from "../../contract/nearest.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { readFixture } from "../../scenarios/bundled-scenarios.js";
import { serviceOperations } from "../../service/index.js";
import { type McpSession, ToolError, tool } from "./tool.js";

const maxFound = 8;

export const findOperationTool = tool({
  name: "find_operation",
  description:
    "Find operations of the service by words of their id, path or summary. The exact id returns fields, outcomes and errors.",
  input: Type.Object({ query: Type.String({ examples: ["payout", "createPayout"] }) }),
  run: async (_session, { query }) => {
    const exact = serviceOperations.find(({ id }) => id === query);
    if (exact) return describe(exact);
    const words = query
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(Boolean);
    const found = serviceOperations.filter((operation) => {
      const text = `${operation.id} ${operation.route} ${operation.summary}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    if (found.length === 1) return describe(found[0] as AnyOperation);
    if (found.length === 0) throw new ToolError(notFound(query));
    const lines = found.slice(0, maxFound).map(({ id, route, summary }) => `${id}  ${route}  ${summary}`);
    const rest = found.length - maxFound;
    return [
      ...lines,
      ...(rest > 0 ? [`and ${rest} more: use more words`] : []),
      `Next: find_operation {"query": "${found[0]?.id}"}`,
    ].join("\n");
  },
});

const notFound = (query: string): string => {
  const ids = serviceOperations.map(({ id }) => id);
  return `No operation has all of the words ${JSON.stringify(query)}${formatNearest(query, ids, { limit: 3 })}. Use fewer words, such as phone, bvn, payout, refund, webhook.`;
};

/** Describes an operation's input, outcomes and errors, one line each. */
function describe(operation: AnyOperation): string {
  const {
    id,
    route,
    summary,
    params,
    query,
    body,
    upload = {},
    outcomes = {},
    refuses = [],
    auth,
  } = operation;
  const files = Object.entries(upload).map(
    ([name, { types, maxMB }]) => `file ${name}: ${types?.join(", ") ?? "any type"}, up to ${maxMB} MB`,
  );
  const [byDefault] = Object.keys(outcomes);
  return [
    `${id}  ${route}  ${summary}${auth === "session" ? " (session token; call adds it)" : ""}`,
    ...fieldsOf("param", params),
    ...fieldsOf("query", query),
    ...fieldsOf("body", body),
    ...files,
    ...Object.entries(outcomes).map(
      ([name, text]) => `outcome ${name}${name === byDefault ? " (default)" : ""}: ${text}`,
    ),
    `outcomes of every operation: ${Object.keys(commonOutcomes).join(", ")}`,
    `errors: ${refuses.join(", ") || "those of every operation"}`,
  ].join("\n");
}

function fieldsOf(place: string, schema: AnyOperation["body"]): string[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema);
  return Object.entries(properties).map(
    ([name, field]) => `${place} ${name}${required.includes(name) ? "" : "?"}: ${describeSchema(field)}`,
  );
}

function describeSchema(schema: JsonSchema & { description?: string }): string {
  const { enum: values, const: only, anyOf, type, format, examples, description } = schema;
  const form =
    values?.map((value) => JSON.stringify(value)).join(" | ") ??
    (only === undefined ? undefined : JSON.stringify(only)) ??
    anyOf?.map(describeSchema).join(" | ") ??
    [type, format ?? schema["x-rule"]].filter(Boolean).join(" ");
  const example = examples?.[0] === undefined ? "" : `, such as ${JSON.stringify(examples[0])}`;
  return `${form}${example}${description ? `. ${description}` : ""}`;
}

const Values = Type.Record(Type.String(), Type.Unknown());

export const callTool = tool({
  name: "call",
  description:
    "Call an operation as a client would. Returns status, body and the request id, which explain takes. An outcome forces a result.",
  input: Type.Object({
    operation: Type.String({ description: "Operation id" }),
    params: Type.Optional(Values),
    query: Type.Optional(Values),
    body: Type.Optional(Values),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Paths by upload field; over HTTP, names of fixtures",
      }),
    ),
    outcome: Type.Optional(Type.String()),
  }),
  run: async (session, { operation: id, params = {}, query = {}, body, files = {}, outcome }) => {
    const operation = serviceOperations.find((one) => one.id === id);
    if (!operation) throw new ToolError(notFound(id));
    const response = await session.account.fetch(targetOf(operation, params, query), {
      method: methodOf(operation),
      ...(await contentOf(session, operation, body ?? {}, files)),
      headers: {
        ...(operation.body && !operation.upload ? { "Content-Type": "application/json" } : {}),
        ...(operation.auth === "session" ? { Authorization: `Bearer ${await tokenOf(session)}` } : {}),
        ...(outcome === undefined ? {} : { "X-Sandbox-Outcome": outcome }),
      },
    });
    return describeReply(operation, response);
  },
});

function targetOf(
  operation: AnyOperation,
  params: Record<string, unknown>,
  query: Record<string, unknown>,
): string {
  const path = fillPath(pathOf(operation), (name) => {
    if (params[name] === undefined)
      throw new ToolError(
        `${operation.id} needs params: {"${name}": "…"}; its path is ${pathOf(operation)}.`,
      );
    return encodeURIComponent(String(params[name]));
  });
  return formatTarget(path, query);
}

async function contentOf(
  session: McpSession,
  { upload, body: schema }: AnyOperation,
  body: Record<string, unknown>,
  files: Record<string, string>,
): Promise<{ body?: string | FormData }> {
  if (!upload) return schema ? { body: JSON.stringify(body) } : {};
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  for (const [name, path] of Object.entries(files)) {
    form.set(name, await openFile(session, name, path), basename(path));
  }
  return { body: form };
}

/** Opens a file of this machine or, for an agent elsewhere, one of the fixtures. */
async function openFile({ readsFiles }: McpSession, field: string, path: string): Promise<Blob> {
  try {
    return readsFiles ? await openAsBlob(path) : new Blob([new Uint8Array(await readFixture(path))]);
  } catch (error) {
    if (!readsFiles)
      throw new ToolError(`${(error as Error).message}: over HTTP, files are those of the sandbox.`);
    const message = `The file ${path} of the field ${field} cannot be read: give the path of a file that exists.`;
    throw new ToolError(message);
  }
}

const tokenOf = async ({ account }: McpSession): Promise<string> =>
  (await account.call("createSessionToken")).token;

/** Describes a reply and, when it is a refusal, how to go on. */
async function describeReply({ id }: AnyOperation, response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  const isText = /json|text/.test(type);
  const text = isText ? await response.text() : `${type}, ${(await response.arrayBuffer()).byteLength} bytes`;
  const request = response.headers.get("x-request-id");
  const next = response.ok
    ? []
    : [
        `Next: explain {"id": "${request}"} for the reason; find_operation {"query": "${id}"} for the fields.`,
      ];
  return [`${response.status} ${request}`, text, ...next].join("\n");
}
