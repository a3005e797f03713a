/** Starts the deliveries of one event to one endpoint, which a plan may delay, copy, reorder or drop. */
import { fromIso, minute } from "../../time/time.js";
import { heldWebhooks, maxHeldMs } from "../account/held.js";
import { table } from "../store/table.js";
import {
  type Delivery,
  type DeliveryAccount,
  delivery,
  endHold,
  failDelivery,
  scheduleAttempt,
  type Tampering,
} from "./delivery.js";
import type { SentEvent } from "./sent-event.js";

/** A destination of deliveries. */
export interface DeliveryTarget {
  id: string;
  url: string;
}

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
  /** Whether the answer to the first attempt is lost. */
  loseAnswer: boolean;
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

/** Inside the commit in which the event happens. */
export function dispatch(
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
  const after = now + (plan?.delay ?? 0) + overtakingGapMs;
  for (const record of overtaken) postpone(account, record, Math.min(after, dueOf(record)));
}

const start = (
  { records }: DeliveryAccount,
  sent: SentEvent,
  target: DeliveryTarget,
  plan: DeliveryPlan | null,
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
