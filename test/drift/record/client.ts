/** A client of the service whose requests and replies are kept, as an archive of a browser or a proxy has them. */
import { isLiveKey } from "../../../src/contract/api-keys.js";
import { operationAt } from "../../../src/drift/plan-scenario.js";
import { type PassedExchange, readExchange } from "../../../src/drift/record/exchange.js";
import { formOf, formType, type Part } from "../../support/forms.js";
import { type Reply, read } from "../../support/sandbox.js";

export interface RecordedClient {
  readonly live: boolean;
  /** In the order of the requests. */
  readonly exchanges: readonly PassedExchange[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  upload(path: string, parts: readonly Part[]): Promise<Reply>;
}

const morning = Date.parse("2026-03-01T09:00:00Z");

/** Returns a client of the service with this key. `now` returns the time of a request in ms since the epoch. */
export function recordedClient(baseUrl: string, key: string, now = () => morning): RecordedClient {
  const exchanges: PassedExchange[] = [];
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(baseUrl + path, init);
    const headers = [...request.headers, ["x-service-key", key] as const];
    const sent = Buffer.from(await request.arrayBuffer());
    const reply = await fetch(baseUrl + path, { ...init, headers: Object.fromEntries(headers) });
    const received = Buffer.from(await reply.clone().arrayBuffer());
    const operation = operationAt(`${request.method} ${path}`);
    if (!operation) throw new Error(`${request.method} ${path} is no operation`);
    const exchange = await readExchange({
      id: `passed_${exchanges.length}`,
      at: now(),
      operation,
      method: request.method,
      path,
      rawHeaders: headers.flat(),
      sent: { type: request.headers.get("content-type") ?? "", bytes: sent },
      status: reply.status,
      received: { type: reply.headers.get("content-type") ?? "", bytes: received },
    });
    exchanges.push(exchange);
    return reply;
  };
  return {
    live: isLiveKey(key),
    exchanges,
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
