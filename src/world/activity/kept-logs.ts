/** The activities and requests of accounts that have left memory. */

import type { ActivityLog } from "./activity-log.js";
import type { RequestJournal } from "./request-journal.js";

/** Maximum number of activities kept of all these accounts together. */
const maxKeptActivities = 50_000;

export interface AccountLogs {
  activities: ActivityLog;
  /** The activities of requests share its entries. */
  requests: RequestJournal;
}

export class KeptLogs {
  /** By account id, the least recent first. `size` is the number of activities when the account left memory. */
  readonly #logs = new Map<string, { logs: AccountLogs; size: number }>();
  #total = 0;

  /** Keeps the logs of an evicted account, and drops the oldest ones beyond the limit. */
  keep(id: string, logs: AccountLogs): void {
    const { size } = logs.activities;
    if (size === 0) return release(logs);
    this.#logs.set(id, { logs, size });
    this.#total += size;
    for (const oldest of this.#logs.keys()) {
      if (this.#total <= maxKeptActivities) return;
      this.drop(oldest);
    }
  }

  /** Forgets the logs of an account. */
  drop(id: string): void {
    const logs = this.take(id);
    if (logs) release(logs);
  }

  /** Forgets the logs of all accounts. */
  clear(): void {
    for (const id of this.#logs.keys()) this.drop(id);
  }

  /** Returns the logs of an account that is opened again, and keeps them no longer. */
  take(id: string): AccountLogs | undefined {
    const kept = this.#logs.get(id);
    this.#logs.delete(id);
    this.#total -= kept?.size ?? 0;
    return kept?.logs;
  }
}

function release({ activities, requests }: AccountLogs): void {
  activities.release();
  requests.release();
}
