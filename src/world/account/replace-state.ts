/** Replaces the state of an account: empties it, fills it at a restore, or takes it back to an earlier moment. */

import type { Activity } from "../activity/activity.js";
import { type Jobs, storedJobs } from "../jobs/jobs.js";
import { changedIds, type Undo, undoAll } from "../store/rows.js";
import { type Delivery, type DeliveryAttempt, delivery } from "../webhooks/delivery.js";
import type { Account } from "./account.js";

/** Resets the account to the state of an unused one. */
export function emptyAccount(account: Account): void {
  refill(account, () => account.initialise(account.live));
}

/**
 * Replaces the whole state with what `fill` loads, and the jobs with the jobs of `copy` if given. The next line in the
 * log contains the whole state.
 */
export function refill(account: Account, fill: () => void, copy?: Jobs): void {
  const { activities, clock, coverage, history, inbox, jobs, outbox, requests, state } = account;
  account.options.beforeRefill?.(account);
  account.beginEpoch();
  jobs.forget();
  state.clear();
  clock.setting = { offset: 0, frozen_at: null };
  requests.clear();
  activities.log.clear();
  history.clear(activities.log.begun);
  coverage.clear();
  inbox.waiters.forget();
  outbox.waiters.forget();
  fill();
  if (copy) jobs.takeFrom(copy);
  account.storeEverything();
}

/** A webhook that was sent, which a rewind cannot undo. */
export interface SentDelivery {
  record: Delivery;
  /** Attempts that the rewind has undone, although the receiver may have got them. */
  attempts: DeliveryAttempt[];
  /** Whether an attempt is on the wire. */
  inFlight: boolean;
}

export interface Rewound {
  /** Number of commits that were undone. */
  commits: number;
  /** Deliveries that were sent since, or are on the wire. */
  sent: SentDelivery[];
}

/** Returns the call or job to which an activity belongs. Its commits can be undone only together. */
export const contextOf = ({ activities: { log } }: Account, activity: Activity): Activity =>
  activity.ordinal === 0 ? activity : (log.get(activity.contextId) ?? activity);

/** Undoes every commit since the activity began. The account's history must reach it. */
export function rewind(account: Account, to: Activity): Rewound {
  const undone = account.history.takeSince(to.number);
  const inFlight = new Set(deliveriesInFlight(account));
  const ids = new Set([...inFlight, ...undone.flatMap((undo) => changedIds(undo, delivery))]);
  const before = [...ids].map((id) => account.records.get(delivery, id));
  undoSince(account, to, undone);
  const sent = before
    .filter((record) => record !== undefined)
    .map((record) => ({
      record,
      attempts: record.attempts
        .slice(account.records.get(delivery, record.id)?.attempts.length ?? 0)
        .filter(wasSent),
      inFlight: inFlight.has(record.id),
    }))
    .filter((delivered) => delivered.inFlight || delivered.attempts.length > 0);
  return { commits: undone.length, sent };
}

/** Undoes the commits since this activity began. Request ids continue from there. */
function undoSince(account: Account, { number, requestsBefore }: Activity, undone: readonly Undo[]): void {
  const { activities, inbox, jobs, outbox, requests } = account;
  account.beginEpoch();
  undoAll(undone.flat() as Undo);
  account.requestCount = requestsBefore;
  requests.remove(new Set(activities.log.dropSince(number).map(({ id }) => id)));
  inbox.forgetSince(number);
  outbox.waiters.forgetSince(number);
  account.resume();
  jobs.requeue(undone.flatMap((undo) => changedIds(undo, storedJobs)));
  account.storeEverything();
}

function* deliveriesInFlight({ jobs }: Account): Generator<string> {
  for (const { kind, id } of jobs.running()) if (kind === "deliver") yield id as string;
}

/**
 * Returns whether an attempt was sent. Attempts of deliveries that were dropped or whose endpoint was removed took no
 * time.
 */
const wasSent = ({ status, duration_ms }: DeliveryAttempt): boolean => status !== null || duration_ms > 0;
