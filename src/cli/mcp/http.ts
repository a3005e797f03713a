/** The Model Context Protocol over HTTP, at `/mcp` of a running sandbox. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import express, { type Request as ExpressRequest, type RequestHandler } from "express";
import { SandboxAccount } from "../../client/account/account.js";
import { isKey, keyRule } from "../../contract/api-keys.js";
import { Refusal } from "../../contract/errors.js";
import { isObject, parseJson } from "../../contract/json.js";
import { Binary, Stream } from "../../contract/reply-forms.js";
import type { OwnConnection } from "../../sandbox.js";
import { writeReply } from "../../server/reply.js";
import { testKey } from "../../server/settings.js";
import { createServer } from "./server.js";

const maxBodyBytes = 4 * 1024 * 1024;

/** Returns the key of the account that the tools work on: the key in the header, or the well-known test key. */
function keyOf(given: string | null | undefined): string {
  const key = given ?? testKey;
  if (isKey(key)) return key;
  throw new Refusal("invalid_api_key", {
    param: "X-Service-Key",
    message: `X-Service-Key must be ${keyRule}.`,
  });
}

/** Returns the handler of `/mcp`. Each request has its own server, because the protocol has no sessions over HTTP. */
export async function mcpHandler(connection: OwnConnection): Promise<RequestHandler> {
  const { createMcpHandler } = await import("./sdk.js");
  const { fetch: answer } = createMcpHandler(({ requestInfo }) => {
    const key = keyOf(requestInfo?.headers.get("x-service-key"));
    const { baseUrl, adminToken } = connection;
    return createServer({ account: new SandboxAccount({ baseUrl, adminToken, key }), readsFiles: false });
  });
  const readBody = express.text({ type: () => true, limit: maxBodyBytes });
  return (request, response, next) => {
    checkMethod(request);
    keyOf(request.context.header("x-service-key"));
    readBody(request, response, (error?: unknown) => {
      if (error) return next(error);
      // Called after Express has returned: an error thrown here would end the process.
      Promise.resolve()
        .then(() => answer(toWebRequest(request)))
        .then((answered) => reply(request, answered))
        .catch(next);
    });
  };
}

const allowedMethods = ["GET", "POST", "DELETE"];

function checkMethod({ method }: ExpressRequest): void {
  const allow = allowedMethods.join(", ");
  const message = `/mcp accepts ${allow}, not ${method}.`;
  if (!allowedMethods.includes(method))
    throw new Refusal("method_not_allowed", { message, headers: { Allow: allow } });
}

const eventStream = "text/event-stream";

/** Returns the request with the two media types that the SDK requires. The reply depends on what the client accepts. */
const toWebRequest = ({ context, method, headers, body }: ExpressRequest): Request =>
  new Request(context.baseUrl + context.path, {
    method,
    headers: Object.entries({ ...headers, accept: `application/json, ${eventStream}` }).map(
      ([name, value]): [string, string] => [name, String(value)],
    ),
    signal: context.gone,
    // A web request of the method GET has no body.
    ...(typeof body === "string" && method !== "GET" ? { body } : {}),
  });

/** Method whose reply is an endless stream of events. */
const subscription = '"subscriptions/listen"';

/** Sends the reply with the headers of every reply. A client that does not accept events gets the results as JSON. */
async function reply({ context, body: asked }: ExpressRequest, answered: Response): Promise<void> {
  const { status, headers, body } = answered;
  const { "content-type": type = "", "content-length": _length, ...others } = Object.fromEntries(headers);
  for (const [name, value] of Object.entries(others)) context.replyHeaders.push(name, value);
  const wantsEvents = context.header("accept")?.includes(eventStream) || String(asked).includes(subscription);
  if (!type.startsWith(eventStream) || body === null) {
    const bytes = new Uint8Array(await answered.arrayBuffer());
    writeReply(context, status, new Binary(type, bytes));
  } else if (wantsEvents) {
    const events = Readable.fromWeb(body as ReadableStream);
    // Fails only if the client closes the connection before the end.
    const send = () => void pipeline(events, context.response).catch(() => {});
    writeReply(context, status, new Stream(type, send));
  } else {
    const results = resultsIn(await answered.text());
    const isBatch = Array.isArray(parseJson(String(asked)));
    writeReply(context, status, isBatch ? results : results[0]);
  }
}

/** Returns the results and errors among the messages of a stream of events. */
const resultsIn = (events: string): unknown[] =>
  [...events.matchAll(/^data: (.+)$/gm)]
    .map(([, data]) => parseJson(data))
    .filter((message) => isObject(message) && ("result" in message || "error" in message));
