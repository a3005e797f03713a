/** A client of the service whose requests and replies are kept, as an archive of a browser or a proxy has them. */
import { formOf, formType, type Part } from "../../support/forms.js";
import { type Reply, read } from "../../support/sandbox.js";

export interface ArchivedClient {
  /** The archive of all requests so far. */
  readonly archive: { readonly log: { readonly entries: readonly object[] } };
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  upload(path: string, parts: readonly Part[]): Promise<Reply>;
}

const morning = Date.parse("2026-03-01T09:00:00Z");

const contentOf = async (message: Request | Response) => ({
  mimeType: message.headers.get("content-type") ?? "",
  encoding: "base64",
  text: Buffer.from(await message.arrayBuffer()).toString("base64"),
});

/** Returns a client of the service with this key. `now` returns the time of a request in ms since the epoch. */
export function archivedClient(baseUrl: string, key: string, now = () => morning): ArchivedClient {
  const entries: object[] = [];
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const startedDateTime = new Date(now()).toISOString();
    const request = new Request(baseUrl + path, init);
    const headers = [...request.headers, ["x-service-key", key] as const];
    const reply = await fetch(baseUrl + path, { ...init, headers: Object.fromEntries(headers) });
    entries.push({
      startedDateTime,
      request: {
        method: request.method,
        url: request.url,
        headers: headers.map(([name, value]) => ({ name, value })),
        postData: await contentOf(request),
      },
      response: { status: reply.status, content: await contentOf(reply.clone()) },
    });
    return reply;
  };
  return {
    archive: { log: { entries } },
    fetch: send,
    send: async (method, path, body) =>
      read(
        await send(path, {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
        }),
      ),
    upload: async (path, parts) =>
      read(
        await send(path, {
          method: "POST",
          headers: { "Content-Type": formType },
          body: new Uint8Array(formOf(parts)),
        }),
      ),
  };
}
