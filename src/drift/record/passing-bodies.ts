/** Bodies on their way through the proxy: streamed, limited, and copied as far as they are kept. */
import type { IncomingMessage } from "node:http";
import type { Dispatcher } from "undici";
import { hasBody } from "../../contract/connection-headers.js";
import { NotPassed } from "./not-passed.js";

export const megabyteBytes = 1024 * 1024;
/** Maximum size of a request: the largest upload of the interface, a video of 200 MB, and what surrounds it. */
const maxRequestBytes = 210 * megabyteBytes;

/** Keeps the bytes of a body as it passes, up to a limit. */
export class BodyCopy {
  #chunks: Uint8Array[] | null = [];
  #size = 0;

  constructor(readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.maxBytes) this.#chunks = null;
    this.#chunks?.push(chunk);
  }

  /** Returns null if the body was longer than the limit. */
  bytes(): Buffer | null {
    return this.#chunks && Buffer.concat(this.#chunks);
  }
}

type RequestBody = NonNullable<Dispatcher.DispatchOptions["body"]> | null;

/** Returns the body as it arrives. undici also takes iterables, which its types do not say. */
export function bodyOf(request: IncomingMessage, copy: BodyCopy): RequestBody {
  if (!hasBody(request.headers)) return null;
  const tooLarge = new NotPassed(
    413,
    "request_too_large",
    `the request is larger than ${maxRequestBytes / megabyteBytes} MB`,
  );
  if (Number(request.headers["content-length"] ?? 0) > maxRequestBytes) throw tooLarge;
  return (async function* () {
    let size = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxRequestBytes) throw tooLarge;
      copy.add(chunk);
      yield chunk;
    }
  })() as unknown as RequestBody;
}

export const copying = (copy: BodyCopy) =>
  async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      copy.add(chunk);
      yield chunk;
    }
  };

/** Returns a header of a list of names and values, alternating. Empty if it is missing. */
export function headerIn(rawHeaders: readonly string[], name: string): string {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? "" : (rawHeaders[at + 1] as string);
}
