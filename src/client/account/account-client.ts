/** An account of a running sandbox, controlled through the public control API, without its scenarios. */

import type { Exported, ExportKind } from "../../control/export.js";
import { movesByHand } from "../../service/machines.js";
import { parseDuration } from "../../time/time.js";
import {
  type CallArguments,
  type CallId,
  type CallReply,
  type ClientOptions,
  ControlError,
  type ExportQuery,
  readActivity,
  SandboxClient,
  type StreamEvent,
} from "../client.js";
import { formatTail } from "./format.js";
import type {
  AccountChanges,
  AccountState,
  ActivityEntry,
  ActivityExplanation,
  ActivityFilter,
  AdvanceResult,
  ClockState,
  ConductReport,
  CoverageOptions,
  CoverageReport,
  DeliveryEntry,
  EventEntry,
  EventKind,
  Expectation,
  ExportedPact,
  HeldChanges,
  HeldEntry,
  HeldWait,
  InboxFilter,
  InboxMessage,
  InboxWait,
  OperationId,
  PactOptions,
  PersonMessage,
  RecordEntry,
  RequestEntry,
  RequestExpectation,
  RestoreResult,
  RewindResult,
  Rule,
  RuleInput,
  Snapshot,
  WebhookEntry,
} from "./types.js";

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

  /**
   * Advances the clock by a duration such as `24h`. Resolves when everything due on the way has run. The fake clock
   * `timers` of the test, such as `vi`, then advances by the same duration.
   */
  async advance(by: string, { timers }: { timers?: FakeTimers } = {}): Promise<AdvanceResult> {
    const result = await this.call("advanceClock", { body: { by } });
    if (timers) await advanceTimers(timers, by);
    return result;
  }

  readonly clock = {
    get: (): Promise<ClockState> => this.call("getClock"),
    /** Advances to an ISO 8601 time, or to the next due job with `next`. */
    advanceTo: (to: string): Promise<AdvanceResult> => this.call("advanceClock", { body: { to } }),
    /** Freezes the clock, by default now. */
    freeze: (at?: string): Promise<ClockState> =>
      this.call("freezeClock", { body: at === undefined ? {} : { at } }),
    resume: (): Promise<ClockState> => this.call("resumeClock"),
  };

  readonly inbox = {
    /**
     * Resolves with the next message that no wait with this filter has returned. Rejects after `timeout` (default
     * 5s).
     */
    wait: (filter: InboxWait = {}): Promise<InboxMessage> =>
      this.#wait(() => this.call("waitForMessage", { query: filter })),
    /** Lists messages, newest first. */
    list: (filter: InboxFilter = {}): Promise<InboxMessage[]> =>
      itemsOf(this.call("listMessages", { query: filter })),
    /** Writes to one of the account's channels as a person. */
    reply: (message: PersonMessage): Promise<InboxMessage> => this.call("replyAsPerson", { body: message }),
  };

  readonly records = {
    get: (id: string): Promise<RecordEntry> => this.call("getRecord", { params: { id } }),
    /** Makes a move by hand. Rejects with invalid_state if it is not legal. */
    move: (id: string, move: string, input: Record<string, unknown> = {}): Promise<RecordEntry> =>
      this.call("moveRecord", { params: { id, move }, body: input }),
  };

  /** Moves by hand, by machine: `account.moves.payout(id, "reject")`. */
  readonly moves: Moves = toMoves((id, move, input) => this.records.move(id, move, input));

  readonly webhooks = {
    /** Lists the endpoints of the account. */
    list: (): Promise<WebhookEntry[]> => itemsOf(this.call("listWebhooks")),
    remove: (id: string): Promise<unknown> => this.call("deleteWebhook", { params: { id } }),
    /** Resolves with the next event that no wait for this kind has returned. Rejects after `timeout` (default 5s). */
    wait: (filter: { event?: EventKind; timeout?: string } = {}): Promise<EventEntry> =>
      this.#wait(() => this.call("waitForEvent", { query: filter })),
  };

  readonly rules = {
    // The schemas have plain strings for the names of operations, outcomes and events.
    add: (rule: RuleInput) => this.call("createRule", { body: rule }) as Promise<Rule>,
    list: () => itemsOf(this.call("listRules")) as Promise<Rule[]>,
    remove: (id: string): Promise<unknown> => this.call("deleteRule", { params: { id } }),
  };

  /** Requests, replies and webhooks that rules hold. */
  readonly held = {
    /** Resolves with the oldest item that no wait has returned. Rejects after `timeout` (default 5s). */
    next: (filter: HeldWait = {}): Promise<HeldEntry> =>
      this.#wait(() => this.call("waitForHeld", { query: filter })),
    /** Lists what is held, oldest first. */
    list: (): Promise<HeldEntry[]> => itemsOf(this.call("listHeld")),
    /** Releases a held item, with changes to its status, headers or body if there are any. */
    release: (id: string, changes: HeldChanges = {}): Promise<unknown> =>
      this.call("releaseHeld", { params: { id }, body: changes }),
    drop: (id: string): Promise<unknown> => this.call("dropHeld", { params: { id } }),
  };

  readonly events = {
    list: (filter: { event?: EventKind } = {}): Promise<EventEntry[]> =>
      itemsOf(this.call("listEvents", { query: filter })),
    /** Sends an event to the endpoints of the account. `data` defaults to an example. */
    trigger: (event: EventKind, data?: Record<string, unknown>): Promise<EventEntry> =>
      this.call("triggerEvent", { body: data === undefined ? { event } : { event, data } }),
  };

  readonly deliveries = {
    list: (filter: { event?: EventKind; status?: DeliveryEntry["status"] } = {}): Promise<DeliveryEntry[]> =>
      itemsOf(this.call("listDeliveries", { query: filter })),
    retry: (id: string): Promise<DeliveryEntry> => this.call("retryDelivery", { params: { id } }),
  };

  /** Activities of the account, and their causes. */
  readonly activity = {
    /** Lists activities, newest first. */
    list: (filter: ActivityFilter = {}): Promise<ActivityEntry[]> =>
      itemsOf(this.call("listActivity", { query: filter })),
    /** Explains the activity, or the newest one about the request, event, delivery, message or record of this id. */
    explain: (id: string): Promise<ActivityExplanation> => this.call("explainActivity", { params: { id } }),
    /** Yields activities as they happen, and again when they have changed, until `signal` aborts. */
    stream: (options: { signal?: AbortSignal } = {}): AsyncGenerator<ActivityEntry> =>
      activitiesOf(readActivity(this.#client, options)),
  };

  readonly requests = {
    list: (filter: { operation?: OperationId; status?: number } = {}): Promise<RequestEntry[]> =>
      itemsOf(this.call("listRequests", { query: filter })),
    /** Rejects with an ExpectationError unless as many requests match as expected. */
    expect: async (wanted: RequestExpectation): Promise<Expectation> => {
      const found = await this.call("expectRequest", { body: wanted });
      if (!found.matched) throw new ExpectationError(wanted.operation, found, await this.#formatTail());
      return found;
    },
  };

  /** Reports what this account has exercised since it was last reset or restored. */
  coverage({ reset = false }: CoverageOptions = {}): Promise<CoverageReport> {
    return this.call(reset ? "resetCoverage" : "getCoverage", { query: { scope: "account" } });
  }

  /** Judges what the client of this account did. A finding says what happened, why it matters and what would be right. */
  conduct(): Promise<ConductReport> {
    return this.call("getConduct", { query: { scope: "account" } });
  }

  /** Exports the account's traffic as a pact, to verify with `standin verify`. */
  pact(options: PactOptions = {}): Promise<ExportedPact> {
    return this.export("pact", options);
  }

  /** Exports what happened to the account, without secrets: as a bundle, an HTTP archive, a pact or a scenario. */
  async export<K extends ExportKind>(kind: K, options: ExportQuery = {}): Promise<Exported[K]> {
    return (await this.#client.export(kind, { query: options })).value;
  }

  /** Removes the whole state of the account. */
  reset(): Promise<AccountState> {
    return this.call("resetAccount");
  }

  /** Returns the whole state of the account, to store or to restore elsewhere. */
  snapshot(): Promise<Snapshot> {
    return this.call("getSnapshot");
  }

  /**
   * Replaces the whole state of the account. Its clock is paused: nothing is sent until `clock.resume()`, `clock.freeze()`,
   * `advance` or the next request to the service.
   */
  restore(snapshot: Snapshot): Promise<RestoreResult> {
    return this.call("restoreSnapshot", { body: snapshot });
  }

  /**
   * Takes the account back to the moment before an activity, given by its id or the id of a request, event, delivery or
   * message: the same requests then get the same replies. Reaches back 1,000 commits.
   */
  rewind(to: string): Promise<RewindResult> {
    return this.call("rewindAccount", { body: { to } });
  }

  /** Changes plan, wallet (naira) and settings. */
  update(changes: AccountChanges): Promise<AccountState> {
    return this.call("updateAccount", { body: changes });
  }

  /** Sends a request to the service with this account's key. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#client.fetch(path, init);
  }

  /**
   * Calls an operation of the control API by its id. Rejects with a ControlError when the call is refused, with NoSandbox
   * when nothing answers.
   *
   * @example account.call("getPerson", { params: { number: "22123456789" } })
   */
  async call<I extends CallId>(id: I, ...input: CallArguments<I>): Promise<CallReply<I>> {
    return (await this.#client.call(id, ...input)).value;
  }

  /** Calls the control API by method and path. `path` is relative to the prefix of the control API. Rejects as `call` does. */
  async control<T>(method: string, path: string, body?: object): Promise<T> {
    return (await this.#client.control<T>(method, path, body)).value;
  }

  /** Makes a call that waits. The message of a timeout ends with the latest activities of the account. */
  async #wait<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
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
}

/** Resolves with the items of a list. */
export const itemsOf = async <T>(list: Promise<{ items: T[] }>): Promise<T[]> => (await list).items;

async function* activitiesOf(events: AsyncGenerator<StreamEvent>): AsyncGenerator<ActivityEntry> {
  for await (const { event, data } of events) if (event === "activity") yield data as ActivityEntry;
}

export type MachineName = keyof typeof movesByHand;

/** Each function makes a move on the record with this id. It rejects with invalid_state if the move is not legal. */
export type Moves = {
  readonly [M in MachineName]: (
    id: string,
    move: (typeof movesByHand)[M][number],
    input?: Record<string, unknown>,
  ) => Promise<RecordEntry>;
};

type MoveRecord = (id: string, move: string, input?: Record<string, unknown>) => Promise<RecordEntry>;

export const toMoves = (move: MoveRecord): Moves =>
  Object.fromEntries(Object.keys(movesByHand).map((machine) => [machine, move])) as unknown as Moves;

/**
 * A fake clock: Vitest's `vi`, Jest's `jest`, a clock of Sinon, `mock.timers` of node:test, or Playwright's `page.clock`. Each
 * has one of these methods.
 */
export type FakeTimers =
  | { advanceTimersByTimeAsync(ms: number): unknown }
  | { advanceTimersByTime(ms: number): unknown }
  | { tickAsync(ms: number): unknown }
  | { tick(ms: number): unknown }
  | { fastForward(ms: number): unknown };

/** Methods of fake clocks, in the order in which they are tried. The asynchronous ones also run what waits for promises. */
const methods = ["advanceTimersByTimeAsync", "advanceTimersByTime", "tickAsync", "tick", "fastForward"];

type Methods = Partial<Record<string, (ms: number) => unknown>>;

/** Advances a fake clock by a duration such as `24h`. Rejects with a TypeError if the clock is of no known kind. */
export async function advanceTimers(timers: FakeTimers, by: string): Promise<void> {
  const known = timers as Methods;
  const name = methods.find((method) => typeof known?.[method] === "function");
  if (name === undefined)
    throw new TypeError(
      "timers must be a fake clock: vi of Vitest, jest, a clock of Sinon, mock.timers of node:test, or page.clock of Playwright",
    );
  await known[name]?.(parseDuration(by) ?? 0);
}

/**
 * Thrown when too few or too many requests match. The message names the nearest misses; `expectation` has the
 * details.
 */
export class ExpectationError extends Error {
  constructor(
    operation: string,
    readonly expectation: Expectation,
    /** Latest activities of the account, as text. */
    tail: string,
  ) {
    const { expected, count, nearest } = expectation;
    const misses = nearest.map(
      ({ request, differences }, index) =>
        `${index === 0 ? "The nearest is" : "Then comes"} ${request.id}, ${request.method} ${request.path}, answered ${request.status ?? "by a reset connection"}: ${differences.map(formatDifference).join("; ")}.`,
    );
    if (count === 0 && nearest.length === 0) misses.push("The account's journal has no requests.");
    super([`${operation}: expected ${expected} matching, found ${count}.`, ...misses, tail].join("\n"));
    this.name = "ExpectationError";
  }
}

const formatDifference = ({ at, expected, actual }: Expectation["nearest"][number]["differences"][number]) =>
  `${at} should be ${JSON.stringify(expected)} and is ${actual === undefined ? "not there" : JSON.stringify(actual)}`;
