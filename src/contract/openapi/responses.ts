/** Success replies by status, refusals grouped by status. */
import type { Assumptions } from "../assumptions.js";
import { errorShape, renderError, statusOf } from "../error-body.js";
import { type ErrorCode, errors, Refusal } from "../errors.js";
import { type AnyOperation, isBinary, isServiceOperation, type ReplySchema } from "../operation.js";
import { errorCodesOf } from "../refusals.js";
import { type Node, present } from "./json.js";
import type { Schemas } from "./schemas.js";

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

/** What an error looks like; rendered by the code that answers, so that it cannot differ. */
export const errorExample = (code: ErrorCode, inForce: Assumptions): Node => ({
  summary: errors[code].message,
  value: renderError(new Refusal(code), "req_0123456789abcdef", inForce).body,
});

const lineOf = (code: ErrorCode): string => `\`${code}\`: ${errors[code].message}`;

function errorResponse(codes: readonly ErrorCode[], inForce: Assumptions): Node {
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

/**
 * Responses of one or two codes are shared, since most operations have the same few; those of more belong to their
 * operation, and a name made of all their codes would be longer than they are.
 */
const mostShared = 2;
const sharedName = (codes: readonly ErrorCode[]): string => codes.join("_or_");

function refusalsOf(operation: AnyOperation, inForce: Assumptions): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation, { serviceOnly: true, inForce })) {
    const status = statusOf(code, inForce);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus];
}

/** The shared responses that the operations refer to, by status. */
export function sharedResponses(operations: readonly AnyOperation[], inForce: Assumptions): Node {
  const all = operations.flatMap((operation) => refusalsOf(operation, inForce));
  const refusals = all.filter(([, codes]) => codes.length <= mostShared);
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

/** Which successes are 201 is a guess about the service; the control API's are its own. */
function successOf(operation: AnyOperation, status: number, reply: ReplySchema, schemas: Schemas) {
  const isGuess = status === 201 && isServiceOperation(operation);
  const sent = isGuess && schemas.inForce["http.created"] === "ok" ? 200 : status;
  const node = success(sent, reply, schemas);
  return [sent, present({ ...node, "x-assumption": isGuess ? "http.created" : undefined })] as const;
}

export function responsesOf(operation: AnyOperation, schemas: Schemas): Node {
  const successes = Object.entries(operation.reply).map(([status, reply]) =>
    successOf(operation, Number(status), reply, schemas),
  );
  const refusals = refusalsOf(operation, schemas.inForce).map(([status, codes]) => [
    status,
    codes.length <= mostShared
      ? { $ref: `#/components/responses/${sharedName(codes)}` }
      : errorResponse(codes, schemas.inForce),
  ]);
  // The last one of a status counts: where 201 is answered as 200, that is what is said of it.
  return Object.fromEntries([...successes, ...refusals]);
}
