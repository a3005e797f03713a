/**
 * The life of accounts: opened on first use, evicted when they are idle, expired when nobody has used them for long, and
 * admitted while there is a place for them. housekeeping.ts says when.
 */

import { realNow, second } from "../time/time.js";
import { inTurns } from "../time/turns.js";
import { Account, type AccountEnvironment } from "./account/account.js";
import { isAccountId } from "./account/account-id.js";
import { AccountClosed } from "./account/commits.js";
import type { Activity } from "./activity/activity.js";
import { Coverage } from "./activity/coverage.js";
import { KeptLogs } from "./activity/kept-logs.js";
import type { Scheduler } from "./scheduler.js";
import { State } from "./store/state.js";
import { LeaseExpired, type OpenedAccount, OwnedElsewhere, type Store } from "./store/store.js";

/** Delay in ms after which an account is read again for its due jobs if a change could not be written. */
const rereadDelayMs = 1 * second;

const ignore = (): void => {};

/** Deletes accounts that were not used for `ttl` ms, except for kept ones. */
export interface Expiry {
  readonly ttl: number;
  keeps(accountId: string): boolean;
}

/** Parts of the sandbox that accounts use, and where they are stored. */
export interface AccountsOptions extends AccountEnvironment {
  store: Store;
  /** Called after each commit. */
  onCommit?(): void;
  /** Called with problems that occur outside a request, for the operator. */
  warn(message: string): void;
}

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

export class Accounts {
  readonly #inMemory = new Map<string, Account>();
  readonly #opening = new Map<string, Promise<Account>>();
  /** Due time of each account as noted in the store: it may be too early, but never too late. */
  readonly #noted = new Map<string, number>();
  /** Number of request ids given out so far, by accounts that have left memory. */
  readonly #requestCounts = new Map<string, number>();
  readonly #keptLogs = new KeptLogs();
  /** New accounts that have a place and may not be counted yet. */
  readonly #admitted = new Set<Account>();
  /** Accounts to which all sandboxes on the store have given a place. */
  readonly #admittedByAll = new WeakSet<Account>();
  /** Coverage of all accounts since the start. */
  readonly coverage = new Coverage();

  constructor(
    readonly options: AccountsOptions,
    readonly scheduler: Scheduler,
    readonly onActivity: (account: Account, activity: Activity) => void,
  ) {}

  get size(): number {
    return this.#inMemory.size;
  }

  [Symbol.iterator](): Iterator<Account> {
    return this.#inMemory.values();
  }

  /** Returns whether the account is in memory or on its way there. */
  has(id: string): boolean {
    return this.#inMemory.has(id) || this.#opening.has(id);
  }

  /** Returns the account, opening it if necessary. `live` applies only to an account that was never used. */
  open(id: string, live = false): Account | Promise<Account> {
    const account = this.#inMemory.get(id);
    // The account was opened without its key: by the clock, after its folder was moved away.
    if (live && account?.untouched && !account.live) account.initialise(true);
    return account ?? this.#opening.get(id) ?? this.#open(id, live);
  }

  /** Returns the account with this id if it has been used. Looking up an unknown id never creates an account. */
  async existing(id: string): Promise<Account | null> {
    if (!isAccountId(id)) return null;
    const { cluster } = this.options.store;
    const inUse = this.has(id);
    if (!inUse && cluster && !(await cluster.has(id))) return null;
    const opened = this.open(id);
    const account = opened instanceof Promise ? await opened : opened;
    if (!account.isUsed) {
      // Another replica may have taken the account over, where it was used.
      if (cluster && inUse) await account.safe();
      // Nothing else can hold a reference, because the account was created in this tick.
      if (!inUse && opened === account) this.forget(account);
      return null;
    }
    account.lastUsed = realNow();
    return account;
  }

  /** Forgets an account that was opened but never used. */
  discard(account: Account): void {
    if (!account.isUsed && !account.closed) this.forget(account);
  }

