/** The parts of a `fetch` on node:http: sends what Node's own takes, and returns what it gives. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";

/** Sends a request once its body has been read. `connection` has the options that choose how it is sent. */
export async function sendRequest(
  url: string,
  init: RequestInit,
  connection: RequestOptions = {},
  request = httpRequest,
): Promise<IncomingMessage> {
  const message = new Request(url, init);
  const body = message.body === null ? null : Buffer.from(await message.arrayBuffer());
  const sent = request(url, {
    ...connection,
    method: message.method,
    headers: { ...Object.fromEntries(message.headers), ...(body ? { "content-length": body.length } : {}) },
    // Node forgets to abort the signal of a message that nobody holds any more.
    ...(init.signal ? { signal: init.signal } : {}),
  });
  sent.end(body);
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  return reply;
}

const statusesWithoutBody = [204, 304];

/** Returns a reply with its body, which it has been given or whose bytes are still to arrive. */
export function toResponse(reply: IncomingMessage, body: Buffer<ArrayBuffer> | ReadableStream): Response {
  const status = reply.statusCode as number;
  return new Response(statusesWithoutBody.includes(status) ? null : body, {
    status,
    headers: Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
}
