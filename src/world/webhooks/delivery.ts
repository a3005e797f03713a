/** The delivery of one event to one endpoint (interface: "Retries"): its machine, its attempts and its job. */

import * as Type from "typebox";
import type { HeaderChanges } from "../../contract/headers.js";
import { isSuccessStatus } from "../../contract/reply-forms.js";
import { minute, second, toIso } from "../../time/time.js";
import { type Held, heldWebhooks, type ReleaseChanges } from "../account/held.js";
import type { Job, ScheduledJob } from "../jobs/jobs.js";
import type { AccountContext } from "../records/account-context.js";
import { machineFor, recordOf, type Stored } from "../records/machine.js";
import type { Records } from "../records/records.js";
import { declareLog } from "../store/rows.js";
import { formatReceiver } from "./relay.js";

/** Delays between the attempts of a delivery, in ms on the account's clock. */
export const retryDelays = [1 * second, 5 * second, 30 * second, 5 * minute, 30 * minute] as const;

export const maxAttempts = 1 + retryDelays.length;

const formatDelay = (ms: number): string => (ms < minute ? `${ms / second} s` : `${ms / minute} min`);

/** The delays as text: `1 s, 5 s, 30 s, 5 min and 30 min`. */
export const retryDelaysText = retryDelays
  .map(formatDelay)
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1");

export const DeliveryAttempt = Type.Object({
  at: Type.String({ format: "date-time", description: "ISO 8601, UTC" }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: "HTTP status. Null if there was no reply",
  }),
  duration_ms: Type.Number({
    description: "Wall-clock time from the first byte sent to the last byte received",
  }),
  response_headers: Type.Record(Type.String(), Type.String()),
  response_body: Type.String({ description: "The first 4 KB" }),
  error: Type.Union([Type.String(), Type.Null()]),
});
export type DeliveryAttempt = Type.Static<typeof DeliveryAttempt>;

/** Returns an attempt at `at` (ms on the account's clock) that has no answer yet, or failed with `error`. */
export const newAttempt = (at: number, error: string | null = null): DeliveryAttempt => ({
  at: toIso(at),
  status: null,
  duration_ms: 0,
  response_headers: {},
  response_body: "",
  error,
});

/** Returns an attempt whose answer the service never gets. */
export const withoutAnswer = ({ at, duration_ms, status, error }: DeliveryAttempt): DeliveryAttempt => ({
  at,
  status: null,
  duration_ms,
  response_headers: {},
  response_body: "",
  error: error ?? `the answer with status ${status} was lost, as a rule asks`,
});

/** Forgery of the first attempt by a rule. Retries are genuine. */
export type Tampering = "signature" | "body" | "unsigned";

export interface DeliveryFields {
  event_id: string;
  event: string;
  endpoint_id: string;
  url: string;
  next_attempt_at: string | null;
  /** Whether the delivery was retried manually: one attempt, without further retries. */
  by_hand: boolean;
  /** Id of the rule whose faults apply to the delivery. */
  rule?: string;
  tamper?: Tampering;
  /** Values of the payload that a rule replaces or adds before it is signed, by path. */
  set?: Readonly<Record<string, unknown>>;
  /** Whether the answer to the first attempt is lost, so that it counts as failed. */
  lose_answer?: true;
  /** Whether the first attempt waits until a tester releases it, or until it is due. */
  held?: true;
  /** Whether it was held and sent before a tester released it, because held webhooks had reached their total. */
  released_early?: true;
  /** Changes of the first attempt by a tester. */
  changes?: { headers: HeaderChanges; body?: unknown };
  attempts: DeliveryAttempt[];
}
export const DeliveryStatus = Type.Enum(["pending", "succeeded", "failed"]);
export type Delivery = Stored<DeliveryFields, Type.Static<typeof DeliveryStatus>>;

/** Input of `record_attempt`. The next delay counts from the due time of the attempt's job. */
export interface AttemptResult {
  attempt: DeliveryAttempt;
  job: ScheduledJob;
}

const hasSucceeded = ({ status }: DeliveryAttempt): boolean => isSuccessStatus(status);

/** Ends the hold of a delivery. */
export function endHold(record: Delivery): void {
  if (!record.held) return;
  delete record.held;
  heldWebhooks.release(record.id);
}

