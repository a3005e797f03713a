/** Reads an HTTP archive (HAR 1.2), such as that of a browser, a proxy or `standin har`, as exchanges with the service. */
import { isLiveKey } from "../../contract/api-keys.js";
import { isObject, parseObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { hidden } from "../../contract/redact.js";
import type { Upload } from "../../contract/upload.js";
import { fromIso } from "../../time/time.js";
import { operationAt } from "../plan-scenario.js";
import { isOutage } from "../service-client.js";
import { type Content, type PassedExchange, type ReadForm, readExchange, toCallFile } from "./exchange.js";

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
  if (calls.length === 0)
    throw new NotAnArchive(`has no request to the service among its ${entries.length} entries`);
  calls.sort((one, other) => one.at - other.at);
  const key = calls.map(keyOf).find((text) => text !== "") ?? "";
  const own = calls.filter((call) => [key, ""].includes(keyOf(call)));
  if (own.length < calls.length) leftOut.add("requests with another API key than the first one");
  const exchanges = await Promise.all(own.map((call, index) => toExchange(call, index)));
  const isOfSandbox = objectIn(creator).name === "Standin";
  return { exchanges, live: isLiveKey(key), isOfSandbox, leftOut: [...leftOut] };
}

/** Returns null for what is no request to the service, and for one without a reply that a scenario could expect. */
function readCall(entry: Fields, leftOut: Set<string>): Call | null {
  const [request, response] = [objectIn(entry.request), objectIn(entry.response)];
  const path = pathIn(textIn(request.url));
  const operation =
    path === null ? undefined : operationAt(`${textIn(request.method).toUpperCase()} ${path}`);
  if (path === null || !operation) {
    leftOut.add("requests that are no operation of the interface");
    return null;
  }
  const status = typeof response.status === "number" ? response.status : 0;
  if (status < 200 || isOutage(status)) {
    leftOut.add(`a ${operation.id} that answered ${status || "nothing"}`);
    return null;
  }
  return { entry, request, response, operation, path, at: fromIso(textIn(entry.startedDateTime)) ?? 0 };
}

/** Returns the path with its query from `/v1/` on, wherever the service is mounted. Null if the URL has none. */
function pathIn(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  const start = pathname.indexOf("/v1/");
  return start === -1 ? null : pathname.slice(start) + search;
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
    sent: sentIn(operation, objectIn(request.postData)),
    status: response.status as number,
    received: receivedIn(objectIn(response.content)),
  });
}

/** Reads the body of a request. Values that `standin har` has hidden are replaced by the examples of their schemas. */
function sentIn(operation: AnyOperation, { mimeType, text, params }: Fields): Content | ReadForm {
  const type = textIn(mimeType);
  if (operation.upload && Array.isArray(params)) return formIn(operation, operation.upload, listIn(params));
  const bytes = typeof text === "string" && text !== "" ? Buffer.from(text) : null;
  const given = parseObject(bytes?.toString("utf8") ?? null);
  if (!given || !Object.values(given).includes(hidden)) return { type, bytes };
  const shown = Object.entries(given).map(([name, value]) => [name, withExample(operation, name, value)]);
  return { type, bytes: Buffer.from(JSON.stringify(Object.fromEntries(shown))) };
}

/** Reads a form that is a list of fields, often without the bytes of its files. */
function formIn(operation: AnyOperation, upload: Upload, params: readonly Fields[]): ReadForm {
  const isFile = ({ fileName }: Fields) => typeof fileName === "string";
  return {
    fields: Object.fromEntries(
      params
        .filter((param) => !isFile(param))
        .map(({ name, value }) => [textIn(name), withExample(operation, textIn(name), textIn(value))]),
    ),
    files: params.filter(isFile).map(({ name, value, fileName, contentType }) => {
      const bytes = typeof value === "string" && value !== "" ? Buffer.from(value) : null;
      return toCallFile(upload, textIn(name), textIn(fileName), textIn(contentType), bytes);
    }),
  };
}

function withExample({ body }: AnyOperation, name: string, value: unknown): unknown {
  const { examples } = objectIn(objectIn(objectIn(body).properties)[name]);
  return value === hidden && Array.isArray(examples) ? examples[0] : value;
}

const receivedIn = ({ mimeType, text, encoding }: Fields): Content => ({
  type: textIn(mimeType),
  bytes: typeof text === "string" ? Buffer.from(text, encoding === "base64" ? "base64" : "utf8") : null,
});
