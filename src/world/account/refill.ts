/** Replaces the whole state of an account, at a reset or a restore. */

import type { Jobs } from "../jobs/jobs.js";
import type { Account } from "./account.js";

/** Resets the account to the state of one that was never used. */
export function emptyAccount(account: Account): void {
  refill(account, () => account.initialise(account.live));
}

/**
 * Replaces the whole state with what `fill` loads, and the jobs with the jobs of `copy` if given. The first line
 * after it carries everything.
 */
export function refill(account: Account, fill: () => void, copy?: Jobs): void {
  const { activities, clock, coverage, history, inbox, jobs, outbox, requests, state } = account;
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