  /** Returns whether a new account has a place if at most `max` accounts have one. */
  async admit(account: Account, max: number): Promise<boolean> {
    const { cluster } = this.options.store;
    if (cluster) {
      if (this.#admittedByAll.has(account)) return true;
      const isAdmitted = await cluster.admit(account.id, max);
      if (isAdmitted) this.#admittedByAll.add(account);
      return isAdmitted;
    }
    for (;;) {
      const counted = [...this.#admitted].filter((admitted) => this.#isCounted(admitted));
      await Promise.allSettled(counted.map((admitted) => admitted.safe()));
      for (const admitted of counted) this.#admitted.delete(admitted);
      const before = [...this.#admitted];
      const count = await this.count();
      if (account.isUsed || this.#admitted.has(account)) return true;
      if (count + new Set([...before, ...this.#admitted]).size < max) {
        this.#admitted.add(account);
        return true;
      }
      // An account that was written in the meantime may be in both numbers.
      if (!before.some((admitted) => this.#isCounted(admitted) || !this.#admitted.has(admitted)))
        return false;
    }
  }

  /** Returns the number of accounts that have been used. */
  async count(): Promise<number> {
    const { store } = this.options;
    if (store.countAccounts) return store.countAccounts();
    return [...this].filter(({ isUsed }) => isUsed).length;
  }

  /** Returns whether `count` counts the account, once its commits are safe, or it has left memory. */
  #isCounted(account: Account): boolean {
    if (account.closed) return true;
    return this.options.store.countAccounts ? !account.untouched : account.isUsed;
  }

  /** Waits until no account is being opened any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }

  /** Notes when an account outside of memory is due, as the store says. */
  noteStored(id: string, due: number): void {
    // An account that a request has already opened has noted its current due time.
    if (this.has(id)) return;
    this.#noted.set(id, due);
    this.scheduler.note(id, due);
  }

  /** Takes an account out of memory. */
  forget(account: Account): void {
    account.closed = true;
    if (account.isAddressed || account.requestCount > 0)
      this.#requestCounts.set(account.id, account.requestCount);
    account.activities.log.end();
    // The logs are kept, and must not keep the account.
    account.activities.log.observe = ignore;
    this.#keptLogs.keep(account.id, { activities: account.activities.log, requests: account.requests });
    account.log.close();
    account.history.clear(0);
    account.state.release();
    this.#inMemory.delete(account.id);
    if (!this.options.store.cluster) return;
    // Another replica may own the account from now on, and note another time.
    this.#noted.delete(account.id);
    this.scheduler.forget(account.id);
  }

  /** Forgets the logs of accounts that have left memory, when the sandbox stops. */
  forgetLogs(): void {
    this.#keptLogs.clear();
  }

  /** Takes an account out of memory and notes in the store when it is due. */
  drop(account: Account): void {
    // An attempt in flight is off the queue but may have to be repeated, so its noted due time is kept.
    if (account.inFlight.size > 0) return this.forget(account);
    const due = this.scheduler.dueOf(account);
    if (due === null) this.#noted.delete(account.id);
    else this.#noted.set(account.id, due);
    this.options.store.noteDue(account.id, due);
    this.forget(account);
  }

  /** Evicts accounts that were not used for `idleFor` ms of real time and have no work in progress. Returns their number. */
  evict(idleFor: number): number {
    if (!this.options.store.evicts) return 0;
    const since = realNow() - idleFor;
    let evicted = 0;
    for (const account of this) {
      if (!isIdle(account, since)) continue;
      this.drop(account);
      evicted++;
    }
    return evicted;
  }

  /**
   * Deletes accounts that were not used for `ttl` ms of real time and have no work in progress, except for registered
   * keys. Returns their number.
   */
  async expire({ ttl, keeps }: Expiry): Promise<number> {
    const { store } = this.options;
    const since = realNow() - ttl;
    if (!store.evicts) {
      const unused = [...this].filter(
        (account) => !account.registered && !keeps(account.id) && isIdle(account, since),
      );
      for (const account of unused) this.#erase(account, since);
      return unused.length;
    }
    let expired = 0;
    for (const id of (await store.unusedSince?.(since)) ?? []) {
      if (keeps(id) || this.has(id)) continue;
      const requests = this.#requestCounts.get(id) ?? 0;
      const account = await this.#openUnlessOwned(id);
      if (!account || account.registered || account.requestCount > requests) continue;
      if (account.inFlight.size > 0 || !account.log.safe) continue;
      this.#erase(account, since);
      expired++;
    }
    return expired;
  }

  /** Returns the account, or null if another replica owns it. */
  async #openUnlessOwned(id: string): Promise<Account | null> {
    try {
      return await this.open(id);
    } catch (error) {
      if (error instanceof OwnedElsewhere) return null;
      throw error;
    }
  }

  /** Deletes an account that was not used since a real time (ms). Nothing of it remains. */
  #erase(account: Account, since: number): void {
    const { id } = account;
    this.drop(account);
    this.#noted.delete(id);
    this.#requestCounts.delete(id);
    this.#keptLogs.drop(id);
    this.scheduler.forget(id);
    this.options.store.noteDue(id, null);
    this.options.store.remove?.(id, since);
  }

  #open(id: string, live: boolean): Account | Promise<Account> {
    const { store } = this.options;
    const state = new State();
    const create = ({ log, known, due = null }: OpenedAccount): Account => {
      // A job in flight is not queued in memory, but is still due in the store.
      if (due !== null) this.#noted.set(id, due);
      const { options, coverage } = this;
      const requestLog = options.redactRequest ? store.requestLog(id) : null;
      const onCommit = () => {
        options.onCommit?.();
        this.#note(account);
      };
      const parts = { id, runId: store.runId, state, log, requestLog, coverage, onCommit };
      const account = new Account(options, parts);
      if (known) account.resume();
      else account.initialise(live);
      if (known && store.cluster) account.takenOverAt = realNow();
      return account;
    };
    let lostBy: Error | null = null;
    const finish = (account: Account): Account => {
      if (lostBy) throw new AccountClosed(id);
      const requestCount = this.#requestCounts.get(id);
      account.isAddressed = requestCount !== undefined;
      account.requestCount = requestCount ?? 0;
      this.#inMemory.set(id, account);
      const kept = this.#keptLogs.take(id);
      if (kept) {
        account.activities.log = kept.activities;
        account.requests = kept.requests;
      }
      account.history.clear(account.activities.log.begun);
      account.limitLogs();
      account.activities.log.observe = (activity) => this.onActivity(account, activity);
      this.scheduler.note(id, this.scheduler.dueOf(account));
      return account;
    };
    const opened = store.open(id, state, (error) => {
      lostBy = error;
      this.#lost(id, error);
    });
    if (!(opened instanceof Promise)) return finish(create(opened));
    const opening = opened
      .then(create)
      .then(async (account) => {
        await inTurns(account.jobs.reload());
        return finish(account);
      })
      .catch((error: unknown) => {
        // This replica may own the account now, whose due jobs no other one looks for then.
        if (store.cluster && !(error instanceof OwnedElsewhere))
          this.scheduler.note(id, realNow() + rereadDelayMs);
        throw error;
      })
      .finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  /** Notes the due time in the store before the line of the commit is written, so that the index is never behind. */
  #note(account: Account): void {
    const due = this.scheduler.dueOf(account);
    if (!account.advancing && !account.catchingUp) this.scheduler.note(account.id, due);
    if (due === null || due >= (this.#noted.get(account.id) ?? Number.POSITIVE_INFINITY)) return;
    this.#noted.set(account.id, due);
    this.options.store.noteDue(account.id, due);
  }

  /** Handles a failed write: evicts the account, so that the next request reads the state on the disk. */
  #lost(id: string, error: Error): void {
    const account = this.#inMemory.get(id);
    if (account) this.forget(account);
    // The jobs in the stored state are still due. Replicas find accounts that none of them owns by their due times.
    if (!(error instanceof LeaseExpired)) this.scheduler.note(id, realNow() + rereadDelayMs);
    this.options.warn(`${id}: a change could not be written and was rolled back (${error.message})`);
  }
}