const deliveryRecord = recordOf<DeliveryFields>()({
  states: DeliveryStatus.enum,
  view: ({ id, event, state }: Delivery) => ({ id, event, status: state }),
});

type MovedAccount = Pick<AccountContext, "activities" | "clock" | "jobs">;

export const delivery = machineFor<MovedAccount, never>()(deliveryRecord, {
  name: "delivery",
  prefix: "dlv_",
  index: ["event", "event_id", "endpoint_id", "state", "held"],
  moves: {
    send: {
      from: "new",
      to: "pending",
      silent: true,
      effect: (record, account) => scheduleAttempt(account, record, account.clock.now()),
    },
    attempt: {
      from: "pending",
      to: "pending",
      says: ({ event, url }) =>
        `The next attempt to deliver ${event} to ${formatReceiver(url)} is made at once.`,
      effect(record, account) {
        endHold(record);
        scheduleAttempt(account, record, account.clock.now());
      },
    },
    record_attempt: {
      from: "pending",
      to: ["succeeded", "failed", "pending"],
      internal: true,
      silent: true,
      next: (record: Delivery, { attempt }: AttemptResult) => {
        if (hasSucceeded(attempt)) return "succeeded";
        return record.by_hand || record.attempts.length >= retryDelays.length ? "failed" : "pending";
      },
      effect(record: Delivery, account: MovedAccount, { attempt, job }: AttemptResult) {
        record.attempts.push(attempt);
        endHold(record);
        const delay = retryDelays[record.attempts.length - 1];
        const next = record.state === "pending" && delay !== undefined ? job.due + delay : null;
        recordActivity(account, record, attempt);
        scheduleAttempt(account, record, next, job);
      },
    },
    retry: {
      from: ["pending", "failed", "succeeded"],
      to: "pending",
      says: ({ event, url }) => `${event} is delivered to ${formatReceiver(url)} once more.`,
      effect(record, account) {
        const ended = record.history.at(-1)?.from !== "pending";
        record.by_hand = record.by_hand || ended;
        endHold(record);
        scheduleAttempt(account, record, account.clock.now());
      },
    },
  },
});

declareLog(delivery.name, "deliveries with their attempts");

function recordActivity(
  { activities }: Pick<AccountContext, "activities">,
  { id, event_id, endpoint_id, event, url, attempts, state, by_hand }: Delivery,
  { status, error }: DeliveryAttempt,
): void {
  const facts = { event, url, number: attempts.length, status, error, state };
  activities.recordAttempt(facts, { delivery: id, event: event_id, endpoint: endpoint_id }, by_hand);
}

/**
 * Inside a commit: schedules the next attempt at `at` (ms on the account's clock), or none if `at` is null. `after` is the
 * job of the attempt before it, if this one is a retry.
 */
export function scheduleAttempt(
  { jobs }: Pick<AccountContext, "jobs">,
  record: Delivery,
  at: number | null,
  after?: ScheduledJob,
): void {
  record.next_attempt_at = at === null ? null : toIso(at);
  const id = `deliver:${record.id}`;
  if (at === null) return jobs.cancel(id);
  const job: Job = { due: at, kind: "deliver", id: record.id };
  if (after) jobs.scheduleAfter(after, id, job);
  else jobs.schedule(id, { ...job, reserved: retryDelays.length });
}

/** An account that makes deliveries. */
export interface DeliveryAccount extends AccountContext {
  readonly records: Records;
  readonly held: Held;
  /** Whether it has left memory. */
  readonly closed: boolean;
  commit<T>(actor: string, run: () => T): T;
}

/** Inside a commit: records the attempt of a job on a pending delivery. */
export function recordAttempt(
  { records }: DeliveryAccount,
  record: Delivery,
  attempt: DeliveryAttempt,
  job: ScheduledJob,
): Delivery {
  return records.move(delivery, record, "record_attempt", { attempt, job });
}

/** Inside a commit: ends a pending delivery without sending anything. */
export function failDelivery(account: DeliveryAccount, record: Delivery, reason: string): void {
  record.by_hand = true;
  const now = account.clock.now();
  recordAttempt(account, record, newAttempt(now, reason), { due: now });
}

/** Changes of the first attempt of a held delivery. */
export type DeliveryChanges = Pick<ReleaseChanges, "headers" | "body">;

/**
 * Yields the deliveries whose first attempt a rule holds, newest first. They are stored, and are sent automatically
 * once they are due.
 */
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
