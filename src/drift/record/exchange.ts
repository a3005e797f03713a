/** A request that has passed the recording proxy, with its reply. */
import { createHash } from "node:crypto";
import { withoutHeaders } from "../../contract/headers.js";
import { isObject, parseJson } from "../../contract/json.js";
import { type AnyOperation, pathOf } from "../../contract/operation.js";
import { matchPath } from "../../contract/route.js";
import type { Upload } from "../../contract/upload.js";
import type { CallFile } from "../../world/activity/activity.js";
import { type JournalEntry, newEntry } from "../../world/activity/request-journal.js";
import type { PlayedCall } from "../play.js";
import { errorCodeOf } from "../service-client.js";

export interface PassedExchange extends PlayedCall {
  /** The request and the reply as the journal of a sandbox has them, without API key and token. */
  readonly entry: JournalEntry;
}

/** A request or a reply: its media type with parameters, and its body, null if it was too long to keep. */
export interface Content {
  readonly type: string;
  readonly bytes: Buffer | null;
}

/** Text fields and files of a form. */
export type ReadForm = NonNullable<JournalEntry["form"]>;

export interface Passed {
  readonly id: string;
  /** Ms since the epoch. */
  readonly at: number;
  readonly operation: AnyOperation;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly sent: Content | ReadForm;
  readonly status: number;
  readonly received: Content;
}

/** Headers with credentials, which are not kept. */
const secretHeaders = ["x-service-key", "authorization", "cookie"];

export async function readExchange(passed: Passed): Promise<PassedExchange> {
  const { id, at, operation, method, path, rawHeaders, sent, status, received } = passed;
  const mediaType = received.type.split(";")[0]?.trim().toLowerCase() ?? "";
  const text = mediaType.includes("json") ? received.bytes?.toString("utf8") : undefined;
  const body = parseJson(text);
  const entry: JournalEntry = {
    ...newEntry(id, operation.id, method, path, withoutHeaders(secretHeaders, rawHeaders)),
    at,
    status,
    error_code: status >= 400 ? errorCodeOf(body) : null,
    ...(await readSent(sent, operation)),
    reply: isObject(body) || Array.isArray(body) ? (text as string) : null,
  };
  const [target = ""] = path.split("?");
  const fields = entry.form?.fields ?? parseJson(entry.body);
  const request = {
    params: matchPath(pathOf(operation), target) ?? {},
    body: isObject(fields) ? fields : {},
  };
  return { operation, request, reply: { operation, status, mediaType, body }, entry };
}

async function readSent(
  sent: Content | ReadForm,
  { upload }: AnyOperation,
): Promise<Pick<JournalEntry, "body" | "form">> {
  if ("fields" in sent) return { body: null, form: sent };
  if (upload) return { body: null, form: await readPassedForm(sent, upload) };
  return { body: sent.bytes?.toString("utf8") ?? null, form: null };
}

/** Returns null if the form cannot be read. */
export async function readPassedForm({ type, bytes }: Content, upload: Upload): Promise<ReadForm | null> {
  if (bytes === null) return null;
  const headers = { "content-type": type };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => null);
  if (!form) return null;
  const fields: Record<string, string> = {};
  const files = [];
  for (const [field, value] of form) {
    if (typeof value === "string") fields[field] = value;
    else {
      const content = new Uint8Array(await value.arrayBuffer());
      files.push(toCallFile(upload, field, value.name, value.type, content));
    }
  }
  return { fields, files };
}

const unspecific = /^(?:application\/octet-stream)?$/;

/** Returns a file of a form. `bytes` is null if they are not known. */
export const toCallFile = (
  upload: Upload,
  field: string,
  filename: string,
  type: string,
  bytes: Uint8Array | null,
): CallFile => ({
  field,
  filename,
  // Many clients leave the type to the service, which reads it from the bytes.
  type: unspecific.test(type) ? (upload[field]?.types?.[0] ?? null) : type,
  sha256: createHash("sha256")
    .update(bytes ?? "")
    .digest("hex"),
  kept: { bytes },
});
