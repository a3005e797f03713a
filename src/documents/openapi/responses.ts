/** Writes responses: successes by status, and refusals grouped by status. */
import { errorShape, renderError, statusOf } from "../../contract/error-body.js";
import { type ErrorCode, errors, Refusal } from "../../contract/errors.js";
import { type AnyOperation, isServiceOperation } from "../../contract/operation.js";
import { errorCodesOf } from "../../contract/refusals.js";
import { isBinary, type ReplySchema } from "../../contract/reply-forms.js";
import type { Assumptions } from "../../service/assumptions.js";
import { type Link, linkNodes } from "./links.js";
import { type OpenApiNode, present, type Schemas } from "./schemas.js";

const requestId = { $ref: "#/components/headers/RequestId" };
const retryAfter = { $ref: "#/components/headers/RetryAfter" };

export const headers = {
  RequestId: {
    description: "Id of the request. Errors repeat it as request_id.",
    schema: { type: "string" },
    "x-assumption": "errors.body",
  },
  RetryAfter: {
    description: "Seconds to wait before sending the request again.",
    schema: { type: "integer", minimum: 0 },
    "x-assumption": "errors.other_statuses",
  },
} as const;

/** Returns the example of an error, rendered by the code that renders replies. */
export const errorExample = (code: ErrorCode, inForce: Assumptions): OpenApiNode => ({
  summary: errors[code].message,
  value: renderError(new Refusal(code), "req_0123456789abcdef", inForce).body,
});

const lineOf = (code: ErrorCode): string => `\`${code}\`: ${errors[code].message}`;

function errorResponse(codes: readonly ErrorCode[], inForce: Assumptions): OpenApiNode {
  const isLimit = codes.some((code) => errors[code].status === 429);
  return {
    description:
      codes.length === 1 ? codes.map(lineOf).join() : codes.map((code) => `- ${lineOf(code)}`).join("\n"),
    headers: present({ "X-Request-Id": requestId, "Retry-After": isLimit ? retryAfter : undefined }),
    content: {
      [errorShape(inForce).mediaType]: {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** Maximum number of codes of a shared response. Longer lists are rarely the same for two operations. */
const maxSharedCodes = 2;
const sharedName = (codes: readonly ErrorCode[]): string => codes.join("_or_");

function refusalsOf(operation: AnyOperation, inForce: Assumptions): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation, { serviceOnly: true, inForce })) {
    const status = statusOf(code, inForce);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus];
}

/** Returns the responses that several operations reference, sorted by status. */
export function sharedResponses(operations: readonly AnyOperation[], inForce: Assumptions): OpenApiNode {
  const all = operations.flatMap((operation) => refusalsOf(operation, inForce));
  const refusals = all.filter(([, codes]) => codes.length <= maxSharedCodes);
  refusals.sort(
    ([one, codes], [other, others]) => one - other || (sharedName(codes) < sharedName(others) ? -1 : 1),
  );
  return Object.fromEntries(refusals.map(([, codes]) => [sharedName(codes), errorResponse(codes, inForce)]));
}

const phrases: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No content",
};

function success(status: number, reply: ReplySchema, schemas: Schemas): OpenApiNode {
  const description =
    ("description" in reply ? reply.description : undefined) ?? phrases[status] ?? "Success";
  const content = isBinary(reply)
    ? { [reply.contentType]: { schema: binarySchema(reply.contentType) } }
    : { "application/json": { schema: schemas.write(reply) } };
  const own = Object.entries(isBinary(reply) ? (reply.headers ?? {}) : {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: "string" } },
  ]);
  return { description, headers: { "X-Request-Id": requestId, ...Object.fromEntries(own) }, content };
}

const isText = (contentType: string): boolean => /^text\/|[/+](xml|json|yaml)\b/.test(contentType);

const binarySchema = (contentType: string): OpenApiNode =>
  isText(contentType) ? { type: "string" } : { type: "string", format: "binary" };

/** Assumption http.created applies to the service, not to the control API. */
function successOf(
  operation: AnyOperation,
  status: number,
  reply: ReplySchema,
  schemas: Schemas,
  links: readonly Link[],
) {
  const isAssumed = status === 201 && isServiceOperation(operation);
  const sent = isAssumed && schemas.inForce["http.created"] === "ok" ? 200 : status;
  const node = success(sent, reply, schemas);
  return [
    sent,
    present({
      ...node,
      links: linkNodes(operation, links),
      "x-assumption": isAssumed ? "http.created" : undefined,
    }),
  ] as const;
}

export function responsesOf(operation: AnyOperation, schemas: Schemas, links: readonly Link[]): OpenApiNode {
  const successes = Object.entries(operation.reply).map(([status, reply]) =>
    successOf(operation, Number(status), reply, schemas, links),
  );
  const refusals = refusalsOf(operation, schemas.inForce).map(([status, codes]) => [
    status,
    codes.length <= maxSharedCodes
      ? { $ref: `#/components/responses/${sharedName(codes)}` }
      : errorResponse(codes, schemas.inForce),
  ]);
  // The last entry for a status wins. With http.created=ok, that is the entry for 201.
  return Object.fromEntries([...successes, ...refusals]);
}
