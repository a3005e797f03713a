/**
 * The way of every request, in the order of refusals: path and method, caller, body, outcome name, fields, plan and
 * mode, then the handler in one commit (record, state, caps), error outcomes, the wallet, and the reply.
 */
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "../contract/errors.js";
import { type AnyOperation, successStatus } from "../contract/operation.js";
import { latencyOf } from "../rules/faults.js";
import { judge, requestedOutcome } from "../rules/outcomes.js";
import type { Account } from "../world/account.js";
import { delay, minute, realNow } from "../world/time/time.js";
import type { World } from "../world/world.js";
import { Answers } from "./answers.js";
import { Authenticator } from "./auth.js";
import { Exchange } from "./exchange.js";
import { checkMode, checkPlan } from "./gates.js";
import type { Guard } from "./guard.js";
import { compileInput, type RawInput, readInput, type Strictness, validateInput } from "./input.js";
import { writeReply } from "./reply.js";
import { type Layer, Routes } from "./routes.js";
import { type HandlerCall, newCall, type Price, runOperation } from "./run.js";
import type { SessionTokens } from "./session-tokens.js";
import type { Settings } from "./settings.js";

export interface PipelineOptions {
  settings: Settings;
  world: World;
  guard: Guard;
  tokens: SessionTokens;
  service: readonly AnyOperation[];
  control: readonly AnyOperation[];
  /** What the control API's handlers get beside the account. */
  sandbox: object;
  price(key: string): Price;
  warn(message: string): void;
}

/** Paths of the API, and request targets that are no path at all. */
const notAPage = /^(?:\/(?:v1|_sandbox)(?:\/|$)|[^/]|$)/;

export class Pipeline {
  readonly #routes: Routes;
  readonly #authenticator: Authenticator;
  readonly answers: Answers;
  readonly #stopping = new AbortController();

