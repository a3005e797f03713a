/** Writes replies: JSON with a known length, or binary files. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { Binary } from "../contract/operation.js";
import { formatDecision } from "../rules/outcomes.js";
import { second, timer } from "../world/time/time.js";
import { formatAttachment } from "./attachment.js";
import { writeFaulty } from "./faulty-reply.js";
import { apiHeaders } from "./headers.js";
import type { RequestContext } from "./request-context.js";

const jsonType = "application/json; charset=utf-8";

/** Writes the reply unless one has been written already, and returns the text of a JSON body. */
export function writeReply(
  context: RequestContext,
  status: number,
  body: unknown,
  contentType = jsonType,
): string | null {
  const { response } = context;
  if (response.headersSent || response.destroyed) return null;
  const binary = body instanceof Binary;
  const text = binary ? null : JSON.stringify(body);
  const payload = binary ? body.bytes : (text as string);
  const headers = [
    ...apiHeaders,
    "Content-Type",
    binary ? body.contentType : contentType,
    "Content-Length",
    String(binary ? body.bytes.byteLength : Buffer.byteLength(text as string)),
    "X-Request-Id",
    context.requestId,
    ...context.replyHeaders,
  ];
  if (context.decision) headers.push("X-Sandbox-Outcome", formatDecision(context.decision));
  if (binary && body.filename) {
    headers.push("Content-Disposition", formatAttachment(body.filename));
  }
  if (context.fault) writeFaulty(context, context.fault, status, headers, payload);
  else {
    response.writeHead(status, headers);
    response.end(payload);
  }
  if (!context.request.complete) letTheRestGo(context.request);
  return text;
}

/** How long a client may continue to send a refused request, in ms of wall-clock time. */
const refusedUploadGraceMs = 10 * second;

/**
 * Lets a client finish sending a request that has been answered already. Closing the socket earlier would lose the
 * reply: most clients would report a broken pipe.
 */
function letTheRestGo(request: IncomingMessage): void {
  const limit = timer(refusedUploadGraceMs, () => request.destroy());
  request.once("close", () => limit.cancel());
}

/** Formats the reply to bytes that are not an HTTP request, for a socket that closes afterwards. */
export function formatRawReply(
  status: number,
  body: unknown,
  contentType: string,
  requestId: string,
): string {
  const text = JSON.stringify(body);
  const headers = [
    ["Content-Type", contentType],
    ["Content-Length", String(Buffer.byteLength(text))],
    ["X-Request-Id", requestId],
    ["Connection", "close"],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${text}`;
}
