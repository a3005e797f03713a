/** Starts the deliveries of one event to one endpoint, as a plan has them delayed, copied, reordered or dropped. */
import { fromIso, minute } from "../time/time.js";
import {
  type Delivery,
  type DeliveryAccount,
  delivery,
  failDelivery,
  scheduleAttempt,
  type Tampering,
} from "./delivery.js";
import type { SentEvent } from "./sent-event.js";

/** An address that deliveries go to. */
export interface DeliveryTarget {
  id: string;
  url: string;
}

/** Faults of one event's deliveries to one endpoint. */
export interface DeliveryPlan {
  /** Id of the rule that asks for it. */
  rule: string;
  /** Number of further deliveries of the same event. */
  copies: number;
  /** Ms on the account's clock until the first attempt. */
  delay: number;
  /** Held back until the endpoint's next event has overtaken it. */
  reorder: boolean;
  /** Never sent. */
  drop: boolean;
  /** Forgery of the first attempt. */
  tamper: Tampering | null;
}

/** Decides on the faults of an event's deliveries to an endpoint. Null means none. */
export type PlanDelivery = (sent: SentEvent, target: DeliveryTarget) => DeliveryPlan | null;

/** Longest time, in ms on the account's clock, that a delivery is held back to be overtaken. */
const maxHoldMs = 2 * minute;
/** Ms by which an overtaken delivery follows the other, enough for the other to arrive first on a running clock. */
const overtakingGapMs = 100;

/** Table of the deliveries that are held back, by endpoint id. */
const heldBackTable = "held_back";

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
    if (plan?.drop) failDelivery(account, record, `dropped by ${plan.rule}: nothing was sent`);
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
  });

function postpone(account: DeliveryAccount, record: Delivery, at: number): void {
  scheduleAttempt(account, record, at);
  account.records.save(delivery, record);
}

function holdBack(account: DeliveryAccount, record: Delivery, { id }: DeliveryTarget): void {
  postpone(account, record, account.clock.now() + maxHoldMs);
  const waiting = account.state.get<{ ids: string[] }>(heldBackTable, id)?.ids ?? [];
  account.state.put(heldBackTable, id, { ids: [...waiting, record.id] });
}

const dueOf = ({ next_attempt_at: at }: Delivery): number => fromIso(at ?? "") ?? Number.NaN;

/** Takes the deliveries that are held back there and still wait for their first attempt: a due one may be on the wire. */
function takeHeldBack({ state, records, clock }: DeliveryAccount, { id }: DeliveryTarget): Delivery[] {
  const waiting = state.get<{ ids: string[] }>(heldBackTable, id)?.ids ?? [];
  if (waiting.length > 0) state.delete(heldBackTable, id);
  return waiting
    .map((delivered) => records.get(delivery, delivered))
    .filter(
      (record): record is Delivery =>
        record?.state === "pending" && record.attempts.length === 0 && dueOf(record) > clock.now(),
    );
}
