/** One account of a running sandbox, steered over the public control API: no back doors. */

import { ControlError, ExpectationError } from "./errors.js";
import type {
  AdvanceResult,
  ClockState,
  DeliveryEntry,
  EventEntry,
  Expectation,
  InboxMessage,
  RecordEntry,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  Rule,
  RuleInput,
  Snapshot,
} from "./types.js";

type Query = Readonly<Record<string, string | number | undefined>>;
interface Items<T> {
  items: T[];
}

export class SandboxAccount {
  constructor(
    /** Where a client under test sends its requests. */
    readonly baseUrl: string,
    /** What it sends as X-Service-Key. */
    readonly key: string,
    readonly adminToken: string | null = null,
  ) {}

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

  readonly rules = {
    add: (rule: RuleInput): Promise<Rule> => this.control("POST", "/rules", rule),
    list: (): Promise<Rule[]> => this.#items("/rules"),
    remove: (id: string): Promise<unknown> => this.control("DELETE", `/rules/${encodeURIComponent(id)}`),
  };

  readonly events = {
    list: (filter: { event?: string } = {}): Promise<EventEntry[]> =>
      this.#items(`/events${toQuery(filter)}`),
    /** Sends an event to the account's endpoints, with example data unless some is given. */
    trigger: (event: string, data?: Record<string, unknown>): Promise<EventEntry> =>
      this.control("POST", "/events", data === undefined ? { event } : { event, data }),
  };

  readonly deliveries = {
    list: (filter: { event?: string; status?: DeliveryEntry["status"] } = {}): Promise<DeliveryEntry[]> =>
      this.#items(`/deliveries${toQuery(filter)}`),
    retry: (id: string): Promise<DeliveryEntry> =>
      this.control("POST", `/deliveries/${encodeURIComponent(id)}/retry`),
  };

  readonly requests = {
    list: (filter: { operation?: string; status?: number } = {}): Promise<RequestEntry[]> =>
      this.#items(`/requests${toQuery(filter)}`),
    /** Resolves when as many requests match as expected; rejects with an ExpectationError when not. */
    expect: async (wanted: RequestExpectation): Promise<Expectation> => {
      const found = await this.control<Expectation>("POST", "/requests/expect", wanted);
      if (!found.matched) throw new ExpectationError(wanted.operation, found);
      return found;
    },
  };

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

  /** A call of the service with this account's key. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Service-Key", this.key);
    return fetch(this.baseUrl + path, { ...init, headers });
  }

  /** Any call of the control API; `path` without /_sandbox. Rejects with a ControlError when it is refused. */
  async control<T>(method: string, path: string, body?: object): Promise<T> {
    const headers: Record<string, string> = { "X-Service-Key": this.key };
    if (this.adminToken !== null) headers["X-Sandbox-Admin"] = this.adminToken;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const response = await fetch(`${this.baseUrl}/_sandbox${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as { error?: { code: string; message: string } };
    if (response.ok) return reply as T;
    throw new ControlError(
      response.status,
      reply.error?.code ?? "",
      reply.error?.message ?? response.statusText,
    );
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
