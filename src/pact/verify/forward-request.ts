/** Forwards the verifier's requests to the sandbox: as they are for paths of the service, with a suggested correction for others. */

import { once } from "node:events";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { readRequestBody } from "../../contract/local-server.js";
import { formatNearest } from "../../contract/nearest.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { matchPath } from "../../contract/route.js";

/** The API, and the pages that its replies link to. */
const servicePath = /^\/(?:v1|confirm|pay)\//;

/** Returns the path to request from the sandbox. Paths that only the sandbox has are replaced by one that is 404. */
export const sandboxPath = (path: string): string => (servicePath.test(path) ? path : `/v1/unknown${path}`);

/** Returns the reason why the service has no such path, with the right one; null if it has the path. */
export function describeUnknownPath(
  method: string,
  url: string,
  operations: readonly AnyOperation[],
): string | null {
  const path = url.split("?")[0] as string;
  const isOperation = (candidate: string) =>
    operations.some((operation) => matchPath(pathOf(operation), candidate) !== null);
  if (isOperation(path) || (servicePath.test(path) && !path.startsWith("/v1/"))) return null;
  const problem = `the service has no ${method} ${path}`;
  if (isOperation(`/v1${path}`)) return `${problem}; the right path is /v1${path}`;
  const routes = operations.map((operation) => `${methodOf(operation)} ${pathOf(operation)}`);
  return problem + formatNearest(`${method} ${path}`, routes);
}

/** Maximum size of an answer's body that is kept for explanations, in bytes. */
const maxKeptBodyBytes = 64 * 1024;

interface Forwarding {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path is sent as it is: resolved against the URL, dot segments would lead elsewhere. */
  target: { url: string; path: string };
  /** Headers to send in place of the request's own. */
  headers: IncomingHttpHeaders;
  /** Texts to replace in the path and the body. Null forwards both as they are. */
  replacements: ReadonlyMap<string, string> | null;
}

/**
 * Calls `onAnswer` once the sandbox's answer is complete. Rejects if the request cannot be sent, or its answer not be written,
 * such as with a header that Node refuses.
 */
export async function forwardRequest(
  { request, response, target, headers, replacements }: Forwarding,
  onAnswer: (answer: { status: number; body: string }) => void,
): Promise<void> {
  const given = await readRequestBody(request);
  const body = replacements ? replaceIn(given, replacements) : given;
  const path = replacements ? replaceAll(target.path, replacements) : target.path;
  const sent = replacements ? { ...headers, "content-length": String(body.length) } : headers;
  if (replacements) delete sent["transfer-encoding"];
  const onward = openRequest(target.url, { path, method: request.method as string, headers: sent });
  // A socket may emit another error after the one that ends the request.
  onward.on("error", () => {});
  const answered = once(onward, "response") as Promise<[IncomingMessage]>;
  const [[answer]] = await Promise.all([answered, onward.end(body)]);
  const status = answer.statusCode as number;
  const chunks: Buffer[] = [];
  answer.on("data", (chunk: Buffer) => chunks.push(chunk));
  answer.on("end", () => {
    onAnswer({ status, body: Buffer.concat(chunks).subarray(0, maxKeptBodyBytes).toString("utf8") });
  });
  response.writeHead(status, answer.headers);
  await pipeline(answer, response);
}

const replaceAll = (text: string, replacements: ReadonlyMap<string, string>): string =>
  [...replacements].reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);

/** Latin-1 keeps every byte of a file as it is. */
const replaceIn = (bytes: Buffer, replacements: ReadonlyMap<string, string>): Buffer =>
  Buffer.from(replaceAll(bytes.toString("latin1"), replacements), "latin1");
