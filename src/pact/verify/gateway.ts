/**
 * The HTTP server that Pact's verifier talks to. It gives each interaction an account of its own, sets up provider
 * states on it, forwards requests to the sandbox, and answers requests for messages with real webhook deliveries.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ControlError } from "../../client/errors.js";
import type { AnyOperation } from "../../contract/operation.js";
import { SandboxAccount } from "../../library/account.js";
import { apiKeyIn, modeOf, withOwnCredentials } from "./credentials.js";
import { forwardRequest, readBody } from "./forward-request.js";
import { type InteractionRun, newRun } from "./interaction-run.js";
import type { PactInteraction } from "./pact-file.js";
import { describeUnknownPath, sandboxPath } from "./service-paths.js";
import { metadataOf, sendMessage } from "./webhook-message.js";

export interface GatewayOptions {
  sandboxUrl: string;
  /** The service's operations. */
  operations: readonly AnyOperation[];
  /** Returns a key that no other interaction uses. */
  freshKey(mode: "test" | "live"): string;
  /** The interactions in the verifier's order. Omitted if they are not known in advance. */
  interactions?: readonly Pick<PactInteraction, "mode" | "status">[];
  /** Default 0: any free port. */
  port?: number;
  /** Also serves messages at `POST /`, for verifiers whose message path cannot be configured. */
  rootMessages?: boolean;
  /** Called with the reason why a state, a message or a path failed, which verifiers do not report. */
  onFailure?(reason: string): void;
}

export const statePath = "/_pact/state";
export const messagePath = "/_pact/messages";
const receiverPath = "/_pact/receiver/";

interface StateChange {
  action?: string;
  state?: string | null;
  params?: Record<string, unknown>;
}

type Reply = [body: string, headers: Record<string, string>];

/** A status that no consumer expects, so that the interaction fails. */
const failureStatus = 999;

const lateLiveKey =
  "the request has a live key, but its states were set up on a test account; verify the pact by file, folder or URL, so that its key is known in advance";

export class Gateway {
  readonly runs: InteractionRun[] = [];
  readonly #server: Server;
  /** Callbacks of pending messages, by the path that the delivery arrives at. */
  readonly #receivers = new Map<string, (request: IncomingMessage, body: Buffer) => void>();
  url = "";

  constructor(readonly options: GatewayOptions) {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    });
  }

  async open(): Promise<void> {
    const { port = 0 } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.closeAllConnections();
      this.#server.close(() => resolve());
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url as string;
    if (path.startsWith(receiverPath)) return this.#receiveDelivery(path, request, response);
    const isAtRoot = this.options.rootMessages === true && path === "/";
    const isMessage = request.method === "POST" && (path === messagePath || isAtRoot);
    if (path !== statePath && !isMessage) return this.#forward(request, response);
    const body = JSON.parse((await readBody(request)).toString("utf8"));
    const reply = path === statePath ? await this.#changeState(body) : await this.#produceMessage(body);
    // Verifiers take the body of any answer for the message, whatever its status.
    if (!reply) return void response.destroy();
    const [answer, headers] = reply;
    response.writeHead(200, { "Content-Type": "application/json", ...headers });
    response.end(answer);
  }

  /** The run that a state belongs to. */
  get #currentRun(): InteractionRun {
    const current = this.runs.at(-1);
    return current && !current.isOver ? current : this.#startRun();
  }

  #startRun(mode = this.options.interactions?.[this.runs.length]?.mode ?? "test"): InteractionRun {
    const { sandboxUrl: baseUrl, freshKey } = this.options;
    const run = newRun(new SandboxAccount({ baseUrl, key: freshKey(mode) }));
    this.runs.push(run);
    return run;
  }

  /**
   * Always succeeds; a state that cannot be set up fails the interaction when its request comes. After a refusal, verifiers
   * go on with the next state, and it would be unclear which interaction that belongs to.
   */
  async #changeState(change: StateChange): Promise<Reply> {
    if (change.action === "teardown") {
      const current = this.runs.at(-1);
      if (current) current.isOver = true;
      return ["{}", {}];
    }
    const run = this.#currentRun;
    if (change.state) run.states.push({ name: change.state, params: change.params ?? {} });
    try {
      return [JSON.stringify(await run.account.control("POST", "/pact/states", change)), {}];
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      run.stateError ??= error.message;
      this.options.onFailure?.(error.message);
      return ["{}", {}];
    }
  }

  /** Resolves to null if no message can be produced. */
  async #produceMessage({ description = "" }: { description?: string }): Promise<Reply | null> {
    const run = this.#endRun("test");
    run.message = description;
    if (run.stateError) return null;
    const path = `${receiverPath}${this.runs.length}`;
    const delivered = new Promise<{ request: IncomingMessage; body: Buffer }>((resolve) => {
      this.#receivers.set(path, (request, body) => resolve({ request, body }));
    });
    try {
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

  /** Returns the run that a request or message belongs to and ends it: the next call starts another. */
  #endRun(mode: "test" | "live"): InteractionRun {
    const run = this.#runInMode(mode);
    run.isOver = true;
    return run;
  }

  #runInMode(mode: "test" | "live"): InteractionRun {
    const current = this.runs.at(-1);
    if (!current || current.isOver) return this.#startRun(mode);
    if (modeOf(current.account.key) === mode) return current;
    if (current.states.length > 0) {
      current.stateError ??= lateLiveKey;
      return current;
    }
    this.runs.pop();
    return this.#startRun(mode);
  }

  async #receiveDelivery(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    this.#receivers.get(path)?.(request, body);
    response.end();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url as string;
    const run = this.#endRun(modeOf(apiKeyIn(request.headers)));
    const method = request.method as string;
    run.request = { method, path };
    run.pathError = describeUnknownPath(method, path, this.options.operations);
    if (run.pathError !== null) this.options.onFailure?.(run.pathError);
    if (run.stateError) {
      response.writeHead(failureStatus, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: run.stateError }));
      return;
    }
    const expected = this.options.interactions?.[this.runs.indexOf(run)]?.status;
    const headers = await withOwnCredentials(request.headers, run.account, expected === 401);
    const target = { url: this.options.sandboxUrl, path: sandboxPath(path) };
    forwardRequest({ request, response, target, headers }, (answer) => {
      run.answer = answer;
    });
  }
}
