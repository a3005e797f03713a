/** Reads an HTTP archive (HAR 1.2), such as that of a browser, a proxy or `standin har`, as exchanges with the service. */
import { isLiveKey } from "../../contract/api-keys.js";
import { isObject, parseObject } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { hidden } from "../../contract/redact.js";
import { fromIso } from "../../time/time.js";
import { operationAt } from "../plan-scenario.js";
import { isOutage } from "../service-client.js";
import { type Content, type PassedExchange, readExchange } from "./exchange.js";

/** What was given is no HTTP archive, or its archive has no request to the service. The message completes a sentence about the file. */
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
    sent: withExamples(operation, await sentIn(objectIn(request.postData))),
    status: response.status as number,
    received: receivedIn(objectIn(response.content)),
  });
}

/** Reads the body of a request. Forms are a list of fields in archives, sometimes without their files. */
async function sentIn({ mimeType, text, params }: Fields): Promise<Content> {
  const type = textIn(mimeType);
  if (typeof text === "string" && text !== "") return { type, bytes: Buffer.from(text) };
  if (!type.startsWith("multipart/form-data")) return { type, bytes: null };
  const form = new FormData();
  for (const { name, value, fileName, contentType } of listIn(params)) {
    const content = textIn(value);
    if (typeof fileName !== "string") form.append(textIn(name), content);
    else form.append(textIn(name), new Blob([content], { type: textIn(contentType) }), fileName);
  }
  const encoded = new Response(form);
  return {
    type: encoded.headers.get("content-type") ?? type,
    bytes: Buffer.from(await encoded.arrayBuffer()),
  };
}

/** Replaces values that `standin har` has hidden, such as identity numbers, by the examples of their schemas. */
function withExamples({ body }: AnyOperation, content: Content): Content {
  const given = parseObject(content.bytes?.toString("utf8") ?? null);
  if (!given || !Object.values(given).includes(hidden)) return content;
  const fields = objectIn(objectIn(body).properties);
  const shown = Object.entries(given).map(([name, value]) => {
    const { examples } = objectIn(fields[name]);
    return [name, value === hidden && Array.isArray(examples) ? examples[0] : value];
  });
  return { ...content, bytes: Buffer.from(JSON.stringify(Object.fromEntries(shown))) };
}

const receivedIn = ({ mimeType, text, encoding }: Fields): Content => ({
  type: textIn(mimeType),
  bytes: typeof text === "string" ? Buffer.from(text, encoding === "base64" ? "base64" : "utf8") : null,
});