  constructor(readonly options: PipelineOptions) {
    const { service, control, world, settings, tokens } = options;
    this.#routes = new Routes([
      ...service.map((operation) => ({ operation, layer: "service" as const })),
      ...control.map((operation) => ({ operation, layer: "control" as const })),
    ]);
    this.#authenticator = new Authenticator(world, settings, tokens);
    this.answers = new Answers(settings, options.warn);
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Replies that were held up on purpose leave now: the server is about to stop. */
  endWaits(): void {
    this.#stopping.abort();
  }

  /** Serves the request, or leaves it to `next` when no operation has its path. */
  handle(request: IncomingMessage, response: ServerResponse, next: (exchange: Exchange) => void): void {
    const exchange = new Exchange(request, response);
    const preflight = request.method === "OPTIONS" ? this.options.guard.preflight(exchange) : null;
    if (preflight) {
      response.writeHead(204, preflight);
      response.end();
      return;
    }
    if (request.headers.origin !== undefined)
      exchange.replyHeaders.push(...this.options.guard.corsHeaders(exchange));
    const found = this.#routes.find(exchange.method, exchange.path);
    if (found === null) {
      if (notAPage.test(exchange.path)) this.answers.refuse(exchange, unknownPath(exchange.path));
      else next(exchange);
      return;
    }
    if (found.kind === "method") {
      const message = `${exchange.path} takes ${found.allow}, not ${exchange.method}.`;
      this.answers.refuse(
        exchange,
        new Refusal("method_not_allowed", { message, headers: { Allow: found.allow } }),
      );
      return;
    }
    exchange.mounted = found.mounted;
    exchange.params = found.params;
    const { operation } = found.mounted;
    if (operation.auth === "none") {
      this.#serveAnybody(exchange, operation).catch((error: unknown) => this.answers.refuse(exchange, error));
      return;
    }
    this.#serve(exchange, operation, found.mounted.layer).catch((error: unknown) =>
      this.answers.refuse(exchange, error),
    );
  }

  /** An operation that asks for no caller and touches no account. */
  async #serveAnybody(exchange: Exchange, operation: AnyOperation): Promise<void> {
    exchange.requestId = this.answers.nextRequestId();
    const { sandbox } = this.options;
    writeReply(exchange, successStatus(operation), await operation.handle({ sandbox } as never));
  }

  async #serve(exchange: Exchange, operation: AnyOperation, layer: Layer): Promise<void> {
    const { world, settings } = this.options;
    const caller = this.#caller(exchange, operation);
    const account = caller instanceof Promise ? await caller : caller;
    exchange.account = account;
    exchange.requestId = account.nextRequestId();
    account.lastUsed = realNow();
    if (layer === "control") exchange.replyHeaders.push("X-Sandbox-Account", account.id);

    const reading = readInput(exchange, operation);
    const input = reading instanceof Promise ? await reading : reading;
    world.scheduler.runDue(account);
    const asked = layer === "service" ? requestedOutcome(operation, exchange.request.headers) : null;
    const compiling = compileInput(operation);
    if (compiling) await compiling;
    validateInput(operation, exchange.params, input, strictnessOf(layer, settings));
    checkMode(account, operation);
    checkPlan(account, operation);
    const call = this.#call(exchange, account, layer, input);
    if (layer === "control")
      return this.answers.finish(exchange, operation, await operation.handle(call as never));

    const { path, params } = exchange;
    const { headers } = exchange.request;
    const { query, body, files } = input;
    const { decision, fault, unjudged } = judge(
      account,
      operation,
      { path, params, query, headers, body, files },
      { asked },
    );
    exchange.decision = decision;
    exchange.fault = fault;
    if (unjudged !== null) exchange.replyHeaders.push("X-Sandbox-Rules", unjudged);
    exchange.stopping = this.#stopping.signal;
    const pause = fault || settings.latency === "documented" ? this.#pause(exchange, operation, call) : null;
    if (fault?.reply === "reset_before") {
      await pause?.();
      return this.answers.drop(exchange);
    }
    const running = runOperation(operation, call, decision, this.options.price, { pause });
    this.answers.finish(exchange, operation, running instanceof Promise ? await running : running);
  }

  #caller(exchange: Exchange, operation: AnyOperation): Account | Promise<Account> {
    switch (operation.auth) {
      case "key":
        return this.#authenticator.byKey(exchange);
      case "session":
        return this.#authenticator.bySession(exchange);
      default:
        this.options.guard.check(exchange);
        return this.#authenticator.byOptionalKey(exchange);
    }
  }

  #call(exchange: Exchange, account: Account, layer: Layer, input: RawInput): HandlerCall {
    const sandbox = layer === "control" ? this.options.sandbox : null;
    const { settings } = this.options;
    return newCall(account, sandbox, settings, exchange.params, input, exchange.request.headers, exchange);
  }

  /** Waits until the request has taken as long as a fault or the interface says; null where none says anything. */
  #pause(exchange: Exchange, { latency }: AnyOperation, call: HandlerCall): (() => Promise<void>) | null {
    const documented = () => (typeof latency === "function" ? latency(call as never) : (latency ?? null));
    const asked = exchange.fault && latencyOf(exchange.fault, documented);
    const range = asked ?? (this.options.settings.latency === "documented" ? documented() : null);
    if (!range) return null;
    const [least, most] = range;
    const { account } = call;
    const drawn = least === most ? least : account.commit("api", () => account.random.integer(least, most));
    return () => waitUntil(drawn, exchange, account);
  }
}

/** A slip in a query of the control API could empty an account. */
const strictnessOf = (layer: Layer, { assumptions }: Settings): Strictness => {
  if (layer === "control") return "query";
  return assumptions["fields.unmarked"] === "refused" ? "everywhere" : "nowhere";
};

/** Until the request has taken so long. An account that a request waits on is in use: it stays in memory. */
async function waitUntil(ms: number, { elapsed, stopping }: Exchange, account: Account): Promise<void> {
  for (let left = ms - elapsed(); left > 0 && !stopping?.aborted; left = ms - elapsed()) {
    account.lastUsed = realNow();
    await delay(Math.min(left, minute), stopping);
  }
}

export const unknownPath = (path: string): Refusal =>
  new Refusal("route_not_found", {
    message: `There is no ${path}; GET /openapi.json lists the service's operations, GET /_sandbox/openapi.json the sandbox's own.`,
  });
