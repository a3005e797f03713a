/** The accounts in memory: opened on first use, and forgotten again. */

import { realNow, second } from "../time/time.js";
import { inTurns } from "../time/turns.js";
import type { Account } from "./account/account.js";
import { isAccountId } from "./account/account-id.js";
import { AccountClosed } from "./account/commits.js";
import type { Activity } from "./activity/activity.js";
import { Coverage } from "./activity/coverage.js";
import { KeptLogs } from "./activity/kept-logs.js";
import { createAccount } from "./create-account.js";
import type { Scheduler } from "./scheduler.js";
import { State } from "./store/state.js";
import { LeaseExpired, type OpenedAccount, OwnedElsewhere } from "./store/store.js";
import type { WorldOptions } from "./world-options.js";

/** Delay in ms after which an account is read again for its due jobs if a change could not be written. */
const rereadDelayMs = 1 * second;

const ignore = (): void => {};

export class Accounts {
  readonly #inMemory = new Map<string, Account>();
  readonly #opening = new Map<string, Promise<Account>>();
  /** Due time of each account as noted in the store: it may be too early, but never too late. */
  readonly #noted = new Map<string, number>();
  /** Number of request ids given out so far, by accounts that have left memory. */
  readonly #requestCounts = new Map<string, number>();
  readonly #keptLogs = new KeptLogs();
  /** Coverage of all accounts since the start. */
  readonly coverage = new Coverage();

  constructor(
    readonly options: WorldOptions,
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

  /** Waits until no account is being opened any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }

  /** Returns the number of requests that an account had made when it left memory. */
  requestCount(id: string): number {
    return this.#requestCounts.get(id) ?? 0;
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

  /** Deletes an account that was not used since a real time (ms). Nothing of it remains. */
  erase(account: Account, since: number): void {
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
    const create = (opened: OpenedAccount): Account => {
      const account = createAccount(id, state, opened, {
        world: this.options,
        coverage: this.coverage,
        onCommit: () => {
          this.options.onCommit?.();
          this.#note(account);
        },
      });
      if (!opened.known) account.initialise(live);
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
