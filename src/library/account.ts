/** One account of a running sandbox, steered over the public control API: no back doors. */

import { type ClientOptions, SandboxClient } from "../client/client.js";
import { ExpectationError } from "./errors.js";
import { type Moves, toMoves } from "./moves.js";
import type { EventKind, OperationId } from "./names.js";
import type { Rule, RuleInput } from "./rule-types.js";
import type {
  AdvanceResult,
  ClockState,
  CoverageOptions,
  CoverageReport,
  DeliveryEntry,
  EventEntry,
  Expectation,
  ExportedPact,
  InboxMessage,
  PactOptions,
  RecordEntry,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  ScenarioEntry,
  ScenarioState,
  Snapshot,
  WebhookEntry,
} from "./types.js";
import type { ScenarioResult, WalkOptions } from "./walk/result.js";

type Query = Readonly<Record<string, string | number | undefined>>;
interface Items<T> {
  items: T[];
}

export class SandboxAccount {
  readonly #client: SandboxClient;

  constructor(options: ClientOptions) {
    this.#client = new SandboxClient(options);
  }

  /** Base URL for the client under test, without a trailing slash. */
  get baseUrl(): string {
    return this.#client.baseUrl;
  }

  /** API key that the client under test sends as X-Service-Key. */
  get key(): string {
    return this.#client.key;
  }

  /** Moves the clock on by a duration such as `24h`; everything due on the way has run when it resolves. */
  advance(by: string): Promise<AdvanceResult> {
    return this.control("POST", "/clock/advance", { by });
  }

  readonly clock = {
    get: (): Promise<ClockState> => this.control("GET", "/clock"),
    /** To an ISO 8601 time, or to the `next` thing that is due. */
    advanceTo: (to: string): Promise<AdvanceResult> => this.control("POST", "/clock/advance", { to }),
    freeze: (at?: string): Promise<ClockState> =>
      this.control("POST", "/clock/freeze", at === undefined ? {} : { at }),
    resume: (): Promise<ClockState> => this.control("POST", "/clock/resume"),
  };

  readonly inbox = {
    /** The next message that no wait with this filter got; rejects after `timeout` (real time, default 5s). */
    wait: (
      filter: { to?: string; channel?: InboxMessage["channel"]; timeout?: string } = {},
    ): Promise<InboxMessage> => this.control("GET", `/inbox/wait${toQuery(filter)}`),
    /** Newest first. */
    list: (filter: { to?: string; channel?: InboxMessage["channel"] } = {}): Promise<InboxMessage[]> =>
      this.#items(`/inbox${toQuery(filter)}`),
    /** A person writes to one of the account's channels. */
    reply: (message: { channel_id: string; from: string; text: string }): Promise<InboxMessage> =>
      this.control("POST", "/inbox/reply", message),
  };

  readonly records = {
    get: (id: string): Promise<RecordEntry> => this.control("GET", `/records/${encodeURIComponent(id)}`),
    /** Makes a move by hand; rejects with invalid_state when it is not legal. */
    move: (id: string, move: string, input: Record<string, unknown> = {}): Promise<RecordEntry> =>
      this.control("POST", `/records/${encodeURIComponent(id)}/moves/${encodeURIComponent(move)}`, input),
  };

  /** Moves by hand, by machine: `account.moves.payout(id, "reject")`. */
  readonly moves: Moves = toMoves((id, move, input) => this.records.move(id, move, input));

  readonly scenario = {
    /** Those that come with the sandbox. */
    list: (): Promise<ScenarioEntry[]> => this.#items("/scenarios"),
    /** Puts one on the account, by name or as an object; the account is emptied but for its endpoints, unless kept. */
    load: (scenario: string | object, { keep = false } = {}): Promise<ScenarioState> => {
      const query = keep ? "?keep=true" : "";
      return typeof scenario === "string"
        ? this.control("POST", `/scenarios/${encodeURIComponent(scenario)}/load${query}`)
        : this.control("POST", `/scenarios${query}`, scenario);
    },
    /** Ends the one that the account plays: its rules and timeline leave. */
    leave: (name: string): Promise<unknown> =>
      this.control("DELETE", `/scenarios/${encodeURIComponent(name)}`),
    /** Loads one, takes the steps of its walk-through and checks them; never rejects because a step does not pass. */
    run: async (scenario: string | object, options: WalkOptions = {}): Promise<ScenarioResult> => {
      const { walkThrough } = await import("./walk/walk.js");
      const whole =
        typeof scenario === "string"
          ? await this.control<object>("GET", `/scenarios/${encodeURIComponent(scenario)}`)
          : scenario;
      return walkThrough(this, whole as Parameters<typeof walkThrough>[1], options);
    },
  };

