/**
 * Writes replies: JSON with a known length, binary files, and replies that fail on the real socket: reset, truncated,
 * malformed or slow.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import helmet from "helmet";
import { changeHeaders, headerPairs } from "../contract/headers.js";
import { isObject, setAtPaths } from "../contract/json.js";
import {
  Binary,
  JsonText,
  Stream,
  type StreamTarget,
  statusesWithoutContent,
} from "../contract/reply-forms.js";
import { bodyTime, formatFault, type PlannedFault } from "../rules/faults.js";
import { formatDecision } from "../rules/outcomes.js";
import { afterTick, delay, second, timer, toHttpDate } from "../time/time.js";
import { Turns } from "../time/turns.js";
import { Total } from "../world/store/total.js";
import type { RequestContext } from "./request-context.js";

/** Collects the security headers that helmet sets on every reply. */
function collectHeaders(): readonly string[] {
  const pairs: string[] = [];
  const response = {
    setHeader: (name: string, value: string) => pairs.push(name, value),
    removeHeader: () => {},
  };
  const directives = {
    defaultSrc: ["'none'"],
    frameAncestors: ["'none'"],
    upgradeInsecureRequests: null,
  };
  const middleware = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    // The other headers concern how a browser shows a page, and API replies are not pages.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  middleware({} as never, response as never, () => {});
  return pairs;
}

/** Names and values, alternating, as `writeHead` takes them. HSTS is left out, since the server speaks plain HTTP. */
const apiHeaders: readonly string[] = collectHeaders();

const jsonType = "application/json; charset=utf-8";

/** Writes the reply unless one has been written already, and returns the text of a JSON body. */
export function writeReply(
  context: RequestContext,
  status: number,
  given: unknown,
  contentType = jsonType,
): string | null {
  const { response } = context;
  if (response.headersSent || response.destroyed) return null;
  const body = context.fault ? changeReply(given, status, context.fault) : given;
  if (body instanceof Stream) {
    response.writeHead(status, apiHeaders.concat("Content-Type", body.contentType, headersOf(context)));
    response.flushHeaders();
    body.start(streamTarget(response));
    return null;
  }
  const binary = body instanceof Binary;
  const pieces = body instanceof JsonText ? body.pieces : null;
  const text = binary || pieces ? null : JSON.stringify(body);
  const hasContent = !statusesWithoutContent.includes(status);
  const type = binary ? body.contentType : contentType;
  const payload = hasContent ? (pieces ?? (binary ? body.bytes : (text as string))) : "";
  const length = lengthOf(payload);
  const own: string[] = [];
  // An acknowledgement without content has no type.
  if (hasContent && type !== "") own.push("Content-Type", type);
  // A 204 and a 304 must not have a Content-Length, and a 205 must have the length 0 (RFC 9110, sections 8.6 and
  // 15.3.6).
  if (hasContent || status === 205) own.push("Content-Length", String(length));
  own.push(...headersOf(context));
  if (context.decision) own.push("X-Sandbox-Outcome", formatDecision(context.decision));
  if (binary && body.filename) own.push("Content-Disposition", formatAttachment(body.filename));
  // The journal keeps the list, and one that has grown member by member would have unused places.
  const headers = apiHeaders.concat(own);
  if (length > longReplyBytes) countUnread(response, length);
  if (context.fault) {
    const bytes = Array.isArray(payload) ? Buffer.concat(payload) : (payload as string | Uint8Array);
    keepHeaders(context, writeFaulty(context, context.fault, status, headers, bytes));
  } else {
    keepHeaders(context, headers);
    response.writeHead(status, headers);
    if (pieces && hasContent) Readable.from(inTime(pieces)).pipe(response);
    else response.end(length > longReplyBytes && text !== null ? Buffer.from(text) : payload);
  }
  if (!context.request.complete) limitRestOfRequest(context.request);
  return hasContent ? text : null;
}

/**
 * Returns the target of a stream. Writes after its end are ignored, because its source may not know yet that it has
 * ended. An error thrown by a listener closes the connection and becomes an error of the response, because no handler
 * of Express waits for it.
 */
function streamTarget(response: ServerResponse): StreamTarget {
  response.on("error", () => response.destroy());
  return {
    write: (text) => !response.writableEnded && response.write(text),
    end: () => response.end(),
    on: (event, listener) =>
      response.on(event, () => {
        try {
          listener();
        } catch (error) {
          response.emit("error", error);
        }
      }),
  };
}

function keepHeaders({ entry }: RequestContext, headers: readonly string[]): void {
  if (entry) entry.reply_headers = headers;
}

/** Length in bytes up to which replies do not count while their clients read them. */
const longReplyBytes = 64 * 1024;

/** Maximum total length in bytes of the long replies that are being read. They are outside of the heap. */
export const maxUnreadBytes = 256 * 1024 * 1024;

/** Replies that are being read. When the total is exceeded, the client that has had the most time to read is cut off. */
const unread = new Total<ServerResponse>(
  "replies that clients have yet to read",
  maxUnreadBytes,
  resetConnection,
);

function countUnread(response: ServerResponse, length: number): void {
  const counted = unread.add(response, length);
  response.once("close", () => unread.release(counted));
}

/** Yields the pieces of a long body in turns, so that other requests are served in between. */
async function* inTime(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const turns = new Turns();
  for (const piece of pieces) {
    yield piece;
    await turns.step();
  }
}

