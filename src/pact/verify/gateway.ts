/**
 * Stands between the verifier and the sandbox: each interaction gets an account of its own, whatever key the consumer
 * sends; states are set up on it; messages are real deliveries, with their real signature.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ControlError } from "../../client/errors.js";
import { SandboxAccount } from "../../library/account.js";
import { keyIn, modeOf, ownHeaders } from "./credentials.js";
import { forward, read } from "./forward-request.js";
import { newVisit, type Visit } from "./interaction-run.js";
import type { PactInteraction } from "./pact-file.js";
import { metadataOf, takeMessage } from "./webhook-message.js";

export interface GatewayOptions {
  sandboxUrl: string;
  /** A key that no other interaction has. */
  freshKey(mode: "test" | "live"): string;
  /** In the verifier's order, where they are known beforehand. */
  interactions?: readonly Pick<PactInteraction, "mode" | "status">[];
  /** 0, or none given: a free one. */
  port?: number;
  /** Messages at the root too, for verifiers that cannot be told another path; the service has nothing there. */
  rootMessages?: boolean;
  /** Told why there is no state or no message: verifiers drop the reason. */
  onFailure?(reason: string): void;
}

export const statePath = "/_pact/state";
export const messagePath = "/_pact/messages";
const receiverPath = "/_pact/receiver/";

interface Change {
  action?: string;
  state?: string | null;
  params?: Record<string, unknown>;
}

type Reply = [body: string, headers: Record<string, string>];

/** What a consumer may ask for: the API, and the pages that people get links to. Nothing else is the service's. */
const servicePath = /^\/(?:v1|confirm|pay)\//;

/** No service answers it, so no consumer expects it. */
const neverExpected = 999;

const tooLate =
  "the key is a live one, and the states were set up before it came: name the pact by file, folder or URL, where its key is known beforehand";

export class Gateway {
  readonly visits: Visit[] = [];
  readonly #server: Server;
  /** Deliveries that somebody waits for, by the receiver's path. */
  readonly #receivers = new Map<string, (request: IncomingMessage, body: Buffer) => void>();
  url = "";

  constructor(readonly options: GatewayOptions) {
    this.#server = createServer((request, response) => {
      this.#take(request, response).catch((error: unknown) => {
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

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url as string;
    if (path.startsWith(receiverPath)) return this.#receive(path, request, response);
    const isAtRoot = this.options.rootMessages === true && path === "/";
    const isMessage = request.method === "POST" && (path === messagePath || isAtRoot);
    if (path !== statePath && !isMessage) return this.#forward(request, response);
    const body = JSON.parse((await read(request)).toString("utf8"));
    const reply = path === statePath ? await this.#change(body) : await this.#message(body);
    // Of an answer without a message verifiers take the body for one, whatever its status.
    if (!reply) return void response.destroy();
    const [answer, headers] = reply;
    response.writeHead(200, { "Content-Type": "application/json", ...headers });
    response.end(answer);
  }

  /** Of the interaction at hand. */
  get #visit(): Visit {
    const current = this.visits.at(-1);
    return current && !current.isOver ? current : this.#next();
  }

  #next(mode = this.options.interactions?.[this.visits.length]?.mode ?? "test"): Visit {
    const visit = newVisit(
      new SandboxAccount({ baseUrl: this.options.sandboxUrl, key: this.options.freshKey(mode) }),
    );
    this.visits.push(visit);
    return visit;
  }

  /**
   * A state that cannot be set up fails the interaction when its request comes, not here: after a refusal verifiers go
   * on with the next state, and nobody could tell whose it is.
   */
  async #change(change: Change): Promise<Reply> {
    if (change.action === "teardown") {
      const current = this.visits.at(-1);
      if (current) current.isOver = true;
      return ["{}", {}];
    }
    const visit = this.#visit;
    if (change.state) visit.states.push({ name: change.state, params: change.params ?? {} });
    try {
      return [JSON.stringify(await visit.account.control("POST", "/pact/states", change)), {}];
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      visit.stateError ??= error.message;
      this.options.onFailure?.(error.message);
      return ["{}", {}];
    }
  }

  /** Null: there is none. */
  async #message({ description = "" }: { description?: string }): Promise<Reply | null> {
    const visit = this.#open("test");
    visit.message = description;
    if (visit.stateError) return null;
    const path = `${receiverPath}${this.visits.length}`;
    const delivered = new Promise<{ request: IncomingMessage; body: Buffer }>((resolve) => {
      this.#receivers.set(path, (request, body) => resolve({ request, body }));
    });
    try {
      await takeMessage(visit.account, description, this.url + path);
      const { request, body } = await delivered;
      visit.answer = { status: 200, body: body.toString("utf8") };
      return [body.toString("utf8"), { "Pact-Message-Metadata": metadataOf(request) }];
    } catch (error) {
      visit.messageError = (error as Error).message;
      this.options.onFailure?.(visit.messageError);
      return null;
    } finally {
      this.#receivers.delete(path);
    }
  }

  /** Whatever is asked for belongs to the states before it, and ends the visit; who was told of no states sets none up. */
  #open(mode: "test" | "live"): Visit {
    const visit = this.#opened(mode);
    visit.isOver = true;
    return visit;
  }

  #opened(mode: "test" | "live"): Visit {
    const current = this.visits.at(-1);
    if (!current || current.isOver) return this.#next(mode);
    if (modeOf(current.account.key) === mode) return current;
    if (current.states.length > 0) {
      current.stateError ??= tooLate;
      return current;
    }
    this.visits.pop();
    return this.#next(mode);
  }

  async #receive(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    this.#receivers.get(path)?.(request, body);
    response.end();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url as string;
    const visit = this.#open(modeOf(keyIn(request.headers)));
    visit.request = { method: request.method as string, path };
    if (visit.stateError) {
      response.writeHead(neverExpected, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: visit.stateError }));
      return;
    }
    const expected = this.options.interactions?.[this.visits.indexOf(visit)]?.status;
    const headers = await ownHeaders(request.headers, visit.account, expected === 401);
    // Below /v1 what is not the service's is answered as the service answers it.
    const target = new URL(servicePath.test(path) ? path : `/v1${path}`, this.options.sandboxUrl);
    forward({ request, response, target, headers }, (answer) => {
      visit.answer = answer;
    });
  }
}
