/** A request of the verifier goes on to the sandbox byte by byte, and so does the answer come back. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from "node:http";

/** What of an answer is kept for explanations. */
const kept = 64 * 1024;

interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  target: URL;
  /** The request's, as they go on. */
  headers: IncomingHttpHeaders;
}

export function forward(
  { request, response, target, headers }: Passage,
  note: (answer: { status: number; body: string }) => void,
): void {
  const onward = send(target, { method: request.method as string, headers });
  onward.on("error", (error) => response.destroy(error));
  onward.on("response", (answer) => {
    const status = answer.statusCode as number;
    const parts: Buffer[] = [];
    answer.on("data", (part: Buffer) => parts.push(part));
    answer.on("end", () => {
      note({ status, body: Buffer.concat(parts).subarray(0, kept).toString("utf8") });
    });
    response.writeHead(status, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
}

export async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