const lengthOf = (payload: string | Uint8Array | readonly Uint8Array[]): number =>
  typeof payload === "string" || payload instanceof Uint8Array
    ? Buffer.byteLength(payload)
    : payload.reduce((sum, { length }) => sum + length, 0);

/** Returns the headers of the request. The date of an account's reply is the date on the account's clock. */
const headersOf = ({ requestId, replyHeaders, account }: RequestContext): string[] =>
  account
    ? ["Date", toHttpDate(account.clock.now()), "X-Request-Id", requestId, ...replyHeaders]
    : ["X-Request-Id", requestId, ...replyHeaders];

/** Wall-clock time, in ms, for which a client may continue to send a refused request. */
const refusedUploadGraceMs = 10 * second;

/**
 * Lets a client finish sending a request that has been answered already. Closing the socket earlier would lose the
 * reply: most clients would report a broken pipe.
 */
function limitRestOfRequest(request: IncomingMessage): void {
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

type Payload = string | Uint8Array;

/** Time in ms that a client has to read the first half of a reply, and to write it to a file, before the connection ends. */
const readingTimeMs = 100;

/** Writes a reply with a fault. Returns its headers, names and values alternating. */
function writeFaulty(
  { response, stopping, changedHeaders }: RequestContext,
  fault: PlannedFault,
  status: number,
  headers: readonly string[],
  payload: Payload,
): readonly string[] {
  const bytes = Buffer.from(payload as Uint8Array);
  const half = bytes.subarray(0, bytes.length >> 1);
  if (fault.reply === "reset_after") {
    resetConnection(response);
    return [];
  }
  const all = [...headers, "X-Sandbox-Fault", formatFault(fault)];
  const sent = changedHeaders ? changeHeaders(headerPairs(all), changedHeaders).flat() : all;
  response.writeHead(status, sent);
  switch (fault.reply) {
    case "reset_during":
      // A client that has not read the first half when the reset arrives sees a connection that was closed properly.
      response.write(half, () => timer(readingTimeMs, () => resetConnection(response)));
      break;
    case "truncated":
      response.write(half, () => timer(readingTimeMs, () => response.socket?.destroySoon()));
      break;
    case "stalled":
      response.write(half);
      void stall(response, bodyTime(fault), stopping);
      break;
    case "malformed":
      response.end(spoil(bytes));
      break;
    case "trickle":
      void trickle(response, bytes, bodyTime(fault), stopping);
      break;
    default:
      response.end(bytes);
  }
  return sent;
}

/** Resets the connection when it is this reply's turn, after the replies to earlier requests on the same connection. */
export function resetConnection(response: ServerResponse): void {
  if (response.socket) response.socket.resetAndDestroy();
  else response.once("socket", (socket: Socket) => afterTick(() => socket.resetAndDestroy()));
}

/**
 * Damages a body without changing its length: the last bracket of JSON is replaced, and the second half of other files
 * is zeroed.
 */
function spoil(bytes: Buffer): Buffer {
  const last = bytes.length - 1;
  if (bytes[last] === 0x7d || bytes[last] === 0x5d)
    return Buffer.concat([bytes.subarray(0, last), Buffer.from(",")]);
  return Buffer.concat([
    bytes.subarray(0, bytes.length >> 1),
    Buffer.alloc(bytes.length - (bytes.length >> 1)),
  ]);
}

/** Keeps the connection open until the client closes it, or for `over` ms. */
async function stall(
  response: RequestContext["response"],
  over: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  await delay(over, AbortSignal.any([closed.signal, ...(stopping ? [stopping] : [])]));
  if (!response.destroyed) resetConnection(response);
}

const maxPieces = 20;

async function trickle(
  response: RequestContext["response"],
  bytes: Buffer,
  over: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / maxPieces));
  const pieces = Math.ceil(bytes.length / size);
  for (let piece = 0; piece < pieces && !response.destroyed; piece++) {
    await delay(over / pieces, stopping);
    response.write(bytes.subarray(piece * size, (piece + 1) * size));
  }
  response.end();
}

/** Returns a reply as the fault changes it. Only successful JSON replies are changed. */
function changeReply(body: unknown, status: number, { set, where, reply }: PlannedFault): unknown {
  const isChanged = set !== undefined || reply === "reordered" || reply === "reversed_lists";
  if (!isChanged || status >= 300 || body instanceof Binary || body instanceof Stream) return body;
  const text = body instanceof JsonText ? Buffer.concat(body.pieces).toString() : JSON.stringify(body);
  const copy: unknown = JSON.parse(text);
  if (set) setAtPaths(copy, set, where);
  if (reply === "reversed_lists") return withReversedLists(copy);
  return reply === "reordered" ? reversed(copy) : copy;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, field]) => [name, reversed(field)]));
}

function withReversedLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReversedLists).reverse();
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, field]) => [name, withReversedLists(field)]));
}

/**
 * Formats a Content-Disposition header (RFC 6266): an ASCII file name for every client, and the full name for clients that
 * read it.
 */
export function formatAttachment(filename: string): string {
  return `attachment; filename="${toAscii(filename)}"; filename*=UTF-8''${toExtendedValue(filename)}`;
}

/** Removes diacritics, and replaces other characters that are not ASCII with underscores. */
const toAscii = (filename: string): string =>
  filename
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]/gu, "_")
    .replaceAll(/["\\]/g, "\\$&");

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Encodes an extended header value; RFC 8187 leaves fewer characters unencoded than URIs do. */
const toExtendedValue = (filename: string): string =>
  encodeURIComponent(filename.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll(/['()*]/g, percentEncode);
