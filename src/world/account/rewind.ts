/** Takes an account back to the moment before an activity. */

import type { Activity } from "../activity/activity.js";
import { storedJobs } from "../jobs/jobs.js";
import { changedIds, type Undo, undoAll } from "../store/rows.js";
import { type Delivery, type DeliveryAttempt, delivery } from "../webhooks/delivery.js";
import type { Account } from "./account.js";

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
    .filter((one) => one.inFlight || one.attempts.length > 0);
  return { commits: undone.length, sent };
}

/** Undoes commits of the history, all of those since this activity began. Request ids continue as they did then. */
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

/** Returns whether an attempt was sent. Attempts of deliveries that were dropped or whose endpoint was removed took no time. */
const wasSent = ({ status, duration_ms }: DeliveryAttempt): boolean => status !== null || duration_ms > 0;
