/** Reads the document of a snapshot, which may be large, record by record in turns of the event loop. */
import { isUtf8 } from "node:buffer";
import type { Request, RequestHandler } from "express";
import { Refusal, refuse } from "../contract/errors.js";
import { inTurns } from "../time/turns.js";
import { isKeptAsMap, type SnapshotDocument, toMember } from "../world/snapshot/document.js";
import { IncompleteBody } from "./incomplete-bodies.js";
import { checkText, maxJsonDepth, notAnObject, readBody } from "./json-body.js";
import { JsonScanError, JsonScanner } from "./json-scanner.js";
import { ClientGone } from "./request-context.js";

/** Minimum mean length of a value. A document with shorter values would take many times its size in memory. */
const minBytesPerValue = 8;
/** Size up to which a record is parsed, which happens in one piece. */
const maxRecordBytes = 4 * 1024 * 1024;
/** Records nest the bodies that they hold a few levels further in. */
const maxRecordDepth = maxJsonDepth + 4;
/** Creates the middleware that reads a snapshot's document into `request.body`. */
export function readSnapshotBody(maxSnapshotMB: number): RequestHandler {
  const limit = maxSnapshotMB * 1024 * 1024;
  const maxValues = Math.floor(limit / minBytesPerValue);
  const parse = async (request: Request): Promise<void> => {
    request.body = await parseDocument(await readBytes(request, limit), maxValues);
  };
  const read: RequestHandler = (request, _response, next) => parse(request).then(() => next(), next);
  return readBody(limit, read, async ({ body }) => inTurns(checkValues(body, maxValues)));
}

/**
 * Reads the bytes of a body into memory that is allocated once, as they arrive: `express.raw` joins them at the end, in a
 * turn of the event loop that takes 50 ms for 80 MB. Bytes beyond the limit, which the caller refuses, are dropped.
 */
async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Number(request.headers["content-length"] ?? limit));
  const body = new IncompleteBody(limit);
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const refusal = body.hold((chunk as Buffer).length);
      if (refusal) throw refusal;
      length += (chunk as Buffer).copy(bytes, length);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new ClientGone();
  } finally {
    body.release();
  }
  return bytes.subarray(0, length);
}

/** Refuses a document with too many values that another application has parsed. */
function* checkValues(document: unknown, maxValues: number): Generator<void, void> {
  const waiting = [document];
  for (let count = 0; waiting.length > 0; ) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const key in value) {
      if (++count > maxValues) throw tooManyValues(maxValues);
      waiting.push((value as Record<string, unknown>)[key]);
    }
    yield;
  }
}

const tooManyValues = (maxValues: number): Refusal =>
  new Refusal("body_too_large", {
    message: `The document may have at most ${maxValues} values: each takes memory, however short it is.`,
  });

async function parseDocument(bytes: Buffer, maxValues: number): Promise<SnapshotDocument> {
  if (!isUtf8(bytes)) refuse("malformed_json", { message: "The body is not UTF-8." });
  const scanner = new JsonScanner(bytes, maxValues);
  try {
    return await inTurns(readDocument(scanner));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonScanError)
      refuse("malformed_json", { message: `The body is not valid JSON: ${error.message}.` });
    throw error;
  }
}

function* readDocument(scanner: JsonScanner): Generator<void, SnapshotDocument> {
  if (!scanner.isAtObject) throw notAnObject();
  const document = yield* readMembers(scanner, 0);
  scanner.end();
  return document;
}

/** Reads an object whose members are at this depth of the document. */
function* readMembers(scanner: JsonScanner, depth: number): Generator<void, Map<string, unknown>> {
  const members = new Map<string, unknown>();
  for (let key = scanner.enter(); key !== null; key = scanner.nextKey()) {
    const isMap = scanner.isAtObject && isKeptAsMap(key, depth);
    members.set(
      key,
      isMap ? yield* readMembers(scanner, depth + 1) : toMember(yield* readValue(scanner, key), depth),
    );
    yield;
  }
  return members;
}

function* readValue(scanner: JsonScanner, key: string): Generator<void, unknown> {
  const { start, end } = yield* scanner.skipValue();
  if (scanner.hasTooManyValues) throw tooManyValues(scanner.maxValues);
  if (end - start > maxRecordBytes)
    throw new Refusal("body_too_large", {
      param: key.slice(0, 100),
      message: `A record of the document may have at most ${maxRecordBytes} bytes; ${key.slice(0, 100)} has ${end - start}.`,
    });
  const text = scanner.bytes.toString("utf8", start, end);
  checkText(text, maxRecordDepth);
  return JSON.parse(text);
}
