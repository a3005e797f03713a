/** Reads an HTTP archive (HAR 1.2), as a browser, a proxy or `standin har` writes it, as entries of a request journal. */
import { createHash } from "node:crypto";
import { isLiveKey } from "../../contract/api-keys.js";
import { errorCodeOf } from "../../contract/error-body.js";
import { withoutHeaders } from "../../contract/headers.js";
import { isObject, parseJson, parseObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { isBinary, isOutage, statusesWithoutContent } from "../../contract/reply-forms.js";
import { matchCall } from "../../contract/route.js";
import { hidden } from "../../contract/secrets.js";
import type { Upload } from "../../contract/upload.js";
import { serviceOperations } from "../../service/index.js";
import { fromIso } from "../../time/time.js";
import type { CallFile } from "../../world/activity/activity.js";
import { type JournalEntry, StartedRequest } from "../../world/activity/request-journal.js";
import { readJournalEntry } from "./session-log.js";

/** Thrown when a document is no HTTP archive, or has no request to the service. The message completes a sentence about the file. */
export class NotAnArchive extends Error {}

export interface ReadArchive {
  /** The requests to the service and their replies, without API key and token, in the order of the requests. */
  readonly entries: readonly JournalEntry[];
  /** Whether the requests have a live key. */
  readonly live: boolean;
  /** Whether the archive is from a sandbox, whose people are invented. */
  readonly isOfSandbox: boolean;
  /** Requests that are not among the entries, and why. */
  readonly leftOut: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Text fields and files of a form. */
type ReadForm = NonNullable<JournalEntry["form"]>;

/** A request or a reply: its media type with parameters, and its body, null if the archive has none. */
interface Content {
  readonly type: string;
  readonly bytes: Buffer | null;
}

/** A request to the service. */
interface Call {
  request: Fields;
  response: Fields;
  operation: AnyOperation;
  path: string;
  /** Ms since the epoch. */
  at: number;
}

const objectIn = (value: unknown): Fields => (isObject(value) ? value : {});
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(objectIn) : []);

/** Reads an archive. Rejects with NotAnArchive. */
export async function readArchive(document: unknown): Promise<ReadArchive> {
  const { entries: archived, creator } = objectIn(objectIn(document).log);
  if (!Array.isArray(archived)) throw new NotAnArchive("is no HTTP archive: it has no log.entries");
  const leftOut = new Set<string>();
  const calls = archived.flatMap((entry) => readArchived(objectIn(entry), leftOut) ?? []);
  if (calls.length === 0) {
    leftOut.delete(noOperation);
    const reasons = leftOut.size === 0 ? "" : ` that a run could repeat: ${[...leftOut].join("; ")}`;
    throw new NotAnArchive(`has no request to the service among its ${archived.length} entries${reasons}`);
  }
  calls.sort((a, b) => a.at - b.at);
  const key = calls.map(keyOf).find((text) => text !== "") ?? "";
  const own = calls.filter((call) => [key, ""].includes(keyOf(call)));
  if (own.length < calls.length) leftOut.add("requests with another API key than the first request");
  const entries = withoutUnseen(await Promise.all(own.map(toEntry)), leftOut);
  const isOfSandbox = objectIn(creator).name === "Standin";
  return { entries, live: isLiveKey(key), isOfSandbox, leftOut: [...leftOut] };
}

const noOperation = "requests that are no operation of the interface";

/** Reason for leaving out a call whose reply the archive does not have. */
const lackingReply = "the archive does not have the text of its reply";

/** Fields that name a record which only a call of the archive can make. `given` makes all other records. */
const idFields = ["id", "domain_id", "verification_id"];

/**
 * Leaves out successful calls with a record that no reply of the archive shows, if the archive lacks the text of some
 * replies: a run cannot make such a record.
 */
function withoutUnseen(entries: readonly JournalEntry[], leftOut: Set<string>): readonly JournalEntry[] {
  if (![...leftOut].some((reason) => reason.endsWith(lackingReply))) return entries;
  const seen: string[] = [];
  return entries.filter((entry) => {
    const { operation, status, form, reply } = entry;
    const { params, body } = readJournalEntry(entry, serviceOperations) ?? {};
    const fields: Fields = { ...form?.fields, ...body, ...params };
    const named = idFields.map((name) => fields[name]).find((id) => typeof id === "string");
    const isUnseen = named !== undefined && !seen.some((text) => text.includes(JSON.stringify(named)));
    if (isUnseen && (status as number) < 400) {
      leftOut.add(`a ${operation} that answered ${status}: no reply of the archive shows its ${named}`);
      return false;
    }
    if (reply !== null) seen.push(reply);
    return true;
  });
}

/** Reads an entry of the archive. Returns null unless it is a request to the service with a reply that a scenario could expect. */
function readArchived(entry: Fields, leftOut: Set<string>): Call | null {
  const [request, response] = [objectIn(entry.request), objectIn(entry.response)];
  const method = textIn(request.method).toUpperCase();
  const found = findOperation(method, textIn(request.url));
  if (!found) {
    leftOut.add(noOperation);
    return null;
  }
  const { operation, path } = found;
  const status = typeof response.status === "number" ? response.status : 0;
  const reason = reasonToLeaveOut(operation, status, entry);
  if (reason !== null) {
    leftOut.add(`a ${operation.id} that answered ${status || "nothing"}${reason}`);
    return null;
  }
  return { request, response, operation, path, at: fromIso(textIn(entry.startedDateTime)) ?? 0 };
}

/** Returns why a call is left out, as text to follow its status, or null if a scenario can expect the reply. */
function reasonToLeaveOut(operation: AnyOperation, status: number, entry: Fields): string | null {
  if (status < 200 || isOutage(status)) return "";
  const isFromCache = typeof entry._fromCache === "string" || status === 304;
  if (isFromCache) return ": the client had the reply in its cache";
  if (status < 400 && status >= 300) return ": a redirect, which the service does not send";
  return lacksReply(operation, status, objectIn(objectIn(entry.response).content))
    ? `: ${lackingReply}`
    : null;
}

/** Returns whether the archive lacks the JSON of a reply. Files are not compared, so their bytes may be missing. */
function lacksReply(operation: AnyOperation, status: number, content: Fields): boolean {
  if (statusesWithoutContent.includes(status)) return false;
  const declared = operation.reply[status];
  if (declared && isBinary(declared)) return false;
  const { type, bytes } = contentIn(content);
  const isJson = type.toLowerCase().includes("json");
  return isJson ? parseJson(bytes?.toString("utf8")) === undefined : bytes === null;
}

/**
 * Returns the operation that a URL calls, and the path with its query from `/v1/` on. The service may be mounted below a
 * path that has a `/v1/` as well. Null if the URL calls no operation.
 */
function findOperation(method: string, url: string): { operation: AnyOperation; path: string } | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  for (const { index } of pathname.matchAll(/\/v1(?=\/)/g)) {
    const path = pathname.slice(index) + search;
    const operation = matchCall(serviceOperations, `${method} ${path}`)?.operation;
    if (operation) return { operation, path };
  }
  return null;
}