  readonly webhooks = {
    /** The account's endpoints. */
    list: (): Promise<WebhookEntry[]> => this.#items("/webhooks"),
    remove: (id: string): Promise<unknown> => this.control("DELETE", `/webhooks/${encodeURIComponent(id)}`),
    /** The next event of this kind that no wait for it got; rejects after `timeout` (real time, default 5s). */
    wait: (filter: { event?: EventKind; timeout?: string } = {}): Promise<EventEntry> =>
      this.control("GET", `/events/wait${toQuery(filter)}`),
  };

  readonly rules = {
    add: (rule: RuleInput): Promise<Rule> => this.control("POST", "/rules", rule),
    list: (): Promise<Rule[]> => this.#items("/rules"),
    remove: (id: string): Promise<unknown> => this.control("DELETE", `/rules/${encodeURIComponent(id)}`),
  };

  readonly events = {
    list: (filter: { event?: EventKind } = {}): Promise<EventEntry[]> =>
      this.#items(`/events${toQuery(filter)}`),
    /** Sends an event to the account's endpoints, with example data unless some is given. */
    trigger: (event: EventKind, data?: Record<string, unknown>): Promise<EventEntry> =>
      this.control("POST", "/events", data === undefined ? { event } : { event, data }),
  };

  readonly deliveries = {
    list: (filter: { event?: EventKind; status?: DeliveryEntry["status"] } = {}): Promise<DeliveryEntry[]> =>
      this.#items(`/deliveries${toQuery(filter)}`),
    retry: (id: string): Promise<DeliveryEntry> =>
      this.control("POST", `/deliveries/${encodeURIComponent(id)}/retry`),
  };

  readonly requests = {
    list: (filter: { operation?: OperationId; status?: number } = {}): Promise<RequestEntry[]> =>
      this.#items(`/requests${toQuery(filter)}`),
    /** Resolves when as many requests match as expected; rejects with an ExpectationError when not. */
    expect: async (wanted: RequestExpectation): Promise<Expectation> => {
      const found = await this.control<Expectation>("POST", "/requests/expect", wanted);
      if (!found.matched) throw new ExpectationError(wanted.operation, found);
      return found;
    },
  };

  /** What this account has tried of the service, and what not, since it was last reset or restored. */
  coverage({ reset = false }: CoverageOptions = {}): Promise<CoverageReport> {
    return this.control(reset ? "DELETE" : "GET", "/coverage?scope=account");
  }

  /** What clients have sent to this account as a Pact file, to be verified with `standin verify`. */
  pact(options: PactOptions = {}): Promise<ExportedPact> {
    return this.control("GET", `/pact/export${toQuery({ ...options })}`);
  }

  /** Empties the account. */
  reset(): Promise<unknown> {
    return this.control("POST", "/reset");
  }

  /** The account's whole state, to be kept or restored elsewhere. */
  snapshot(): Promise<Snapshot> {
    return this.control("GET", "/snapshot");
  }

  /** Replaces everything of the account. Its clock stands, and nothing is sent, until `clock.resume()` or `advance`. */
  restore(snapshot: Snapshot): Promise<RestoreResult> {
    return this.control("PUT", "/snapshot", snapshot);
  }

  /** Changes plan, wallet (naira) and settings. */
  update(settings: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.control("PATCH", "/account", settings);
  }

  /** Sends a request to the service with this account's key. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#client.fetch(path, init);
  }

  /**
   * Calls the control API. `path` is relative to /_sandbox. Rejects with a ControlError when the call is refused, with
   * NoSandbox when nothing answers.
   */
  async control<T>(method: string, path: string, body?: object): Promise<T> {
    return (await this.#client.control<T>(method, path, { body })).value;
  }

  async #items<T>(path: string): Promise<T[]> {
    return (await this.control<Items<T>>("GET", path)).items;
  }
}

function toQuery(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}
