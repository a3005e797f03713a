/**
 * The HTTP server that Pact's verifier talks to. It gives each interaction its own account, sets up provider
 * states on it, forwards requests to the sandbox, and answers requests for messages with real webhook deliveries.
 */

import { once } from "node:events";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { ControlError } from "../../client/client.js";
import { isKey, isRefusedKey, keyRule, modeOfKey } from "../../contract/api-keys.js";
import { type LocalServer, openLocalServer, readRequestBody } from "../../contract/local-server.js";
import { formatNearest } from "../../contract/nearest.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { matchPath } from "../../contract/route.js";
import { readStateChange, type StateChange } from "../provider-states/provider-states.js";
import {
  apiKeyIn,
  type InteractionRun,
  InteractionRuns,
  type InteractionRunsOptions,
  withOwnCredentials,
} from "./interaction-runs.js";
import { metadataOf, sendMessage } from "./webhook-message.js";

export interface GatewayOptions extends InteractionRunsOptions {
  /** The service's operations. */
  operations: readonly AnyOperation[];
  /** Default 0: any free port. */
  port?: number;
  /** Also serves messages at `POST /`, for verifiers whose message path cannot be configured. */
  rootMessages?: boolean;
  /** Called with the reason why a state, a message, a path or a key failed, which verifiers do not report. */
  onFailure?(reason: string): void;
}

export const statePath = "/_pact/state";
export const messagePath = "/_pact/messages";
const receiverPath = "/_pact/receiver/";

interface MessageRequest {
  description?: string;
  /** Request of a synchronous message. */
  request?: unknown;
}

type Reply = [body: string, headers: Record<string, string>];

/** A status that no consumer expects, so that the interaction fails. */
const failureStatus = 999;

const noSynchronousMessages =
  "the service has no synchronous messages: its webhooks are asynchronous messages, and its requests are HTTP interactions";

export class Gateway {
  readonly #runs: InteractionRuns;
  #server: LocalServer | null = null;
  /** Callbacks of pending messages, by the path that the delivery arrives at. */
  readonly #receivers = new Map<string, (request: IncomingMessage, body: Buffer) => void>();
  url = "";

  constructor(readonly options: GatewayOptions) {
    this.#runs = new InteractionRuns(options);
  }

  get runs(): readonly InteractionRun[] {
    return this.#runs.all;
  }

