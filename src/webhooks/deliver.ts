/** The job of a delivery: sends one signed attempt, whose result is recorded in one commit. */
import { refuse } from "../contract/errors.js";
import { retryDelays } from "../contract/retries.js";
import type { Account } from "../world/account.js";
import type { Figures } from "../world/figures.js";
import {
  type Delivery,
  type DeliveryAttempt,
  delivery,
  newAttempt,
  recordAttempt,
} from "../world/outbox/delivery.js";
import { relayNameOf } from "../world/outbox/relay-url.js";
import type { SentEvent } from "../world/outbox/sent-event.js";
import type { Job } from "../world/time/jobs.js";
import type { JobHandler, Ran } from "../world/time/run-job.js";
import { toIso } from "../world/time/time.js";
import { attemptRequest } from "./attempt-request.js";
import type { Sender } from "./send.js";
import { timedOut } from "./transport.js";

export const deliverJob =
  (sender: Sender, extendedHeaders: boolean, figures?: Figures): JobHandler =>
  async (account, job) => {
    const { epoch } = account;
    const record = account.records.get(delivery, job.id as string);
    const event = record && account.outbox.event(record.event_id);
    if (!record || !event || record.state !== "pending") return null;
    // No receiver may learn of a change that the store could still lose.
    await account.safe();
    const isWanted = () => account.epoch === epoch;
    if (!isWanted()) return null;
    const attempt = await attemptOnce(account, record, event, job, { sender, extendedHeaders, isWanted });
    if (attempt === null || !isWanted()) return null;
    figures?.attempted(attempt);
    if (attempt.error === timedOut) account.advancing?.add(record.endpoint_id);
    return () => recordResult(account, job, attempt);
  };

interface Sending {
  sender: Sender;
  extendedHeaders: boolean;
  isWanted(): boolean;
}

async function attemptOnce(
  account: Account,
  record: Delivery,
  event: SentEvent,
  job: Job,
  { sender, extendedHeaders, isWanted }: Sending,
): Promise<DeliveryAttempt | null> {
  const at = account.advancing ? job.due : account.clock.now();
  // An endpoint delays an advance by at most one timeout.
  if (account.advancing?.has(record.endpoint_id)) return newAttempt(at, timedOut);
  const attemptNumber = record.attempts.length + 1;
  return sender.send({
    account: account.id,
    endpoint: `${account.id} ${record.endpoint_id}`,
    url: record.url,
    ...attemptRequest(account, record, event.body, attemptNumber, extendedHeaders),
    ...(relayNameOf(record.url) === null ? {} : { about: describe(record, attemptNumber, at, job.due) }),
    at,
    isWanted,
  });
}

/** Describes an attempt for the listener of a relay. `at` and `due` are ms on the account's clock. */
const describe = (record: Delivery, attempt: number, at: number, due: number) => ({
  at: toIso(at),
  event: record.event,
  event_id: record.event_id,
  delivery_id: record.id,
  attempt,
  retry_at:
    record.by_hand || attempt > retryDelays.length ? null : toIso(due + (retryDelays[attempt - 1] as number)),
});

/** Reads the delivery again: while the attempt was out, it may have been retried by hand or removed. */
function recordResult(account: Account, job: Job, attempt: DeliveryAttempt): Ran | null {
  const record = account.records.get(delivery, job.id as string);
  if (record?.state !== "pending") return null;
  const { id, event, state, attempts } = recordAttempt(account, record, attempt, job.due);
  const { at, status } = attempt;
  return { at, kind: "delivery", id, event, attempt: attempts.length, status, state };
}

/** Retries a delivery by hand, whatever state it is in (interface: "Retries"). */
export const retryByHand = (account: Account, id: string): Delivery =>
  account.commit("control", () => account.records.move(delivery, findDelivery(account, id), "retry"));

/** Returns a delivery, or refuses an unknown id. */
export function findDelivery({ records }: Account, id: string): Delivery {
  const message = `There is no delivery ${id.slice(0, 100)} on this account.`;
  return records.get(delivery, id) ?? refuse("resource_not_found", { param: "id", message });
}
