/** What the account tells the outside world: events, the endpoints that asked for them, and one delivery for each. */
import type { Account } from "../account.js";
import type { Stored } from "../machine.js";
import { toIso } from "../time/time.js";
import { Waits } from "../waits.js";
import {
  type AttemptResult,
  type DeliveryAttempt,
  type DeliveryFields,
  delivery,
  newAttempt,
} from "./delivery.js";
import { dispatch } from "./delivery-plan.js";
import { eventPayload } from "./event-payload.js";

type Delivery = Stored<DeliveryFields>;

export interface Endpoint {
  id: string;
  url: string;
  /** Event kinds, or `*`. */
  events: string[];
  description: string | null;
  created_at: string;
}

export interface SentEvent {
  id: string;
  event: string;
  created_at: string;
  data: unknown;
  /** The bytes that every attempt sends. */
  body: string;
  /** A tester sent it: nothing happened here. */
  by_hand?: true;
}

export interface EmitOptions {
  /** Makes the payload the documented one of verification.completed. */
  jobId?: string | undefined;
  byHand?: boolean;
  /** An address that is no registered endpoint; in the log, its id stands where an endpoint's does. */
  alsoTo?: Pick<Endpoint, "id" | "url">;
}

/** Older entries leave when an account has more than these; what is still pending never does. */
export const eventLimit = 10_000;
export const deliveryLimit = 10_000;

/** `http://shop.example` and `http://shop.example/` are one. */
const isSameUrl = (one: string, other: string): boolean => new URL(one).href === new URL(other).href;

const deliverJob = (id: string): string => `deliver:${id}`;

export class Outbox {
  readonly waits = new Waits<SentEvent>();

  constructor(readonly account: Account) {}

  endpoints(): Endpoint[] {
    return [...this.account.state.newest<Endpoint>("endpoints")];
  }

  endpoint(id: string): Endpoint | undefined {
    return this.account.state.get<Endpoint>("endpoints", id);
  }

  save(endpoint: Endpoint): void {
    this.account.state.put("endpoints", endpoint.id, endpoint);
  }

  /** Inside a commit: removes an endpoint and fails its pending deliveries. Returns false when there is none. */
  remove(id: string): boolean {
    const { state } = this.account;
    for (const waiting of state.newest<Delivery>("delivery", `"endpoint_id":"${id}"`)) {
      if (waiting.state === "pending") this.fail(waiting, "the endpoint was removed");
    }
    return state.delete("endpoints", id);
  }

  event(id: string): SentEvent | undefined {
    return this.account.state.get<SentEvent>("events", id);
  }

  events(): SentEvent[] {
    return [...this.account.state.newest<SentEvent>("events")];
  }

  /** The oldest event of a kind that no wait for it was answered with; undefined while there is none. */
  take(event?: string): SentEvent | undefined {
    const all = this.account.state.newest<SentEvent>(
      "events",
      event === undefined ? "" : `"event":"${event}"`,
    );
    return this.waits.take(event ?? "", event === undefined ? all : ofKind(all, event));
  }

  /** Inside a commit. */
  emit(event: string, data: unknown, { jobId, byHand = false, alsoTo }: EmitOptions = {}): SentEvent {
    const { account } = this;
    const id = account.random.id("evt_");
    const created_at = account.clock.iso();
    const facts = { id, event, created_at, is_test: !account.live, data };
    const payload = eventPayload(facts, { jobId, bare: account.options.barePayloads });
    const sent: SentEvent = { id, event, created_at, data, body: JSON.stringify(payload) };
    if (byHand) sent.by_hand = true;
    else account.afterCommit(() => account.coverage.events.add(event));
    account.afterCommit(() => this.waits.wake());
    account.state.put("events", id, sent);
    account.state.trim("events", eventLimit);
    const asking = this.endpoints()
      .reverse()
      .filter(({ events }) => events.includes("*") || events.includes(event));
    for (const endpoint of asking) this.#deliver(sent, endpoint);
    // Whoever stands at a registered URL gets the event once.
    if (alsoTo && !asking.some(({ url }) => isSameUrl(url, alsoTo.url))) this.#deliver(sent, alsoTo);
    return sent;
  }

  /** Schedules the next attempt; null: there is none. */
  attemptAt(record: Delivery, at: number | null): void {
    record.next_attempt_at = at === null ? null : toIso(at);
    const job = deliverJob(record.id);
    if (at === null) this.account.jobs.cancel(job);
    else this.account.jobs.schedule(job, { due: at, kind: "deliver", id: record.id });
  }

  /** Inside a commit: records an attempt that was due at `due` (ms) on a pending delivery. */
  recordAttempt(record: Delivery, attempt: DeliveryAttempt, due: number): Delivery {
    const result: AttemptResult = { attempt, due };
    return this.account.records.move(delivery, record, "record_attempt", result);
  }

  /** Inside a commit: ends a pending delivery without sending anything. */
  fail(record: Delivery, reason: string): void {
    record.by_hand = true;
    const now = this.account.clock.now();
    this.recordAttempt(record, newAttempt(now, reason), now);
  }

  #deliver(sent: SentEvent, endpoint: Pick<Endpoint, "id" | "url">): void {
    const plan = this.account.options.planDelivery(this.account, sent, endpoint);
    dispatch(this.account, sent, endpoint, plan);
    this.account.state.trim("delivery", deliveryLimit, (text) => !text.includes('"state":"pending"'));
  }
}

function* ofKind(events: Iterable<SentEvent>, kind: string): Generator<SentEvent> {
  for (const sent of events) if (sent.event === kind) yield sent;
}
