/** The tools `find_operation` and `call`: the operations of the service, as the contract declares them. */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import * as Type from "typebox";
import { formatNearest } from "../../contract/nearest.js";
import type { AnyOperation } from "../../contract/operation.js";
import { readFixture } from "../../scenarios/bundled-scenarios.js";
import { serviceOperations } from "../../service/index.js";
import { describeOperation, findOperations, toRequest } from "../call/operations.js";
import { type McpSession, ToolError, tool } from "./tool.js";

const maxFound = 8;

export const findOperationTool = tool({
  name: "find_operation",
  description:
    "Find operations of the service by words of their id, path or summary. The exact id returns fields, outcomes and errors.",
  input: Type.Object({ query: Type.String({ examples: ["payout", "createPayout"] }) }),
  run: async (_session, { query }) => {
    const found = findOperations(query, serviceOperations);
    const [first] = found;
    if (!first) throw new ToolError(notFound(query));
    if (found.length === 1) return describeOperation(first);
    const lines = found.slice(0, maxFound).map(({ id, route, summary }) => `${id}  ${route}  ${summary}`);
    const rest = found.length - maxFound;
    return [
      ...lines,
      ...(rest > 0 ? [`and ${rest} more: use more words`] : []),
      `Next: find_operation {"query": "${first.id}"}`,
    ].join("\n");
  },
});

const notFound = (query: string): string => {
  const ids = serviceOperations.map(({ id }) => id);
  return `No operation has all of the words ${JSON.stringify(query)}${formatNearest(query, ids, { limit: 3 })}. Use fewer words, such as phone, bvn, payout, refund, webhook.`;
};

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
  run: async (session, { operation: id, ...input }) => {
    const operation = serviceOperations.find((one) => one.id === id);
    if (!operation) throw new ToolError(notFound(id));
    const { path, init } = await toRequest(operation, input, {
      openFile: (file, field) => openFile(session, field, file),
      issueSessionToken: async () => (await session.account.call("createSessionToken")).token,
    });
    return describeReply(operation, await session.account.fetch(path, init));
  },
});

/** Opens a file of this machine or, for an agent elsewhere, one of the fixtures. */
async function openFile({ readsFiles }: McpSession, field: string, path: string): Promise<File> {
  try {
    const content = readsFiles ? await openAsBlob(path) : new Uint8Array(await readFixture(path));
    return new File([content], basename(path));
  } catch (error) {
    if (!readsFiles)
      throw new ToolError(`${(error as Error).message}: over HTTP, files are those of the sandbox.`);
    const message = `The file ${path} of the field ${field} cannot be read: give the path of a file that exists.`;
    throw new ToolError(message);
  }
}

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
