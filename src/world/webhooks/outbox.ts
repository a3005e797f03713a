/** The account's events, the endpoints that subscribe to them, and one delivery of each event to each subscriber. */

import { Waiters } from "../../time/waiters.js";
import type { Activity } from "../activity/activity.js";
import { table } from "../store/table.js";
import { type DeliveryAccount, delivery, failDelivery } from "./delivery.js";
import { type DeliveryTarget, dispatch, type PlanDelivery } from "./dispatch.js";
import { eventPayload, formatPayload, type SentEvent, type WebhookAssumptions } from "./sent-event.js";
import { sign } from "./sign.js";

export interface Endpoint extends DeliveryTarget {
  /** Event kinds, or `*`. */
  events: string[];
  description: string | null;
  created_at: string;
  /** Whether the certificate of the receiver is verified. Absent: it is. */
  verify_tls?: boolean;
}

export const endpoints = table<Endpoint>("endpoints");
export const sentEvents = table<SentEvent, "event">("events", { index: ["event"], log: "events" });

export interface EmitOptions {
  /** Job id. If set, the payload is the documented one of verification.completed. */
  jobId?: string | undefined;
  byHand?: boolean;
  /** Activity that caused the event. Default: the context of the commit. */
  cause?: Activity | undefined;
  /** A destination that is not a registered endpoint. The delivery log shows its id as the endpoint id. */
  alsoTo?: DeliveryTarget;
}

/** Prefix of the ids of endpoints. */
export const endpointPrefix = "whe_";

/** Maximum number of events kept. */
export const eventLimit = 10_000;
/** Maximum number of deliveries kept. Pending ones are always kept. */
export const deliveryLimit = 10_000;

/** Why a delivery is not sent whose record or event is past its total. */
export const pastTotal =
  "not sent: the events and deliveries of all accounts have reached their total, and the oldest were removed";

/** Normalizes a URL: `http://shop.example` and `http://shop.example/` are the same. */
const isSameUrl = (one: string, other: string): boolean => new URL(one).href === new URL(other).href;

export class Outbox {
  readonly waiters = new Waiters<SentEvent>();

  constructor(
    readonly account: DeliveryAccount,
    readonly options: { assumptions: Partial<WebhookAssumptions>; planDelivery: PlanDelivery },
  ) {}

  endpoints(): Endpoint[] {
    return [...this.account.state.newest(endpoints)];
  }

  /** Returns the endpoints that are registered for an event kind, oldest first. */
  subscribers(event: string): Endpoint[] {
    return this.endpoints()
      .reverse()
      .filter(({ events }) => events.includes("*") || events.includes(event));
  }

  endpoint(id: string): Endpoint | undefined {
    return this.account.state.get(endpoints, id);
  }

  /**
   * Returns the secret with which deliveries to a destination are signed. An endpoint's own is derived from the account's
   * and the URL: a URL that is registered again has the same. A destination that is no endpoint has the account's.
   */
  secretFor({ id, url }: DeliveryTarget): string {
    const { webhook_secret } = this.account.settings;
    const hasOwn =
      this.options.assumptions["webhooks.secret"] === "endpoint" && id.startsWith(endpointPrefix);
    if (!hasOwn) return webhook_secret;
    return `whsec_${sign(url, webhook_secret).slice(0, 32)}`;
  }

  /** Returns every secret that deliveries of the account may be signed with. */
  secrets(): string[] {
    const own = this.endpoints().map((endpoint) => this.secretFor(endpoint));
    return [...new Set([this.account.settings.webhook_secret, ...own])];
  }

  save(endpoint: Endpoint): void {
    this.account.state.put(endpoints, endpoint.id, endpoint);
  }

  /** Inside a commit: removes an endpoint and fails its pending deliveries. Returns false when there is none. */
  remove(id: string): boolean {
    const { records, state } = this.account;
    for (const waiting of records.newest(delivery, { endpoint_id: id, state: "pending" }))
      failDelivery(this.account, waiting, "the endpoint was removed");
    return state.delete(endpoints, id);
  }

  /** Inside a commit: ends a delivery that is about to be removed, if it waits for an attempt. */
  endUnsent(id: string, reason: string): void {
    const record = this.account.records.get(delivery, id);
    if (record?.state === "pending") failDelivery(this.account, record, reason);
  }

  event(id: string): SentEvent | undefined {
    return this.account.state.get(sentEvents, id);
  }

  /** Newest first. */
  events(): Generator<SentEvent> {
    return this.account.state.newest(sentEvents);
  }

  /** Returns the oldest event of a kind that no earlier wait for that kind has returned, or undefined. */
  take(event?: string): SentEvent | undefined {
    const { activities, state } = this.account;
    return this.waiters.take(event ?? "", state.newest(sentEvents, { event }), activities.log.begun);
  }

  /** Inside a commit. */
  emit(event: string, data: unknown, { jobId, byHand = false, cause, alsoTo }: EmitOptions = {}): SentEvent {
    const { account } = this;
    const id = account.random.id("evt_");
    const created_at = account.clock.iso();
    const facts = { id, event, created_at, is_test: !account.live, data };
    const { assumptions } = this.options;
    const payload = eventPayload(facts, { jobId, bare: assumptions["webhooks.payload"] === "bare" });
    const body = formatPayload(payload, assumptions["webhooks.bytes"]);
    const sent: SentEvent = { id, event, created_at, data, body };
    if (byHand) sent.by_hand = true;
    else account.afterCommit(() => account.coverage.events.add(event));
    account.afterCommit(() => this.waiters.wake());
    account.state.put(sentEvents, id, sent);
    account.activities.record("event", event, { event: id }, cause);
    account.state.trim(sentEvents, eventLimit);
    const subscribed = this.subscribers(event);
    for (const endpoint of subscribed) this.#deliver(sent, endpoint);
    // A registered endpoint at the same URL already receives the event.
    if (alsoTo && !subscribed.some(({ url }) => isSameUrl(url, alsoTo.url))) this.#deliver(sent, alsoTo);
    return sent;
  }

  #deliver(sent: SentEvent, target: DeliveryTarget): void {
    dispatch(this.account, sent, target, this.options.planDelivery(sent, target));
    this.account.records.trim(delivery, deliveryLimit, { state: "pending" });
  }
}
