/** The Model Context Protocol over HTTP, at `/mcp` of a running sandbox. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import express, {
  type Request as ExpressRequest,
  type Response as ExpressResponse,
  type RequestHandler,
} from "express";
import { SandboxAccount } from "../../client/account/account.js";
import { isKey, keyRule } from "../../contract/api-keys.js";
import { Refusal } from "../../contract/errors.js";
import type { OwnConnection } from "../../sandbox.js";
import { testKey } from "../../server/settings.js";
import { createServer } from "./server.js";

const maxBodyBytes = 4 * 1024 * 1024;

/** Returns the key of the account that the tools work on: that of the header, or the well-known test key. */
function keyOf(headers: Headers): string {
  const key = headers.get("x-service-key") ?? testKey;
  if (isKey(key)) return key;
  throw new Refusal("invalid_api_key", {
    param: "X-Service-Key",
    message: `X-Service-Key must be ${keyRule}.`,
  });
}

/** Returns the handler of `/mcp`. Each request is answered by a server of its own, since the protocol has no sessions there. */
export async function mcpHandler(connection: OwnConnection): Promise<RequestHandler> {
  const { createMcpHandler } = await import("./sdk.js");
  const { fetch: answer } = createMcpHandler(({ requestInfo }) => {
    const key = keyOf(requestInfo?.headers ?? new Headers());
    const { baseUrl, adminToken } = connection;
    return createServer({ account: new SandboxAccount({ baseUrl, adminToken, key }), readsFiles: false });
  });
  const readBody = express.text({ type: () => true, limit: maxBodyBytes });
  return (request, response, next) => {
    keyOf(headersOf(request));
    readBody(request, response, (error?: unknown) => {
      if (error) return next(error);
      answer(toWebRequest(request))
        .then((answered) => reply(response, answered))
        .catch(next);
    });
  };
}

function headersOf(request: ExpressRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  return headers;
}

const toWebRequest = (request: ExpressRequest): Request =>
  new Request(request.context.baseUrl + request.context.path, {
    method: request.method,
    headers: headersOf(request),
    signal: request.context.gone,
    ...(typeof request.body === "string" ? { body: request.body } : {}),
  });

async function reply(response: ExpressResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (!body) return void response.end();
  // Fails only if the client closes the connection before the end.
  await pipeline(Readable.fromWeb(body as ReadableStream), response).catch(() => {});
}
