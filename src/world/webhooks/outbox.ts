/**
 * The account's events, the endpoints that subscribe to them, and the deliveries of each event to each subscriber, which a plan
 * may delay, copy, reorder or drop.
 */
import { fromIso, minute, toIso } from "../../time/time.js";
import { Waiters } from "../../time/waiters.js";
import { heldWebhooks, maxHeldMs } from "../account/held.js";
import type { Activity } from "../activity/activity.js";
import { table } from "../store/table.js";
import {
  type Delivery,
  type DeliveryAccount,
  type DeliveryTarget,
  delivery,
  endHold,
  eventPayload,
  failDelivery,
  formatPayload,
  scheduleAttempt,
  sign,
  type Tampering,
  type WebhookAssumptions,
} from "./delivery.js";

export interface SentEvent {
  id: string;
  event: string;
  created_at: string;
  data: unknown;
  /** Body that every attempt sends, byte for byte. */
  body: string;
  /** Sentence of the move that emitted it. Omitted if a tester triggered it. */
  says?: string;
  /** Whether a tester triggered the event without any change on the account. */
  by_hand?: true;
}

/** Returns what led to an event. Null if it is not known. */
export const sentenceOf = ({ by_hand, says }: Pick<SentEvent, "by_hand" | "says">): string | null =>
  by_hand ? "Sent by hand." : (says ?? null);

export interface Endpoint extends DeliveryTarget {
  /** Event kinds, or `*`. */
  events: string[];
  description: string | null;
  created_at: string;
  /** Whether the certificate of the receiver is verified. Default true. */
  verify_tls?: boolean;
}

export const endpoints = table<Endpoint>("endpoints");
export const sentEvents = table<SentEvent, "event">("events", { index: ["event"], log: "events" });

export interface EmitOptions {
  /** Job id. If set, the payload is the documented one of verification.completed. */
  jobId?: string | undefined;
  byHand?: boolean;
  /**
   * The move that emitted the event, from which the event gets its sentence. Default: the context of the commit, and no
   * sentence.
   */
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

/** Error of a delivery whose record or event was removed because its total was exceeded. */
export const pastTotal =
  "not sent: the events and deliveries of all accounts have reached their total, and the oldest were removed";

/** Returns whether two URLs are the same once normalized, such as `http://shop.example` and `http://shop.example/`. */
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
   * Returns the secret with which deliveries to a destination are signed. An endpoint's own secret is derived from the
   * account's secret and the URL, so a URL that is registered again keeps its secret. A destination that is not an
   * endpoint uses the account's secret.
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

  /** Yields the events, newest first. */
  events(): Generator<SentEvent> {
    return this.account.state.newest(sentEvents);
  }

  /** Returns the oldest event of a kind that no earlier wait for that kind has returned, or undefined. */
  take(event?: string): SentEvent | undefined {
    const { activities, state } = this.account;
    return this.waiters.take(event ?? "", state.newest(sentEvents, { event }), activities.log.begun);
  }

