/** An account of a running sandbox, controlled through the public control API. Has everything except scenarios. */
import { type ClientOptions, SandboxClient } from "../client.js";
import { ControlError } from "../errors.js";
import { readStream, type StreamEvent } from "../stream.js";
import { ExpectationError } from "./errors.js";
import { formatTail } from "./format-activity.js";
import { type Moves, toMoves } from "./moves.js";
import type { EventKind, OperationId } from "./names.js";
import type { Rule, RuleInput } from "./rule-types.js";
import type {
  AccountChanges,
  AccountState,
  ActivityEntry,
  ActivityExplanation,
  ActivityFilter,
  AdvanceResult,
  ClockState,
  CoverageOptions,
  CoverageReport,
  DeliveryEntry,
  EventEntry,
  Expectation,
  ExportedPact,
  InboxFilter,
  InboxMessage,
  InboxWait,
  PactOptions,
  PersonMessage,
  RecordEntry,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  RewindResult,
  Snapshot,
  WebhookEntry,
} from "./types.js";

type Query = Readonly<Record<string, string | number | undefined>>;

export class AccountClient {
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

  /** Advances the clock by a duration such as `24h`. Resolves when everything due on the way has run. */
  advance(by: string): Promise<AdvanceResult> {
    return this.control("POST", "/clock/advance", { by });
  }

  readonly clock = {
    get: (): Promise<ClockState> => this.control("GET", "/clock"),
    /** Advances to an ISO 8601 time, or to the next due job with `next`. */
    advanceTo: (to: string): Promise<AdvanceResult> => this.control("POST", "/clock/advance", { to }),
    /** Freezes the clock, by default now. */
    freeze: (at?: string): Promise<ClockState> =>
      this.control("POST", "/clock/freeze", at === undefined ? {} : { at }),
    resume: (): Promise<ClockState> => this.control("POST", "/clock/resume"),
  };

  readonly inbox = {
    /**
     * Resolves with the next message that no wait with this filter has returned. Rejects after `timeout` (default
     * 5s).
     */
    wait: (filter: InboxWait = {}): Promise<InboxMessage> => this.#wait(`/inbox/wait${toQuery(filter)}`),
    /** Lists messages, newest first. */
    list: (filter: InboxFilter = {}): Promise<InboxMessage[]> => this.items(`/inbox${toQuery(filter)}`),
    /** Writes to one of the account's channels as a person. */
    reply: (message: PersonMessage): Promise<InboxMessage> => this.control("POST", "/inbox/reply", message),
  };

  readonly records = {
    get: (id: string): Promise<RecordEntry> => this.control("GET", `/records/${encodeURIComponent(id)}`),
    /** Makes a move by hand. Rejects with invalid_state if it is not legal. */
    move: (id: string, move: string, input: Record<string, unknown> = {}): Promise<RecordEntry> =>
      this.control("POST", `/records/${encodeURIComponent(id)}/moves/${encodeURIComponent(move)}`, input),
  };

  /** Moves by hand, by machine: `account.moves.payout(id, "reject")`. */
  readonly moves: Moves = toMoves((id, move, input) => this.records.move(id, move, input));

  readonly webhooks = {
    /** Lists the endpoints of the account. */
    list: (): Promise<WebhookEntry[]> => this.items("/webhooks"),
    remove: (id: string): Promise<unknown> => this.control("DELETE", `/webhooks/${encodeURIComponent(id)}`),
    /** Resolves with the next event that no wait for this kind has returned. Rejects after `timeout` (default 5s). */
    wait: (filter: { event?: EventKind; timeout?: string } = {}): Promise<EventEntry> =>
      this.#wait(`/events/wait${toQuery(filter)}`),
  };

  readonly rules = {
    add: (rule: RuleInput): Promise<Rule> => this.control("POST", "/rules", rule),
    list: (): Promise<Rule[]> => this.items("/rules"),
    remove: (id: string): Promise<unknown> => this.control("DELETE", `/rules/${encodeURIComponent(id)}`),
  };

  readonly events = {
    list: (filter: { event?: EventKind } = {}): Promise<EventEntry[]> =>
      this.items(`/events${toQuery(filter)}`),
    /** Sends an event to the endpoints of the account. `data` defaults to an example. */
    trigger: (event: EventKind, data?: Record<string, unknown>): Promise<EventEntry> =>
      this.control("POST", "/events", data === undefined ? { event } : { event, data }),
  };