const headersOf = ({ request }: Call): [name: string, value: string][] =>
  listIn(request.headers).map(({ name, value }) => [textIn(name), textIn(value)]);

const keyOf = (call: Call): string =>
  headersOf(call).find(([name]) => name.toLowerCase() === "x-service-key")?.[1] ?? "";

/** Headers with credentials, which are dropped. */
const secretHeaders = ["x-service-key", "authorization", "cookie"];

async function toEntry(call: Call, index: number): Promise<JournalEntry> {
  const { operation, path, request, response, at } = call;
  const method = textIn(request.method).toUpperCase();
  const headers = withoutHeaders(secretHeaders, headersOf(call).flat());
  const status = response.status as number;
  const { type, bytes } = contentIn(objectIn(response.content));
  const text = type.toLowerCase().includes("json") ? (bytes?.toString("utf8") ?? null) : null;
  const reply = parseJson(text);
  return {
    ...new StartedRequest(`archived_${index}`, operation.id, method, path, headers),
    at,
    status,
    error_code: status >= 400 ? errorCodeOf(reply) : null,
    ...(await readSent(operation, objectIn(request.postData))),
    reply: typeof reply === "object" && reply !== null ? text : null,
  };
}

/** Reads the body of a request. Values that `standin har` has hidden are replaced by the examples of their schemas. */
async function readSent(
  operation: AnyOperation,
  postData: Fields,
): Promise<Pick<JournalEntry, "body" | "form">> {
  const content = contentIn(postData);
  const { upload } = operation;
  if (upload) {
    const params = listIn(postData.params);
    const form = (await readForm(upload, content)) ?? (params.length > 0 ? formIn(operation, params) : null);
    return { body: null, form };
  }
  const text = content.bytes?.toString("utf8") ?? null;
  const given = parseObject(text);
  if (!given || !Object.values(given).includes(hidden)) return { body: text, form: null };
  const shown = Object.entries(given).map(([name, value]) => [name, withExample(operation, name, value)]);
  return { body: JSON.stringify(Object.fromEntries(shown)), form: null };
}

