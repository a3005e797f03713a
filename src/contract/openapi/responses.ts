/** Success replies by status, refusals grouped by status. */
import { resolveAssumptions } from "../assumptions.js";
import { renderError, statusOf } from "../error-body.js";
import { type ErrorCode, errors, Refusal } from "../errors.js";
import { isBinary, type ReplySchema } from "../operation.js";
import { type AnyOperation, errorCodesOf } from "../refusals.js";
import { type Node, present } from "./json.js";
import type { Schemas } from "./schemas.js";

const defaults = resolveAssumptions();
const requestId = { $ref: "#/components/headers/RequestId" };
const retryAfter = { $ref: "#/components/headers/RetryAfter" };

export const headers = {
  RequestId: {
    description: "The request's id, the same as request_id in an error.",
    schema: { type: "string" },
    "x-assumption": "errors.body",
  },
  RetryAfter: {
    description: "Seconds after which the request may be sent again.",
    schema: { type: "integer", minimum: 0 },
    "x-assumption": "errors.other_statuses",
  },
} as const;

/** What an error looks like by default; rendered by the code that answers, so that it cannot differ. */
export const errorExample = (code: ErrorCode): Node => ({
  summary: errors[code].message,
  value: renderError(new Refusal(code), "req_0123456789abcdef", defaults).body,
});

const lineOf = (code: ErrorCode): string => `\`${code}\`: ${errors[code].message}`;

function errorResponse(status: number, codes: readonly ErrorCode[]): Node {
  return {
    description:
      codes.length === 1 ? codes.map(lineOf).join() : codes.map((code) => `- ${lineOf(code)}`).join("\n"),
    headers: present({ "X-Request-Id": requestId, "Retry-After": status === 429 ? retryAfter : undefined }),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** The response of a code that stands alone under its status: shared, since most operations have the same few. */
export const sharedResponse = (code: ErrorCode): Node => errorResponse(statusOf(code, defaults), [code]);

const phrases: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No content",
};

function success(status: number, reply: ReplySchema, schemas: Schemas): Node {
  const description =
    ("description" in reply ? reply.description : undefined) ?? phrases[status] ?? "Success";
  const content = isBinary(reply)
    ? { [reply.contentType]: { schema: binarySchema(reply.contentType) } }
    : { "application/json": { schema: schemas.write(reply) } };
  return { description, headers: { "X-Request-Id": requestId }, content };
}

const isText = (contentType: string): boolean => /^text\/|[/+](xml|json|yaml)\b/.test(contentType);

const binarySchema = (contentType: string): Node =>
  isText(contentType) ? { type: "string" } : { type: "string", format: "binary" };

export function responsesOf(operation: AnyOperation, schemas: Schemas): Node {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation, { serviceOnly: true })) {
    const status = statusOf(code, defaults);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return {
    ...Object.fromEntries(
      Object.entries(operation.reply).map(([status, reply]) => [
        status,
        success(Number(status), reply, schemas),
      ]),
    ),
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        status,
        codes.length === 1 ? { $ref: `#/components/responses/${codes[0]}` } : errorResponse(status, codes),
      ]),
    ),
  };
}

/** The codes whose responses are shared: those that stand alone under their status somewhere. */
export function sharedCodesOf(operation: AnyOperation): ErrorCode[] {
  const codes = errorCodesOf(operation, { serviceOnly: true });
  const statuses = codes.map((code) => statusOf(code, defaults));
  return codes.filter((_, at) => statuses.filter((status) => status === statuses[at]).length === 1);
}
