/** Deliveries whose first attempt a rule has stopped. They are stored, and go out by themselves once they are due. */
import type { ReleaseChanges } from "../account/held.js";
import {
  type Delivery,
  type DeliveryAccount,
  delivery,
  endHold,
  failDelivery,
  scheduleAttempt,
} from "./delivery.js";

/** Changes of the first attempt. */
export type DeliveryChanges = Pick<ReleaseChanges, "headers" | "body">;

/** Yields them newest first. */
export const heldDeliveries = ({ records }: DeliveryAccount): Generator<Delivery> =>
  records.newest(delivery, { state: "pending", held: true });

/** Inside a commit: sends a held delivery now. */
export function releaseDelivery(
  account: DeliveryAccount,
  record: Delivery,
  { headers, body }: DeliveryChanges,
): void {
  endHold(record);
  if (headers !== undefined || body !== undefined) record.changes = { headers: headers ?? {}, body };
  scheduleAttempt(account, record, account.clock.now());
  account.records.save(delivery, record);
}

/** Inside a commit: sends the held deliveries of a rule, or all of them. */
export function releaseDeliveries(account: DeliveryAccount, rule?: string): void {
  for (const record of [...heldDeliveries(account)].reverse())
    if (rule === undefined || record.rule === rule) releaseDelivery(account, record, {});
}

/** Inside a commit: ends a held delivery. Nothing is sent unless it is retried by hand. */
export function dropDelivery(account: DeliveryAccount, record: Delivery): void {
  endHold(record);
  failDelivery(account, record, "dropped by hand: nothing was sent");
}
