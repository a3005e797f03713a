/**
 * Reads JSON bodies, and documents of snapshots: strict about media type, encoding, nesting and numbers. `express.raw`
 * receives the bytes, because `express.json` would decode them a second time after a check of their text.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { MIMEType } from "node:util";
import express, { type Request, type Response } from "express";
import { Refusal, refuse } from "../contract/errors.js";
import { findNumber, isObject, parseJson } from "../contract/json.js";
import { largestSnapshotMB } from "../contract/options.js";

const limitBytes = 1024 * 1024;
/** Maximum nesting of a body: deeper than any schema, and shallow enough for every recursive reader. */
const maxJsonDepth = 64;

/**
 * Matches a number that a double may not be able to hold: hundreds of digits, or an exponent. The look-behind keeps the
 * search linear: without it, a shorter run of digits is read again from each of its digits.
 */
const possiblyHugeNumber = /(?<!\d)\d{300}|\d[eE]\+?\d/;
const plainType = "application/json";
const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json$/;
const byteOrderMark = "\ufeff";

/** Reads the body of a request into `request.body`, or rejects with a refusal. */
export type BodyReader = (request: Request, response: Response) => Promise<void>;

/** Reads a JSON object; a request without a body gets an empty one. */
export const readJson: BodyReader = bodyReader({
  limit: limitBytes,
  tooLarge: (limit) =>
    new Refusal("body_too_large", { message: `The JSON body may have at most ${limit} bytes.` }),
  check(request, text) {
    checkText(text, maxJsonDepth);
    request.context.bodyText = text;
  },
});

/** Minimum mean length of a value. A document with shorter values would take many times its size in memory. */
const minBytesPerValue = 8;
/** Maximum nesting of a snapshot. Its records contain bodies, a few levels deep in a table of its state. */
const maxSnapshotDepth = maxJsonDepth + 7;

/** Returns the reader of the documents of snapshots. */
export function snapshotReader(maxMB: number): BodyReader {
  const limit = maxMB * 1024 * 1024;
  return bodyReader({
    limit,
    tooLarge: (_limit, length) => snapshotTooLarge(length, maxMB),
    check(_request, text) {
      checkText(text, maxSnapshotDepth);
      checkValues(text, Math.floor(limit / minBytesPerValue));
    },
  });
}

const snapshotTooLarge = (length: number | null, maxMB: number): Refusal => {
  const rounded = ((length ?? 0) / 1024 / 1024).toFixed(1);
  const size = Number(rounded) > maxMB ? rounded : `more than ${maxMB}`;
  const remedy = maxMB < largestSnapshotMB ? ` (--max-snapshot-mb, up to ${largestSnapshotMB})` : "";
  return new Refusal("body_too_large", {
    message: `The document has ${size} MB; this sandbox takes at most ${maxMB} MB${remedy}.`,
  });
};

/**
 * Maximum total size in bytes of the long bodies that are still arriving: files, snapshots and JSON. A body that stops
 * halfway keeps its bytes until the request times out.
 */
export const maxIncompleteBytes = 128 * 1024 * 1024;

let totalBytes = 0;

/** Bytes of a body that are kept in memory while the rest arrives. */
export class IncompleteBody {
  #bytes = 0;

  /** `largest`: size in bytes up to which a body is accepted if no other body is arriving. */
  constructor(readonly largest = 0) {}

  /** Counts bytes. Returns a refusal if all bodies together exceed the maximum. */
  hold(bytes: number): Refusal | null {
    totalBytes += bytes;
    this.#bytes += bytes;
    const limit = Math.max(maxIncompleteBytes, this.largest);
    if (totalBytes <= limit) return null;
    return new Refusal("storage_unavailable", {
      message: `Bodies of requests on their way already fill the ${limit / 1024 / 1024} MB that this sandbox has for them; try again.`,
    });
  }

  release(): void {
    totalBytes -= this.#bytes;
    this.#bytes = 0;
  }
}

/** Length in bytes up to which bodies do not count while they arrive. */
const shortBodyBytes = 16 * 1024;

/**
 * Refuses a body that, with the bodies that are still arriving, exceeds the maximum. A single body of up to `limit`
 * bytes is always accepted.
 */
function countArriving(request: IncomingMessage, limit: number, refused: (refusal: Refusal) => void): void {
  const body = new IncompleteBody(limit);
  const count = (chunk: Buffer) => {
    const refusal = body.hold(chunk.length);
    if (!refusal) return;
    body.release();
    // Bytes that arrive from now on are not kept, neither here nor by express.raw.
    request.removeAllListeners("data");
    request.resume();
    refused(refusal);
  };
  request.on("data", count);
  for (const end of ["end", "close"]) request.once(end, () => body.release());
}