/**
 * Reads a form from its text, or returns null if the archive has no text. With a text, the list of fields is often empty, or
 * has `(binary)` in place of a file. Some tools leave out the bytes of files, or bytes that no text can hold.
 */
async function readForm(upload: Upload, { type, bytes }: Content): Promise<ReadForm | null> {
  if (bytes === null) return null;
  const boundary = /^--(.+?)\r\n/.exec(bytes.toString("latin1"))?.[1];
  const headers = {
    "content-type": boundary === undefined ? type : `multipart/form-data; boundary="${boundary}"`,
  };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => null);
  if (!form) return null;
  const fields: Record<string, string> = {};
  const files: CallFile[] = [];
  for (const [field, value] of form) {
    if (typeof value === "string") fields[field] = value;
    else {
      const content = new Uint8Array(await value.arrayBuffer());
      const isKept = content.length > 0 && !Buffer.from(content).includes(replacementCharacter);
      files.push(toCallFile(upload, field, value.name, value.type, isKept ? content : null));
    }
  }
  return { fields, files };
}

const unspecific = /^(?:application\/octet-stream)?$/;

/** Returns a file of a form. `bytes` is null if they are not known. */
const toCallFile = (
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

/** Replaces bytes that are not UTF-8 in a text. */
const replacementCharacter = Buffer.from("\ufffd");

/** Text that browsers write for a file of a form. */
const binaryValue = "(binary)";

/** Reads a form that is a list of fields, often without the bytes of its files. */
function formIn(operation: AnyOperation, params: readonly Fields[]): ReadForm {
  const { upload = {} } = operation;
  const isFile = ({ name, fileName }: Fields) =>
    typeof fileName === "string" || Object.hasOwn(upload, textIn(name));
  return {
    fields: Object.fromEntries(
      params
        .filter((param) => !isFile(param))
        .map(({ name, value }) => [textIn(name), withExample(operation, textIn(name), textIn(value))]),
    ),
    files: params.filter(isFile).map(({ name, value, fileName, contentType }) => {
      const isKept = typeof value === "string" && value !== "" && value !== binaryValue;
      const bytes = isKept ? toBytes(value) : null;
      return toCallFile(upload, textIn(name), textIn(fileName), textIn(contentType), bytes);
    }),
  };
}

function withExample({ body }: AnyOperation, name: string, value: unknown): unknown {
  const { examples } = objectIn(objectIn(objectIn(body).properties)[name]);
  return value === hidden && Array.isArray(examples) ? examples[0] : value;
}

/** Reads the text of a request or a reply, null if there is none. */
function contentIn({ mimeType, text, encoding }: Fields): Content {
  const isText = typeof text === "string" && text !== "";
  const bytes = !isText ? null : encoding === "base64" ? Buffer.from(text, "base64") : toBytes(text);
  return { type: textIn(mimeType), bytes };
}

/**
 * Returns the bytes of a text. Some tools write each byte of a file as the character with that number. Nearly every such file
 * has control characters from U+0080 to U+009F, which no written text has.
 */
const toBytes = (text: string): Buffer =>
  /[\x80-\x9f]/.test(text) && !/[^\0-\xff]/.test(text) ? Buffer.from(text, "latin1") : Buffer.from(text);
