/** Forwards the verifier's requests to the sandbox, byte for byte. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";

/** Maximum size of an answer's body that is kept for explanations, in bytes. */
const keptBodyBytes = 64 * 1024;

interface Forwarding {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path is sent as it is: resolved against the URL, dot segments would lead elsewhere. */
  target: { url: string; path: string };
  /** Headers to send in place of the request's own. */
  headers: IncomingHttpHeaders;
}

/** Calls `onAnswer` once the sandbox's answer is complete. */
export function forwardRequest(
  { request, response, target, headers }: Forwarding,
  onAnswer: (answer: { status: number; body: string }) => void,
): void {
  const onward = openRequest(target.url, { path: target.path, method: request.method as string, headers });
  onward.on("error", (error) => response.destroy(error));
  onward.on("response", (answer) => {
    const status = answer.statusCode as number;
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      onAnswer({ status, body: Buffer.concat(chunks).subarray(0, keptBodyBytes).toString("utf8") });
    });
    response.writeHead(status, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
