/** Forwards the verifier's requests to the sandbox. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";

/** Maximum size of an answer's body that is kept for explanations, in bytes. */
const maxKeptBodyBytes = 64 * 1024;

interface Forwarding {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path is sent as it is: resolved against the URL, dot segments would lead elsewhere. */
  target: { url: string; path: string };
  /** Headers to send in place of the request's own. */
  headers: IncomingHttpHeaders;
  /** Texts to replace in the path and the body. Null forwards the request byte for byte. */
  replacements: ReadonlyMap<string, string> | null;
}

/** Calls `onAnswer` once the sandbox's answer is complete. */
export async function forwardRequest(
  { request, response, target, headers, replacements }: Forwarding,
  onAnswer: (answer: { status: number; body: string }) => void,
): Promise<void> {
  const body = replacements && replaceIn(await readRequestBody(request), replacements);
  const path = replacements ? replaceAll(target.path, replacements) : target.path;
  const sent = body ? { ...headers, "content-length": String(body.length) } : headers;
  if (body) delete sent["transfer-encoding"];
  const onward = openRequest(target.url, { path, method: request.method as string, headers: sent });
  onward.on("error", (error) => response.destroy(error));
  onward.on("response", (answer) => {
    const status = answer.statusCode as number;
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      onAnswer({ status, body: Buffer.concat(chunks).subarray(0, maxKeptBodyBytes).toString("utf8") });
    });
    response.writeHead(status, answer.headers);
    answer.pipe(response);
  });
  if (body) onward.end(body);
  else request.pipe(onward);
}

const replaceAll = (text: string, replacements: ReadonlyMap<string, string>): string =>
  [...replacements].reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);

/** Latin-1 keeps every byte of a file as it is. */
const replaceIn = (bytes: Buffer, replacements: ReadonlyMap<string, string>): Buffer =>
  Buffer.from(replaceAll(bytes.toString("latin1"), replacements), "latin1");

export async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
