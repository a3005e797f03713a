/** Writes replies: JSON with its length known, binaries, and errors in the shape that the assumptions choose. */
import { Binary } from "../contract/operation.js";
import { sayDecision } from "../scenarios/outcomes.js";
import type { Exchange } from "./exchange.js";
import { apiHeaders } from "./headers.js";

const jsonType = "application/json; charset=utf-8";

export function writeReply(
  exchange: Exchange,
  status: number,
  body: unknown,
  contentType = jsonType,
): string | null {
  const { response } = exchange;
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
    exchange.requestId,
    ...exchange.replyHeaders,
  ];
  if (exchange.decision) headers.push("X-Sandbox-Outcome", sayDecision(exchange.decision));
  if (binary && body.filename) {
    headers.push("Content-Disposition", `attachment; filename*=UTF-8''${encodeURIComponent(body.filename)}`);
  }
  // An upload that was refused half-way is still coming in: the connection cannot be used again.
  if (!exchange.request.complete) headers.push("Connection", "close");
  response.writeHead(status, headers);
  response.end(payload);
  return text;
}
