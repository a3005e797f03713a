/** Accounts that nobody uses: they leave memory, and later the store. */
import { realNow } from "../time/time.js";
import type { Account } from "./account/account.js";
import type { Accounts } from "./accounts.js";
import { OwnedElsewhere, type Store } from "./store/store.js";

/** Returns whether the account was not used since a real time (ms) and has no work in progress. */
const isIdle = (account: Account, since: number): boolean =>
  account.lastUsed <= since &&
  account.log.safe &&
  account.inFlight.size === 0 &&
  !account.advancing &&
  !account.catchingUp &&
  !account.activities.log.hasListeners &&
  account.requests.isSaved &&
  !account.inbox.waiters.hasAny &&
  !account.outbox.waiters.hasAny &&
  !account.held.hasAny;

export class IdleAccounts {
  constructor(
    readonly accounts: Accounts,
    readonly store: Store,
  ) {}

  /** Evicts accounts that were not used for `idleFor` ms of real time and have no work in progress. Returns their number. */
  evict(idleFor: number): number {
    if (!this.store.evicts) return 0;
    const since = realNow() - idleFor;
    let evicted = 0;
    for (const account of this.accounts) {
      if (!isIdle(account, since)) continue;
      this.accounts.drop(account);
      evicted++;
    }
    return evicted;
  }

  /**
   * Deletes accounts that were not used for `ttl` ms of real time and have no work in progress, except those of registered
   * keys. Returns their number.
   */
  async expire({ ttl, keeps }: { ttl: number; keeps(id: string): boolean }): Promise<number> {
    const { store } = this;
    const since = realNow() - ttl;
    if (!store.evicts) {
      const unused = [...this.accounts].filter(
        (account) => !account.registered && !keeps(account.id) && isIdle(account, since),
      );
      for (const account of unused) this.accounts.erase(account, since);
      return unused.length;
    }
    let expired = 0;
    for (const id of (await store.unusedSince?.(since)) ?? []) {
      if (keeps(id) || this.accounts.has(id)) continue;
      const requests = this.accounts.requestCount(id);
      const account = await this.#openUnlessOwned(id);
      if (!account || account.registered || account.requestCount > requests) continue;
      if (account.inFlight.size > 0 || !account.log.safe) continue;
      this.accounts.erase(account, since);
      expired++;
    }
    return expired;
  }

  /** Returns the account, or null if another replica owns it. */
  async #openUnlessOwned(id: string): Promise<Account | null> {
    try {
      return await this.accounts.open(id);
    } catch (error) {
      if (error instanceof OwnedElsewhere) return null;
      throw error;
    }
  }
}
