/** Reads a JSON body: counted while it arrives, strict about type, encoding and depth. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../contract/errors.js";

const jsonLimit = 1024 * 1024;
/** Deeper than any schema, shallow enough for every recursive reader. */
export const deepest = 64;

/** What a number that no double can hold looks like: hundreds of digits, or an exponent. */
const mayBeHuge = /\d{300}|\d[eE]\+?\d/;

const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The body's text; empty when there is none. */
export async function readJsonText(request: IncomingMessage, limit = jsonLimit): Promise<string> {
  const { headers } = request;
  const length = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) return "";
  const type = headers["content-type"];
  if (type === undefined || !isJson.test(type)) {
    refuse("unsupported_media_type", {
      param: "Content-Type",
      message: `The body must be application/json; the request says ${type ?? "nothing"}.`,
    });
  }
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") {
    refuse("unsupported_media_type", {
      param: "Content-Encoding",
      message: `The body must come uncompressed; the request says ${headers["content-encoding"]}.`,
    });
  }
  if (Number(length) > limit) throw tooLarge(limit);
  const bytes = await collect(request, limit);
  if (!isUtf8(bytes)) refuse("malformed_json", { message: "The body is not UTF-8." });
  return bytes.toString("utf8");
}

const tooLarge = (limit: number): Refusal =>
  new Refusal("body_too_large", { message: `The JSON body may have at most ${limit} bytes.` });

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else reject(tooLarge(limit));
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", () => reject(new ClientGone()));
    request.on("close", () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** The caller hung up before its request was whole: nobody is there to answer. */
export class ClientGone extends Error {}

/** The parsed body; an empty one is an empty object, so that what is missing can be named. */
export function parseJson(text: string, levels = deepest): Record<string, unknown> {
  if (text === "") return {};
  if (tooDeep(text, levels))
    refuse("malformed_json", { message: `The body nests deeper than ${levels} levels.` });
  let value: unknown;
  try {
    value = mayBeHuge.test(text) ? JSON.parse(text, finite) : JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    refuse("malformed_json", { message: `The body is not valid JSON: ${(error as Error).message}.` });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse("validation_error", { message: "The body must be a JSON object." });
  }
  return value as Record<string, unknown>;
}

/** JSON.parse makes Infinity of 1e400, which nothing can write back. */
function finite(key: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  const param = key || "body";
  return refuse("validation_error", { param, message: `${param} is a number beyond what can be kept.` });
}

function tooDeep(text: string, levels: number): boolean {
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