  /** Inside a commit: records an event and starts its deliveries. */
  emit(event: string, data: unknown, { jobId, byHand = false, cause, alsoTo }: EmitOptions = {}): SentEvent {
    const { account } = this;
    const id = account.random.id("evt_");
    const created_at = account.clock.iso();
    const facts = { id, event, created_at, is_test: !account.live, data };
    const { assumptions } = this.options;
    const payload = eventPayload(facts, { jobId, bare: assumptions["webhooks.payload"] === "bare" });
    const body = formatPayload(payload, assumptions["webhooks.bytes"]);
    const sent: SentEvent = { id, event, created_at, data, body };
    if (cause) sent.says = cause.summary;
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

/** Time in ms by which an older event is older. */
const olderByMs = minute;

/** Faults of one event's deliveries to one endpoint. */
export interface DeliveryPlan {
  /** Id of the rule that defines the plan. */
  rule: string;
  /** Number of further deliveries of the same event. */
  copies: number;
  /** Delay before the first attempt, in ms on the account's clock. */
  delay: number;
  /** Whether to hold the delivery until the endpoint's next event has been sent. */
  reorder: boolean;
  /** Whether the delivery is never sent. */
  drop: boolean;
  /** Forgery of the first attempt. */
  tamper: Tampering | null;
  /** Values of the payload that are replaced or added, by path. */
  set: Readonly<Record<string, unknown>> | null;
  /** Values of the payload of an older event, which is delivered after this one. */
  earlier: Readonly<Record<string, unknown>> | null;
  /** Whether the answer to the first attempt is lost. */
  loseAnswer: boolean;
  /** Whether the first attempt breaks off in the middle of its body. */
  cutOff: boolean;
  /** Whether the first attempt waits until a tester releases it. */
  hold: boolean;
}

/** Returns the faults of an event's deliveries to an endpoint, or null for none. */
export type PlanDelivery = (sent: SentEvent, target: DeliveryTarget) => DeliveryPlan | null;

/** Longest time, in ms on the account's clock, that a delivery is held back to be overtaken. */
const maxHoldMs = 2 * minute;
/** Delay in ms of an overtaken delivery after the other one, which must arrive first on a running clock. */
const overtakingGapMs = 100;

/** Ids of held deliveries, by endpoint id. */
export const heldBack = table<{ ids: string[] }>("held_back", { internal: true });

/** Inside the commit in which the event happens: starts its deliveries to one destination. */
function dispatch(
  account: DeliveryAccount,
  sent: SentEvent,
  target: DeliveryTarget,
  plan: DeliveryPlan | null,
): void {
  const now = account.clock.now();
  // A dropped delivery overtakes nothing.
  const overtaken = plan?.drop ? [] : takeHeldBack(account, target);
  for (let copy = 0; copy <= (plan?.copies ?? 0); copy++) {
    const record = start(account, sent, target, plan);
    if (plan?.hold) hold(account, record, sent);
    else if (plan?.drop) failDelivery(account, record, "dropped by a rule: nothing was sent");
    else if (plan?.reorder && overtaken.length === 0) holdBack(account, record, target);
    else if (plan?.delay) postpone(account, record, now + plan.delay);
  }
  if (plan?.earlier) {
    const created_at = toIso((fromIso(sent.created_at) ?? now) - olderByMs);
    start(account, sent, target, plan, { is_older: true, set: { ...plan.set, created_at, ...plan.earlier } });
  }
  const after = now + (plan?.delay ?? 0) + overtakingGapMs;
  for (const record of overtaken) postpone(account, record, Math.min(after, dueOf(record)));
}

const start = (
  { records }: DeliveryAccount,
  sent: SentEvent,
  target: DeliveryTarget,
  plan: DeliveryPlan | null,
  older: Pick<Delivery, "is_older" | "set"> = {},
): Delivery =>
  records.start(delivery, "send", {
    event_id: sent.id,
    event: sent.event,
    endpoint_id: target.id,
    url: target.url,
    next_attempt_at: null,
    by_hand: false,
    attempts: [],
    ...(plan ? { rule: plan.rule } : {}),
    ...(plan?.tamper ? { tamper: plan.tamper } : {}),
    ...(plan?.set ? { set: plan.set } : {}),
    ...(plan?.loseAnswer ? { lose_answer: true } : {}),
    ...(plan?.cutOff ? { cut_off: true } : {}),
    ...older,
  });

function postpone(account: DeliveryAccount, record: Delivery, at: number): void {
  scheduleAttempt(account, record, at);
  account.records.save(delivery, record);
}

function hold(account: DeliveryAccount, record: Delivery, { body }: SentEvent): void {
  const { id } = record;
  // The event is stored with its data and its body.
  const textLength = 2 * body.length;
  record.held = true;
  postpone(account, record, account.clock.now() + maxHeldMs);
  account.afterCommit(() => {
    const holder = new WeakRef(account);
    heldWebhooks.hold(id, textLength, () => sendEarly(holder.deref(), id));
    account.held.waiters.wake();
  });
}

/** Sends a held delivery, if its account is still in memory. */
function sendEarly(account: DeliveryAccount | undefined, id: string): void {
  if (!account || account.closed) return;
  const record = account.records.get(delivery, id);
  if (record?.state !== "pending" || !record.held) return;
  account.commit("clock", () => {
    endHold(record);
    record.released_early = true;
    postpone(account, record, account.clock.now());
  });
}

function holdBack(account: DeliveryAccount, record: Delivery, { id }: DeliveryTarget): void {
  postpone(account, record, account.clock.now() + maxHoldMs);
  const waiting = account.state.get(heldBack, id)?.ids ?? [];
  account.state.put(heldBack, id, { ids: [...waiting, record.id] });
}

const dueOf = ({ next_attempt_at: at }: Delivery): number => fromIso(at ?? "") ?? Number.NaN;

/** Takes the endpoint's held deliveries that still wait for their first attempt. A due one may be in flight. */
function takeHeldBack({ state, records, clock }: DeliveryAccount, { id }: DeliveryTarget): Delivery[] {
  const waiting = state.get(heldBack, id)?.ids ?? [];
  if (waiting.length > 0) state.delete(heldBack, id);
  return waiting
    .map((delivered) => records.get(delivery, delivered))
    .filter(
      (record): record is Delivery =>
        record?.state === "pending" && record.attempts.length === 0 && dueOf(record) > clock.now(),
    );
}