interface BodyOptions {
  /** Maximum length in bytes. */
  limit: number;
  /** Returns the refusal of a longer body. Its length is null if no header gave it. */
  tooLarge(limit: number, length: number | null): Refusal;
  /** Checks the text before it is parsed. */
  check(request: Request, text: string): void;
}

/** Returns the function that checks the headers of a JSON body, and reads it. */
function bodyReader({ limit, tooLarge, check }: BodyOptions): BodyReader {
  const receive = express.raw({ limit, type: () => true, inflate: false });
  return async (request, response) => {
    const { headers } = request;
    const length = headers["content-length"];
    // Another application has parsed it, when the sandbox is mounted behind its `express.json()`.
    if (request.body !== undefined) {
      if (!isObject(request.body)) throw notAnObject();
      const text = JSON.stringify(request.body);
      const size = Math.max(Number(length ?? 0), Buffer.byteLength(text));
      if (size > limit) throw tooLarge(limit, size);
      return check(request, text);
    }
    if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) {
      request.body = {};
      return;
    }
    checkMediaType(request);
    if (Number(length) > limit) throw tooLarge(limit, Number(length));
    await new Promise<void>((resolve, reject) => {
      // express.raw answers only once an oversized body has arrived completely.
      if (length === undefined) onMoreThan(request, limit, () => reject(tooLarge(limit, null)));
      if (length === undefined || Number(length) > shortBodyBytes)
        countArriving(request, limit > limitBytes ? limit : 0, reject);
      receive(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    if (!Buffer.isBuffer(request.body)) throw notAnObject();
    const text = toText(request.body);
    check(request, text);
    request.body = parseBody(text);
  };
}

/** Parses a body, which may be empty. */
function parseBody(text: string): Record<string, unknown> {
  if (text === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Refusal("malformed_json", {
      message: `The body is not valid JSON: ${(error as Error).message}.`,
    });
  }
  if (!isObject(body)) throw notAnObject();
  return body;
}

const notAnObject = (): Refusal =>
  new Refusal("validation_error", { message: "The body must be a JSON object." });

function checkMediaType({ headers }: Request): void {
  const type = headers["content-type"];
  if (type !== plainType && (type === undefined || !isJsonInUtf8(type))) {
    refuse("unsupported_media_type", {
      param: "Content-Type",
      message: `The body must be application/json in UTF-8; the request says ${type ?? "nothing"}.`,
    });
  }
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    refuse("unsupported_media_type", {
      param: "Content-Encoding",
      message: `The body must be uncompressed; the request says ${encoding}.`,
    });
  }
}

/** Returns whether a media type is JSON in UTF-8 (RFC 9110, section 8.3.1). */
function isJsonInUtf8(type: string): boolean {
  const parsed = parseMediaType(type);
  if (!parsed || !jsonMediaType.test(parsed.essence)) return false;
  return /^utf-?8$/i.test(parsed.params.get("charset") ?? "utf-8");
}

/** Parses the value of a Content-Type. Returns null if it is not a media type. */
export function parseMediaType(type: string): MIMEType | null {
  try {
    return new MIMEType(type);
  } catch {
    return null;
  }
}

/** Calls `callback` once more than `limit` bytes have arrived. */
export function onMoreThan(request: IncomingMessage, limit: number, callback: () => void): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= limit) return;
    request.removeListener("data", count);
    callback();
  };
  request.on("data", count);
}

function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) refuse("malformed_json", { message: "The body is not UTF-8." });
  return bytes.toString("utf8");
}

function checkText(text: string, maxDepth: number): void {
  if (text.startsWith(byteOrderMark))
    refuse("malformed_json", { message: "The body begins with a byte order mark; send it without one." });
  if (isDeeperThan(text, maxDepth))
    refuse("malformed_json", { message: `The body is nested deeper than ${maxDepth} levels.` });
  if (possiblyHugeNumber.test(text)) checkNumbers(text);
}

/** Refuses numbers such as 1e400, which `JSON.parse` reads as Infinity and nothing can write back. */
function checkNumbers(text: string): void {
  // Text that is not JSON is refused by the parser, which says why.
  const path = findNumber(parseJson(text), (number) => !Number.isFinite(number));
  if (path === null) return;
  const param = path.join(".") || "body";
  refuse("validation_error", { param, message: `${param} is a number that is too large to store.` });
}

const [quote, comma, backslash] = [34, 44, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/** Returns the position of the quotation mark that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length && text.charCodeAt(i) !== quote; i++) if (text.charCodeAt(i) === backslash) i++;
  return i;
}

function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if (code === openBrace || code === openBracket) {
      if (++depth > levels) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return false;
}

/** Refuses a text with more values than this: each takes memory, however short it is. */
function checkValues(text: string, maxValues: number): void {
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if ((code === comma || code === openBrace || code === openBracket) && ++values > maxValues)
      throw new Refusal("body_too_large", {
        message: `The document may have at most ${maxValues} values: each takes memory, however short it is.`,
      });
  }
}
