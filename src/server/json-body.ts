/** Reads JSON bodies with `express.json`, strict about media type, encoding, nesting and numbers. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { MIMEType } from "node:util";
import express, { type Request, type RequestHandler } from "express";
import { Refusal, refuse } from "../contract/errors.js";
import { findNumber, isObject, parseJson } from "../contract/json.js";
import { IncompleteBody } from "./incomplete-bodies.js";

const limitBytes = 1024 * 1024;
/** Deeper than any schema, and shallow enough for every recursive reader. */
export const maxJsonDepth = 64;

/**
 * Matches a number that a double may not be able to hold: hundreds of digits, or an exponent. The look-behind keeps the
 * search linear: without it, a run of fewer digits is read again from each of them.
 */
const possiblyHugeNumber = /(?<!\d)\d{300}|\d[eE]\+?\d/;
const plainType = "application/json";
const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json$/;
const byteOrderMark = "\ufeff";

/** Creates the middleware that reads a JSON object into `request.body`; a request without a body gets an empty one. */
export function readJson(): RequestHandler {
  const parse = express.json({
    limit: limitBytes,
    type: () => true,
    strict: false,
    inflate: false,
    verify(request, _response, bytes) {
      (request as Request).context.bodyText = checkedText(bytes, maxJsonDepth);
    },
  });
  const read: RequestHandler = (request, response, next) => {
    const length = request.headers["content-length"];
    if (length === undefined || Number(length) > shortBodyBytes) countArriving(request, next);
    parse(request, response, next);
  };
  return readBody(limitBytes, read, takeParsedBody);
}

/** Length in bytes up to which bodies do not count while they arrive. */
const shortBodyBytes = 16 * 1024;

/** Refuses a body that does not fit beside the others that are still arriving. */
function countArriving(request: IncomingMessage, refused: (refusal: Refusal) => void): void {
  const body = new IncompleteBody();
  const count = (chunk: Buffer) => {
    const refusal = body.hold(chunk.length);
    if (!refusal) return;
    body.release();
    // Bytes that still arrive are not kept, neither here nor by express.json.
    request.removeAllListeners("data");
    request.resume();
    refused(refusal);
  };
  request.on("data", count);
  for (const end of ["end", "close"]) request.once(end, () => body.release());
}

/**
 * Creates the middleware that checks the headers of a JSON body of at most `limit` bytes before `parse` reads it.
 * `takeParsed` takes a body that another application has parsed, when the sandbox is mounted behind its `express.json()`.
 */
export function readBody(
  limit: number,
  parse: RequestHandler,
  takeParsed: (request: Request) => void | Promise<void>,
): RequestHandler {
  return (request, response, next) => {
    const { headers } = request;
    const length = headers["content-length"];
    if (request.body !== undefined) {
      if (!isObject(request.body)) throw notAnObject();
      if (Number(length) > limit) throw tooLarge(limit);
      const taking = takeParsed(request);
      if (taking) taking.then(() => next(), next);
      else next();
      return;
    }
    if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) {
      request.body = {};
      return next();
    }
    checkMediaType(request);
    if (Number(length) > limit) throw tooLarge(limit);
    let isOver = false;
    const end = (error?: unknown) => {
      if (isOver) return;
      isOver = true;
      if (error === undefined && !isObject(request.body)) next(notAnObject());
      else next(error);
    };
    // express.json answers only once an oversized body has arrived completely.
    if (length === undefined) onMoreThan(request, limit, () => end(tooLarge(limit)));
    parse(request, response, end);
  };
}

function takeParsedBody(request: Request): void {
  const text = JSON.stringify(request.body);
  if (Buffer.byteLength(text) > limitBytes) throw tooLarge(limitBytes);
  checkText(text, maxJsonDepth);
  request.context.bodyText = text;
}

export const tooLarge = (limit: number): Refusal =>
  new Refusal("body_too_large", { message: `The JSON body may have at most ${limit} bytes.` });

export const notAnObject = (): Refusal =>
  new Refusal("validation_error", { message: "The body must be a JSON object." });

function checkMediaType({ headers }: Request): void {
  const type = headers["content-type"];
  if (type !== plainType) {
    if (type === undefined || !isJsonInUtf8(type))
      refuse("unsupported_media_type", {
        param: "Content-Type",
        message: `The body must be application/json in UTF-8; the request says ${type ?? "nothing"}.`,
      });
    // express.json knows fewer ways to write the same type.
    headers["content-type"] = plainType;
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

function checkedText(bytes: Buffer, maxDepth: number): string {
  if (!isUtf8(bytes)) refuse("malformed_json", { message: "The body is not UTF-8." });
  const text = bytes.toString("utf8");
  checkText(text, maxDepth);
  return text;
}

export function checkText(text: string, maxDepth: number): void {
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

function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
    } else if (code === 123 || code === 91) {
      if (++depth > levels) return true;
    } else if (code === 125 || code === 93) {
      depth--;
    }
  }
  return false;
}
