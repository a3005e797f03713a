/** Reads an HTTP archive (HAR 1.2), as a browser, a proxy or `standin har` writes it, as exchanges with the service. */
import { isLiveKey } from "../../contract/api-keys.js";
import { isObject, parseJson, parseObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { isBinary, statusesWithoutContent } from "../../contract/reply-forms.js";
import { hidden } from "../../contract/secrets.js";
import type { Upload } from "../../contract/upload.js";
import { fromIso } from "../../time/time.js";
import { operationAt } from "../plan-scenario.js";
import { isOutage } from "../service-client.js";
import {
  type Content,
  type PassedExchange,
  type ReadForm,
  readExchange,
  readPassedForm,
  toCallFile,
} from "./exchange.js";

/** The document is no HTTP archive, or the archive has no request to the service. The message completes a sentence about the file. */
export class NotAnArchive extends Error {}

export interface ReadArchive {
  /** In the order of the requests. */
  readonly exchanges: readonly PassedExchange[];
  /** Whether the requests have a live key. */
  readonly live: boolean;
  /** Whether it is from a sandbox, whose people are invented. */
  readonly isOfSandbox: boolean;
  /** Requests that are not among the exchanges, and why. */
  readonly leftOut: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A request to the service. */
interface Call {
  entry: Fields;
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
  const { entries, creator } = objectIn(objectIn(document).log);
  if (!Array.isArray(entries)) throw new NotAnArchive("is no HTTP archive: it has no log.entries");
  const leftOut = new Set<string>();
  const calls = entries.flatMap((entry) => readCall(objectIn(entry), leftOut) ?? []);
  if (calls.length === 0) {
    leftOut.delete(noOperation);
    const reasons = leftOut.size === 0 ? "" : ` that a run could repeat: ${[...leftOut].join("; ")}`;
    throw new NotAnArchive(`has no request to the service among its ${entries.length} entries${reasons}`);
  }
  calls.sort((a, b) => a.at - b.at);
  const key = calls.map(keyOf).find((text) => text !== "") ?? "";
  const own = calls.filter((call) => [key, ""].includes(keyOf(call)));
  if (own.length < calls.length) leftOut.add("requests with another API key than the first one");
  const read = await Promise.all(own.map((call, index) => toExchange(call, index)));
  const exchanges = withoutUnseen(read, leftOut);
  const isOfSandbox = objectIn(creator).name === "Standin";
  return { exchanges, live: isLiveKey(key), isOfSandbox, leftOut: [...leftOut] };
}

const noOperation = "requests that are no operation of the interface";

/** Marks what is left out because of a reply that the archive does not have. */
const lackingReply = "the archive does not have the text of its reply";

/** Fields that name a record which only a call of the archive can make; `given` has the others. */
const idFields = ["id", "domain_id", "verification_id"];

/**
 * Leaves out the calls that succeeded with a record which no reply of the archive shows, if it lacks the text of some
 * replies: a run cannot make the record.
 */
function withoutUnseen(exchanges: readonly PassedExchange[], leftOut: Set<string>): PassedExchange[] {
  if (![...leftOut].some((reason) => reason.endsWith(lackingReply))) return [...exchanges];
  const seen: string[] = [];
  return exchanges.filter(({ operation, request, reply, entry }) => {
    const fields: Fields = { ...request.body, ...request.params };
    const named = idFields.map((name) => fields[name]).find((id) => typeof id === "string");
    const isUnseen = named !== undefined && !seen.some((text) => text.includes(JSON.stringify(named)));
    if (isUnseen && reply.status < 400) {
      leftOut.add(
        `a ${operation.id} that answered ${reply.status}: no reply of the archive shows its ${named}`,
      );
      return false;
    }
    if (entry.reply !== null) seen.push(entry.reply);
    return true;
  });
}

/** Returns null for what is no request to the service, and for one without a reply that a scenario could expect. */
function readCall(entry: Fields, leftOut: Set<string>): Call | null {
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
  return { entry, request, response, operation, path, at: fromIso(textIn(entry.startedDateTime)) ?? 0 };
}

/** Returns what follows the status in the list of what is left out, or null for a reply that a scenario can expect. */
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
 * Returns the operation that a URL calls, and its path with the query from `/v1/` on, wherever the service is mounted: the
 * path before it may have a `/v1/` as well. Null if it calls none.
 */
function findOperation(method: string, url: string): { operation: AnyOperation; path: string } | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  for (const { index } of pathname.matchAll(/\/v1(?=\/)/g)) {
    const path = pathname.slice(index) + search;
    const operation = operationAt(`${method} ${path}`);
    if (operation) return { operation, path };
  }
  return null;
}

const headersOf = ({ request }: Call): [name: string, value: string][] =>
  listIn(request.headers).map(({ name, value }) => [textIn(name), textIn(value)]);

const keyOf = (call: Call): string =>
  headersOf(call).find(([name]) => name.toLowerCase() === "x-service-key")?.[1] ?? "";

async function toExchange(call: Call, index: number): Promise<PassedExchange> {
  const { operation, path, request, response, at } = call;
  return readExchange({
    id: `archived_${index}`,
    at,
    operation,
    method: textIn(request.method).toUpperCase(),
    path,
    rawHeaders: headersOf(call).flat(),
    sent: await sentIn(operation, objectIn(request.postData)),
    status: response.status as number,
    received: contentIn(objectIn(response.content)),
  });
}

/** Reads the body of a request. Values that `standin har` has hidden are replaced by the examples of their schemas. */
async function sentIn(operation: AnyOperation, postData: Fields): Promise<Content | ReadForm> {
  const content = contentIn(postData);
  if (operation.upload) {
    const params = listIn(postData.params);
    const form = await readFormText(operation.upload, content);
    return form ?? (params.length > 0 ? formIn(operation, operation.upload, params) : content);
  }
  const given = parseObject(content.bytes?.toString("utf8"));
  if (!given || !Object.values(given).includes(hidden)) return content;
  const shown = Object.entries(given).map(([name, value]) => [name, withExample(operation, name, value)]);
  return { ...content, bytes: Buffer.from(JSON.stringify(Object.fromEntries(shown))) };
}

/**
 * Reads a form whose text the archive has. Returns null if it has none. The list of its fields is often empty then, or has
 * `(binary)` in place of a file. Some tools leave out the bytes of files, or what no text can hold.
 */
async function readFormText(upload: Upload, { bytes }: Content): Promise<ReadForm | null> {
  const boundary = /^--(.+?)\r\n/.exec(bytes?.toString("latin1") ?? "")?.[1];
  if (boundary === undefined) return null;
  const form = await readPassedForm({ type: `multipart/form-data; boundary="${boundary}"`, bytes }, upload);
  if (!form) return null;
  return {
    ...form,
    files: form.files.map((file) => {
      const kept = file.kept?.bytes ?? null;
      const isKept = kept !== null && kept.length > 0 && !Buffer.from(kept).includes(replacementCharacter);
      return isKept ? file : { ...file, kept: { bytes: null } };
    }),
  };
}

/** Stands in a text for bytes that are not UTF-8. */
const replacementCharacter = Buffer.from("\ufffd");

/** Text that browsers write for a file of a form. */
const binaryValue = "(binary)";

/** Reads a form that is a list of fields, often without the bytes of its files. */
function formIn(operation: AnyOperation, upload: Upload, params: readonly Fields[]): ReadForm {
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
 * Returns the bytes of a text. Some tools write each byte of a file as the character of that number: no written text has the
 * control characters from U+0080 to U+009F, and nearly every file has them then.
 */
const toBytes = (text: string): Buffer =>
  /[\x80-\x9f]/.test(text) && !/[^\0-\xff]/.test(text) ? Buffer.from(text, "latin1") : Buffer.from(text);
