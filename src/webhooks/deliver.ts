/** Runs the job of one delivery: one signed attempt, and what comes of it in one commit. */
import { Refusal } from "../contract/errors.js";
import type { Account } from "../world/account.js";
import type { Stored } from "../world/machine.js";
import { type DeliveryAttempt, type DeliveryFields, delivery, newAttempt } from "../world/outbox/delivery.js";
import type { SentEvent } from "../world/outbox/outbox.js";
import type { Job } from "../world/time/jobs.js";
import type { JobHandler, Ran } from "../world/time/scheduler.js";
import { type Sender, timedOut } from "./send.js";
import { sign, signatureHeader } from "./sign.js";
import { tampered } from "./tamper.js";

type Delivery = Stored<DeliveryFields>;

export interface AttemptRequest {
  headers: Record<string, string>;
  body: string;
}

/** What an attempt sends, by its number from 1; assumption webhooks.headers. */
export function attemptRequest(
  account: Account,
  record: Delivery,
  genuine: string,
  attemptNumber: number,
  extended: boolean,
): AttemptRequest {
  const documented = {
    "content-type": "application/json",
    [signatureHeader]: sign(genuine, account.settings.webhook_secret),
  };
  const headers = extended
    ? {
        ...documented,
        "X-Service-Event": record.event,
        "X-Service-Delivery": record.id,
        "X-Service-Attempt": String(attemptNumber),
      }
    : documented;
  const request = { headers, body: genuine };
  return record.tamper && attemptNumber === 1 ? tampered(request, record.tamper) : request;
}

export const deliverJob =
  (sender: Sender, extendedHeaders: boolean): JobHandler =>
  async (account, job) => {
    const { epoch } = account;
    const record = account.records.get(delivery, job.id as string);
    const event = record && account.outbox.event(record.event_id);
    if (!record || !event || record.state !== "pending") return null;
    // Nobody outside learns what the store might still lose.
    await account.safe();
    const stillWanted = () => account.epoch === epoch;
    if (!stillWanted()) return null;
    const sending = { sender, extendedHeaders, stillWanted };
    const attempt = await attemptOnce(account, record, event, job, sending);
    if (attempt === null || !stillWanted()) return null;
    if (attempt.error === timedOut) account.advancing?.add(record.endpoint_id);
    return () => recordAttempt(account, job, attempt);
  };

interface Sending {
  sender: Sender;
  extendedHeaders: boolean;
  stillWanted(): boolean;
}

async function attemptOnce(
  account: Account,
  record: Delivery,
  event: SentEvent,
  job: Job,
  { sender, extendedHeaders, stillWanted }: Sending,
): Promise<DeliveryAttempt | null> {
  const at = account.advancing ? job.due : account.clock.now();
  // This endpoint has made the same advance wait once: it will not make it wait again.
  if (account.advancing?.has(record.endpoint_id)) return newAttempt(at, timedOut);
  return sender.send({
    endpoint: `${account.id} ${record.endpoint_id}`,
    url: record.url,
    ...attemptRequest(account, record, event.body, record.attempts.length + 1, extendedHeaders),
    at,
    stillWanted,
  });
}

/** Reads the delivery again: while the attempt was out, it may have been retried by hand or removed. */
function recordAttempt(account: Account, job: Job, attempt: DeliveryAttempt): Ran | null {
  const record = account.records.get(delivery, job.id as string);
  if (record?.state !== "pending") return null;
  const { id, event, state, attempts } = account.outbox.recordAttempt(record, attempt, job.due);
  const { at, status } = attempt;
  return { at, kind: "delivery", id, event, attempt: attempts.length, status, state };
}

/** Retries a delivery by hand, whatever became of it (interface: "Retries"). */
export function retryByHand(account: Account, id: string): Delivery {
  return account.commit("control", () => {
    const record = account.records.get(delivery, id);
    if (!record)
      throw new Refusal("resource_not_found", {
        param: "id",
        message: `There is no delivery ${id} on this account.`,
      });
    return account.records.move(delivery, record, "retry");
  });
}