  readonly deliveries = {
    list: (filter: { event?: EventKind; status?: DeliveryEntry["status"] } = {}): Promise<DeliveryEntry[]> =>
      this.items(`/deliveries${toQuery(filter)}`),
    retry: (id: string): Promise<DeliveryEntry> =>
      this.control("POST", `/deliveries/${encodeURIComponent(id)}/retry`),
  };

  /** Activities of the account, and their causes. */
  readonly activity = {
    /** Lists activities, newest first. */
    list: (filter: ActivityFilter = {}): Promise<ActivityEntry[]> =>
      this.items(`/activity${toQuery(filter)}`),
    /** Explains the activity, or the newest one about the request, event, delivery, message or record of this id. */
    explain: (id: string): Promise<ActivityExplanation> =>
      this.control("GET", `/activity/${encodeURIComponent(id)}`),
    /** Yields activities as they happen, and again when they have changed, until `signal` aborts. */
    stream: (options: { signal?: AbortSignal } = {}): AsyncGenerator<ActivityEntry> =>
      activitiesOf(readStream(this.#client, options)),
  };

  readonly requests = {
    list: (filter: { operation?: OperationId; status?: number } = {}): Promise<RequestEntry[]> =>
      this.items(`/requests${toQuery(filter)}`),
    /** Rejects with an ExpectationError unless as many requests match as expected. */
    expect: async (wanted: RequestExpectation): Promise<Expectation> => {
      const found = await this.control<Expectation>("POST", "/requests/expect", wanted);
      if (!found.matched) throw new ExpectationError(wanted.operation, found, await this.#formatTail());
      return found;
    },
  };

  /** Reports what this account has exercised since it was last reset or restored. */
  coverage({ reset = false }: CoverageOptions = {}): Promise<CoverageReport> {
    return this.control(reset ? "DELETE" : "GET", "/coverage?scope=account");
  }

  /** Exports the account's traffic as a pact, to verify with `standin verify`. */
  pact(options: PactOptions = {}): Promise<ExportedPact> {
    return this.control("GET", `/pact/export${toQuery({ ...options })}`);
  }

  /** Removes the whole state of the account. */
  reset(): Promise<AccountState> {
    return this.control("POST", "/reset");
  }

  /** Returns the whole state of the account, to store or to restore elsewhere. */
  snapshot(): Promise<Snapshot> {
    return this.control("GET", "/snapshot");
  }

  /** Replaces the whole state of the account. Its clock is paused: nothing is sent until
   * `clock.resume()`, `clock.freeze()`, `advance` or the next request to the service. */
  restore(snapshot: Snapshot): Promise<RestoreResult> {
    return this.control("PUT", "/snapshot", snapshot);
  }

  /**
   * Takes the account back to the moment before an activity, given by its id or the id of a request, event, delivery or
   * message: the same requests then get the same replies. Reaches back 1,000 commits.
   */
  rewind(to: string): Promise<RewindResult> {
    return this.control("POST", "/rewind", { to });
  }

  /** Changes plan, wallet (naira) and settings. */
  update(changes: AccountChanges): Promise<AccountState> {
    return this.control("PATCH", "/account", changes);
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

  /** Sends a request that waits. The message of a timeout ends with the latest activities of the account. */
  async #wait<T>(path: string): Promise<T> {
    try {
      return await this.control<T>("GET", path);
    } catch (error) {
      if (!(error instanceof ControlError && error.code === "wait_timeout")) throw error;
      // A closing sandbox answers the waiting request, but no further ones.
      const tail = await this.#formatTail().catch(() => null);
      throw tail === null ? error : new ControlError(error.status, error.code, `${error.message}\n${tail}`);
    }
  }

  async #formatTail(): Promise<string> {
    return formatTail(await this.activity.list({ limit: 10 }));
  }

  protected async items<T>(path: string): Promise<T[]> {
    return (await this.control<{ items: T[] }>("GET", path)).items;
  }
}

function toQuery(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}

async function* activitiesOf(events: AsyncGenerator<StreamEvent>): AsyncGenerator<ActivityEntry> {
  for await (const { event, data } of events) if (event === "activity") yield data as ActivityEntry;
}