  async open(): Promise<void> {
    const handle: RequestListener = (request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.options.onFailure?.(String(error));
        if (response.headersSent) return void response.destroy();
        response.statusCode = 500;
        response.end(String(error));
      });
    };
    this.#server = await openLocalServer(this.options.port ?? 0, handle);
    this.url = this.#server.url;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "", query = ""] = (request.url as string).split("?", 2);
    if (path.startsWith(receiverPath)) return this.#receiveDelivery(path, request, response);
    const isAtRoot = this.options.rootMessages === true && path === "/";
    const isMessage = request.method === "POST" && (path === messagePath || isAtRoot);
    if (path !== statePath && !isMessage) return this.#forward(request, response);
    const body = (await readRequestBody(request)).toString("utf8");
    const reply = isMessage
      ? await this.#produceMessage(JSON.parse(body) as MessageRequest)
      : await this.#changeState(readStateChange(body, query));
    // Verifiers treat the body of any answer as the message, whatever its status.
    if (!reply) return void response.destroy();
    const [answer, headers] = reply;
    response.writeHead(200, { "Content-Type": "application/json", ...headers });
    response.end(answer);
  }

  /**
   * Always succeeds; a state that cannot be set up fails the interaction when its request comes. After a refusal,
   * verifiers go on with the next state, and it would be unclear which interaction that belongs to.
   */
  async #changeState(change: StateChange): Promise<Reply> {
    if (change.action === "teardown") {
      this.#runs.tearDown();
      return ["{}", {}];
    }
    const run = this.#runs.current();
    if (change.state) run.states.push({ name: change.state, params: change.params ?? {} });
    const values = await this.#trySettingUp(run, () =>
      // The verifier wrote it, and the sandbox checks it.
      run.account.call("changeProviderState", { body: JSON.stringify(change) }),
    );
    if (change.state) run.stateValues.push(values ?? {});
    return [JSON.stringify(values ?? {}), {}];
  }

  /** Resolves to null if a state cannot be set up, which fails the interaction. */
  async #trySettingUp<T>(run: InteractionRun, setUp: () => Promise<T>): Promise<T | null> {
    try {
      return await setUp();
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      run.stateError ??= error.message;
      this.options.onFailure?.(error.message);
      return null;
    }
  }

  /** Resolves to null if no message can be produced. */
  async #produceMessage({ description = "", request: question }: MessageRequest): Promise<Reply | null> {
    const run = this.#runs.end("test");
    run.message = description;
    if (run.stateError) return null;
    const path = `${receiverPath}${this.runs.length}`;
    const delivered = new Promise<{ request: IncomingMessage; body: Buffer }>((resolve) => {
      this.#receivers.set(path, (request, body) => resolve({ request, body }));
    });
    try {
      if (question !== undefined) throw new Error(noSynchronousMessages);
      await sendMessage(run, description, this.url + path);
      const { request, body } = await delivered;
      run.answer = { status: 200, body: body.toString("utf8") };
      return [body.toString("utf8"), { "Pact-Message-Metadata": metadataOf(request) }];
    } catch (error) {
      run.messageError = (error as Error).message;
      this.options.onFailure?.(run.messageError);
      return null;
    } finally {
      this.#receivers.delete(path);
    }
  }

  async #receiveDelivery(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readRequestBody(request);
    this.#receivers.get(path)?.(request, body);
    response.end();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url as string;
    const key = apiKeyIn(request.headers);
    const run = this.#runs.end(modeOfKey(key));
    const method = request.method as string;
    run.request = { method, path };
    run.pathError = describeUnknownPath(method, path, this.options.operations);
    if (run.pathError !== null) this.options.onFailure?.(run.pathError);
    const mode = modeOfKey(key);
    const isMoved = !run.stateError && modeOfKey(run.account.key) !== mode;
    const replacements = isMoved
      ? await this.#trySettingUp(run, () => this.#runs.moveStates(run, mode))
      : null;
    if (run.stateError) {
      response.writeHead(failureStatus, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: run.stateError }));
      return;
    }
    const expectsRefusal = this.#runs.expectsRefusal(run);
    if (expectsRefusal === null && key !== "" && !isKey(key) && !isRefusedKey(key))
      this.options.onFailure?.(`the service refuses the key of ${method} ${path}: a key must be ${keyRule}`);
    const headers = await withOwnCredentials(request.headers, run.account, expectsRefusal !== false);
    const target = { url: this.options.sandboxUrl, path: sandboxPath(path) };
    await forwardRequest({ request, response, target, headers, replacements }, (answer) => {
      run.answer = answer;
    });
  }
}

/** The API, and the pages that its replies link to. */
const servicePath = /^\/(?:v1|confirm|pay)\//;

/** Returns the path to request from the sandbox. Replaces paths that only the sandbox has by a path that is not found. */
const sandboxPath = (path: string): string => (servicePath.test(path) ? path : `/v1/unknown${path}`);

/** Returns the reason why the service has no such path, with the right one; null if it has the path. */
function describeUnknownPath(
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
 * Forwards a request, and calls `onAnswer` once the sandbox's answer is complete. Rejects if the request cannot be sent or its
 * answer cannot be written, for example because Node refuses a header.
 */
async function forwardRequest(
  { request, response, target, headers, replacements }: Forwarding,
  onAnswer: (answer: { status: number; body: string }) => void,
): Promise<void> {
  const given = await readRequestBody(request);
  const body = replacements ? replaceIn(given, replacements) : given;
  const path = replacements ? replaceAll(target.path, replacements) : target.path;
  const sent = replacements ? { ...headers, "content-length": String(body.length) } : headers;
  if (replacements) delete sent["transfer-encoding"];
  const onward = openRequest(target.url, { path, method: request.method as string, headers: sent });
  // A socket may emit another error after the error that ends the request.
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
