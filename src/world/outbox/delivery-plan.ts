/** How one event's deliveries to one endpoint leave, where something is to go wrong with them. */
import type { Account } from "../account.js";
import type { Stored } from "../machine.js";
import { minute } from "../time/time.js";
import { type DeliveryFields, delivery, type Tampering } from "./delivery.js";
import type { Endpoint, SentEvent } from "./outbox.js";

export interface DeliveryPlan {
  /** The rule that asks for it. */
  rule: string;
  /** Further deliveries of the same event. */
  copies: number;
  /** Ms on the account's clock until the first attempt. */
  delay: number;
  /** Held back until the endpoint's next event has overtaken it. */
  reorder: boolean;
  /** Never sent. */
  drop: boolean;
  /** What is wrong with the first attempt. */
  tamper: Tampering | null;
}

type Delivery = Stored<DeliveryFields>;
type Target = Pick<Endpoint, "id" | "url">;

/** Nobody waits longer (ms on the account's clock) to be overtaken. */
const longestHold = 2 * minute;
/** What is overtaken comes so much later (ms): on a running clock, too, the other arrives first. */
const lead = 100;

/** Endpoint id to the delivery that is held back there. */
const held = "held_back";

/** Inside the commit in which the event happens. */
export function dispatch(
  account: Account,
  sent: SentEvent,
  endpoint: Target,
  plan: DeliveryPlan | null,
): void {
  const now = account.clock.now();
  // What is never sent overtakes nothing.
  const overtaken = plan?.drop ? [] : takeHeld(account, endpoint);
  for (let copy = 0; copy <= (plan?.copies ?? 0); copy++) {
    const record = start(account, sent, endpoint, plan);
    if (plan?.drop) account.outbox.fail(record, `dropped by ${plan.rule}: nothing was sent`);
    else if (plan?.reorder && overtaken.length === 0) hold(account, record, endpoint);
    else if (plan?.delay) postpone(account, record, now + plan.delay);
  }
  const after = now + (plan?.delay ?? 0) + lead;
  for (const record of overtaken) postpone(account, record, Math.min(after, dueOf(record)));
}

const start = (account: Account, sent: SentEvent, endpoint: Target, plan: DeliveryPlan | null): Delivery =>
  account.records.start(delivery, "send", {
    event_id: sent.id,
    event: sent.event,
    endpoint_id: endpoint.id,
    url: endpoint.url,
    next_attempt_at: null,
    by_hand: false,
    attempts: [],
    ...(plan ? { rule: plan.rule } : {}),
    ...(plan?.tamper ? { tamper: plan.tamper } : {}),
  });

function postpone(account: Account, record: Delivery, at: number): void {
  account.outbox.attemptAt(record, at);
  account.records.save(delivery, record);
}

function hold(account: Account, record: Delivery, { id }: Target): void {
  postpone(account, record, account.clock.now() + longestHold);
  const waiting = account.state.get<{ ids: string[] }>(held, id)?.ids ?? [];
  account.state.put(held, id, { ids: [...waiting, record.id] });
}

const dueOf = ({ next_attempt_at: at }: Delivery): number => Date.parse(at ?? "");

/** What is held back there and still waits for its first attempt: one that is due may be on the wire. */
function takeHeld({ state, records, clock }: Account, { id }: Target): Delivery[] {
  const waiting = state.get<{ ids: string[] }>(held, id)?.ids ?? [];
  if (waiting.length > 0) state.delete(held, id);
  return waiting
    .map((delivered) => records.get(delivery, delivered))
    .filter(
      (record): record is Delivery =>
        record?.state === "pending" && record.attempts.length === 0 && dueOf(record) > clock.now(),
    );
}
