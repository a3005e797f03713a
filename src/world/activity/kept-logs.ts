/** The activities of accounts that have left memory. */
import type { ActivityLog } from "./activity-log.js";

/** Maximum number of activities kept of all these accounts together. */
const maxKeptActivities = 50_000;

export class KeptLogs {
  /** By account id, the least recent first. `size` is the number of activities when the account left memory. */
  readonly #logs = new Map<string, { log: ActivityLog; size: number }>();
  #total = 0;

  /** Keeps the log of an evicted account, and drops the oldest ones beyond the limit. */
  keep(id: string, log: ActivityLog): void {
    if (log.size === 0) return;
    this.#logs.set(id, { log, size: log.size });
    this.#total += log.size;
    for (const oldest of this.#logs.keys()) {
      if (this.#total <= maxKeptActivities) return;
      this.take(oldest);
    }
  }

  /** Returns the log of an account that is opened again, and keeps it no longer. */
  take(id: string): ActivityLog | undefined {
    const kept = this.#logs.get(id);
    this.#logs.delete(id);
    this.#total -= kept?.size ?? 0;
    return kept?.log;
  }
}
