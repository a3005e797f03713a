/**
 * The way of every request, in the order of refusals: path and method, caller, body, outcome name, fields, plan and
 * mode, then the handler in one commit (record, state, caps), error outcomes, the wallet, and the reply.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal, refuse } from "../contract/errors.js";
import { type Operation, type Plan, successStatus } from "../contract/operation.js";
import { decideOutcome, requestedOutcome } from "../scenarios/outcomes.js";
import type { Account } from "../world/account.js";
import { delay, realNow } from "../world/time.js";
import type { World } from "../world/world.js";
import { Answers } from "./answers.js";
import { Authenticator } from "./auth.js";
import { Exchange } from "./exchange.js";
import type { Guard } from "./guard.js";
import { compileInput, type RawInput, readInput, validateInput } from "./input.js";
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
  service: readonly Operation<never>[];
  control: readonly Operation<never>[];
  /** What the control API's handlers get beside the account. */
  sandbox: object;
  price(key: string): Price;
  warn(message: string): void;
}

/** Paths of the API, and request targets that are no path at all. */
const notAPage = /^(?:\/(?:v1|_sandbox)(?:\/|$)|[^/]|$)/;

const rank: Readonly<Record<Plan, number>> = { starter: 0, growth: 1, business: 2 };

export class Pipeline {
  readonly #routes: Routes;
  readonly #authenticator: Authenticator;
  readonly answers: Answers;

  constructor(readonly options: PipelineOptions) {
    const { service, control, world, settings, tokens } = options;
    this.#routes = new Routes([
      ...service.map((operation) => ({ operation, layer: "service" as const })),
      ...control.map((operation) => ({ operation, layer: "control" as const })),
    ]);
    this.#authenticator = new Authenticator(world, settings, tokens);
    this.answers = new Answers(settings, options.warn);
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
  async #serveAnybody(exchange: Exchange, operation: Operation<never>): Promise<void> {
    exchange.requestId = this.answers.nextRequestId();
    const { sandbox } = this.options;
    writeReply(exchange, successStatus(operation), await operation.handle?.({ sandbox } as never));
  }

  async #serve(exchange: Exchange, operation: Operation<never>, layer: Layer): Promise<void> {
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
    const strict = layer === "service" && settings.assumptions["fields.unmarked"] === "refused";
    validateInput(operation, exchange.params, input, strict);
    this.#checkPlanAndMode(account, operation);
    if (!operation.handle) {
      refuse("operation_not_built", {
        message: `${operation.id} is declared in the contract and is not served yet.`,
      });
    }
    const call = this.#call(exchange, account, layer, input);
    if (layer === "control")
      return this.answers.finish(exchange, operation, await operation.handle?.(call as never));

    const { path, params } = exchange;
    const { headers } = exchange.request;
    const { query, body, files } = input;
    exchange.decision =
      asked ?? decideOutcome(account, operation, { path, params, query, headers, body, files });
    const pause = settings.latency === "documented" ? this.#pause(exchange, operation, call) : null;
    const running = runOperation(operation, call, exchange.decision, this.options.price, { pause });
    this.answers.finish(exchange, operation, running instanceof Promise ? await running : running);
  }

  #caller(exchange: Exchange, operation: Operation<never>): Account | Promise<Account> {
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

  #checkPlanAndMode(account: Account, operation: Operation<never>): void {
    if (operation.testModeOnly && account.live) {
      refuse("test_mode_only", {
        message: `${operation.id} has no effect on live accounts; call it with a test key.`,
      });
    }
    if (!operation.plan) return;
    const { plan } = account.settings;
    if (rank[plan] >= rank[operation.plan]) return;
    const message = `The account's plan is ${plan}; this needs ${operation.plan} or above.`;
    refuse("plan_required", { message, extra: { required_plan: operation.plan } });
  }

  #call(exchange: Exchange, account: Account, layer: Layer, input: RawInput): HandlerCall {
    const sandbox = layer === "control" ? this.options.sandbox : null;
    const { settings } = this.options;
    return newCall(account, sandbox, settings, exchange.params, input, exchange.request.headers);
  }

  /** Waits until the request has taken as long as the interface says; null where it says nothing. */
  #pause(exchange: Exchange, { latency }: Operation<never>, call: HandlerCall): (() => Promise<void>) | null {
    const range = typeof latency === "function" ? latency(call as never) : latency;
    if (!range) return null;
    const { account } = call;
    const drawn = account.commit("api", () => account.random.integer(...range));
    return () => delay(Math.max(0, drawn - exchange.elapsed()));
  }
}

export const unknownPath = (path: string): Refusal =>
  new Refusal("route_not_found", {
    message: `There is no ${path}; GET /openapi.json lists the service's operations, GET /_sandbox/openapi.json the sandbox's own.`,
  });
