/** Writes replies: JSON with its length known, binaries, and errors in the shape that the assumptions choose. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { Binary } from "../contract/operation.js";
import { sayDecision } from "../rules/outcomes.js";
import { second, timer } from "../world/time/time.js";
import { attachment } from "./attachment.js";
import type { Exchange } from "./exchange.js";
import { writeFaulty } from "./faulty-reply.js";
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
    headers.push("Content-Disposition", attachment(body.filename));
  }
  if (exchange.fault) writeFaulty(exchange, exchange.fault, status, headers, payload);
  else {
    response.writeHead(status, headers);
    response.end(payload);
  }
  if (!exchange.request.complete) letTheRestGo(exchange.request);
  return text;
}

/** So long (real ms) a client may go on sending what was refused. */
const patience = 10 * second;

/** A socket that is closed under a client still sending takes the answer with it: most see a broken pipe instead. */
function letTheRestGo(request: IncomingMessage): void {
  const limit = timer(patience, () => request.destroy());
  request.once("close", () => limit.cancel());
}

/** A reply to bytes of which no request came: as it goes over the socket, which closes after it. */
export function rawReply(status: number, body: unknown, contentType: string, requestId: string): string {
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
