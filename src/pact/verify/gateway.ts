/**
 * Stands between the verifier and the sandbox: each interaction gets an account of its own, whatever key the consumer
 * sends; states are set up on it; messages are real deliveries, with their real signature.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SandboxAccount } from "../../library/account.js";
import { ControlError } from "../../library/errors.js";
import { keyIn, modeOf, ownHeaders } from "./credentials.js";
import { forward, read } from "./forward.js";
import { metadataOf, takeMessage } from "./message.js";
import type { PactInteraction } from "./pact-file.js";
import { newVisit, type Visit } from "./visit.js";

export interface GatewayOptions {
  sandboxUrl: string;
  /** A key that no other interaction has. */
  freshKey(mode: "test" | "live"): string;
  /** In the verifier's order, where they are known beforehand. */
  interactions?: readonly Pick<PactInteraction, "mode" | "status">[];
  /** 0, or none given: a free one. */
  port?: number;
}

export const statePath = "/_pact/state";
export const messagePath = "/_pact/messages";
/** Verifiers that cannot be told another path ask for messages at the root, where the service has nothing. */
const messagePaths: readonly string[] = [messagePath, "/"];
const receiverPath = "/_pact/receiver/";

interface Change {
  action?: string;
  state?: string | null;
  params?: Record<string, unknown>;
}

type Reply = [status: number, body: string, headers: Record<string, string>];

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
    const isMessage = request.method === "POST" && messagePaths.includes(path);
    if (path !== statePath && !isMessage) return this.#forward(request, response);
    const body = JSON.parse((await read(request)).toString("utf8"));
    const [status, answer, headers] =
      path === statePath ? await this.#change(body) : await this.#message(body);
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(answer);
  }

  /** Of the interaction at hand. */
  get #visit(): Visit {
    const current = this.visits.at(-1);
    return current && !current.isOver ? current : this.#next();
  }

  #next(mode = this.options.interactions?.[this.visits.length]?.mode ?? "test"): Visit {
    const visit = newVisit(new SandboxAccount(this.options.sandboxUrl, this.options.freshKey(mode)));
    this.visits.push(visit);
    return visit;
  }

  async #change(change: Change): Promise<Reply> {
    if (change.action === "teardown") {
      const current = this.visits.at(-1);
      if (current) current.isOver = true;
      return [200, "{}", {}];
    }
    const visit = this.#visit;
    if (change.state) visit.states.push({ name: change.state, params: change.params ?? {} });
    try {
      return [200, JSON.stringify(await visit.account.control("POST", "/pact/states", change)), {}];
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      visit.stateError ??= error.message;
      // The verifier sends no teardown after a failed setup.
      visit.isOver = true;
      return [400, JSON.stringify({ error: error.message }), {}];
    }
  }

  async #message({ description = "" }: { description?: string }): Promise<Reply> {
    const visit = this.#open();
    visit.message = description;
    const path = `${receiverPath}${this.visits.length}`;
    const delivered = new Promise<{ request: IncomingMessage; body: Buffer }>((resolve) => {
      this.#receivers.set(path, (request, body) => resolve({ request, body }));
    });
    try {
      await takeMessage(visit.account, description, this.url + path);
      const { request, body } = await delivered;
      visit.answer = { status: 200, body: body.toString("utf8") };
      return [200, body.toString("utf8"), { "Pact-Message-Metadata": metadataOf(request) }];
    } catch (error) {
      visit.messageError = (error as Error).message;
      return [404, JSON.stringify({ error: visit.messageError }), {}];
    } finally {
      this.#receivers.delete(path);
    }
  }

  /** Whatever is asked for belongs to the states before it; a verifier that was told of none sets none up. */
  #open(mode: "test" | "live" = "test"): Visit {
    const current = this.visits.at(-1);
    if (!current || current.isOver || current.answer !== null) return this.#next(mode);
    // Who knows the pact has said so beforehand; states of the other mode stay.
    if (current.states.length > 0 || modeOf(current.account.key) === mode) return current;
    this.visits.pop();
    return this.#next(mode);
  }

  async #receive(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    this.#receivers.get(path)?.(request, body);
    response.end();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit = this.#open(modeOf(keyIn(request.headers)));
    visit.request = { method: request.method as string, path: request.url as string };
    const expected = this.options.interactions?.[this.visits.indexOf(visit)]?.status;
    const headers = await ownHeaders(request.headers, visit.account, expected === 401);
    const target = new URL(visit.request.path, this.options.sandboxUrl);
    forward({ request, response, target, headers }, (answer) => {
      visit.answer = answer;
    });
  }
}
