/** All accounts of one sandbox: opened on first use, woken when a job is due, evicted when idle. */

import { delay, realNow, second, toIso } from "../time/time.js";
import { inTurns } from "../time/turns.js";
import { type Account, AccountClosed } from "./account/account.js";
import { isAccountId } from "./account/account-id.js";
import type { JobResult } from "./account/run-job.js";
import type { Activity } from "./activity/activity.js";
import { Coverage } from "./activity/coverage.js";
import { KeptLogs } from "./activity/kept-logs.js";
import { createAccount } from "./create-account.js";
import type { Job } from "./jobs/jobs.js";
import type { AnyMachine } from "./records/machine.js";
import { Scheduler } from "./scheduler.js";
import { State } from "./store/state.js";
import { type Cluster, LeaseExpired, type OpenedAccount, OwnedElsewhere, StoreError } from "./store/store.js";
import type { WorldOptions } from "./world-options.js";

/** Delay in ms after which an account is read again for its due jobs if a change could not be written. */
const rereadDelayMs = 1 * second;

/** Time that a shutdown waits for webhook attempts in flight, in ms of wall-clock time. */
const attemptGraceMs = 2 * second;

const ignore = (): void => {};

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
  !account.outbox.waiters.hasAny;

export class World {
  readonly scheduler: Scheduler;
  readonly machines: ReadonlyMap<string, AnyMachine>;
  /** Coverage of all accounts since the start. */
  readonly coverage = new Coverage();
  /** Called with every activity of every account. */
  onActivity: ((account: Account, activity: Activity) => void) | null = null;
  readonly #accounts = new Map<string, Account>();
  readonly #opening = new Map<string, Promise<Account>>();
  /** Due time of each account as noted in the store: it may be too early, but never too late. */
  readonly #noted = new Map<string, number>();
  /** Number of request ids given out so far, by accounts that have left memory. */
  readonly #requestCounts = new Map<string, number>();
  readonly #keptLogs = new KeptLogs();

  constructor(readonly options: WorldOptions) {
    this.machines = new Map(options.machines.map((machine) => [machine.name, machine]));
    this.scheduler = new Scheduler(
      { move: (account, job) => this.#move(account, job), ...options.jobs },
      (id) => this.open(id),
      (error) => this.#warn(error),
    );
  }

  /** Returns the account, opening it if necessary. `live` applies only to an account that was never used. */
  open(id: string, live = false): Account | Promise<Account> {
    const account = this.#accounts.get(id);
    // The account was opened without its key: by the clock, after its folder was moved away.
    if (live && account?.untouched && !account.live) account.initialise(true);
    return account ?? this.#opening.get(id) ?? this.#open(id, live);
  }

  /** Returns the account with this id if it has been used. Looking up an unknown id never creates an account. */
  async existing(id: string): Promise<Account | null> {
    if (!isAccountId(id)) return null;
    const { cluster } = this.options.store;
    const inUse = this.#accounts.has(id) || this.#opening.has(id);
    if (!inUse && cluster && !(await cluster.has(id))) return null;
    const opened = this.open(id);
    const account = opened instanceof Promise ? await opened : opened;
    if (!account.isUsed) {
      // Another replica may have taken the account over, where it was used.
      if (cluster && inUse) await account.safe();
      // Nothing else can hold a reference, because the account was created in this tick.
      if (!inUse && opened === account) this.#forget(account);
      return null;
    }
    account.lastUsed = realNow();
    return account;
  }

  /** Accounts that are in memory. */
  accounts(): Iterable<Account> {
    return this.#accounts.values();
  }

  /** Clears the counts of the sandbox and of all accounts, which must not exceed the sandbox's. */
  clearCoverage(): void {
    this.coverage.clear();
    for (const account of this.#accounts.values()) account.coverage.clear();
  }

  /** Schedules the jobs that fell due while the process was down. Startup does not wait for them. */
  async wake(): Promise<void> {
    for (const [id, due] of await this.options.store.dueAccounts()) {
      // An account that a request has already opened has noted its current due time.
      if (this.#accounts.has(id) || this.#opening.has(id)) continue;
      this.#noted.set(id, due);
      this.scheduler.note(id, due);
    }
  }

  /** Evicts accounts that were not used for `idleFor` ms of real time and have no work in progress. Returns their number. */
  evict(idleFor: number): number {
    if (!this.options.store.evicts) return 0;
    const since = realNow() - idleFor;
    let evicted = 0;
    for (const account of this.#accounts.values()) {
      if (!isIdle(account, since)) continue;
      this.#drop(account);
      evicted++;
    }
    return evicted;
  }

  /** Returns the number of accounts that have been used. */
  async countAccounts(): Promise<number> {
    const { store } = this.options;
    if (store.countAccounts) return store.countAccounts();
    return [...this.#accounts.values()].filter(({ isUsed }) => isUsed).length;
  }

  /** Returns whether `countAccounts` counts the account, once its commits are safe. */
  counts(account: Account): boolean {
    return this.options.store.countAccounts ? !account.untouched : account.isUsed;
  }

  get accountsInMemory(): number {
    return this.#accounts.size;
  }

  get cluster(): Cluster | undefined {
    return this.options.store.cluster;
  }

  /**
   * Deletes accounts that were not used for `ttl` ms of real time and have no work in progress, except those of registered
   * keys. Returns their number.
   */
  async expire({ ttl, keeps }: { ttl: number; keeps(id: string): boolean }): Promise<number> {
    const { store } = this.options;
    const since = realNow() - ttl;
    if (!store.evicts) {
      const unused = [...this.#accounts.values()].filter(
        (account) => !account.registered && !keeps(account.id) && isIdle(account, since),
      );
      for (const account of unused) this.#erase(account, since);
      return unused.length;
    }
    let expired = 0;
    for (const id of (await store.unusedSince?.(since)) ?? []) {
      if (keeps(id) || this.#accounts.has(id) || this.#opening.has(id)) continue;
      const requests = this.#requestCounts.get(id) ?? 0;
      const account = await this.#openUnlessOwned(id);
      if (!account || account.registered || account.requestCount > requests) continue;
      if (account.inFlight.size > 0 || !account.log.safe) continue;
      this.#erase(account, since);
      expired++;
    }
    return expired;
  }

  /** Forgets an account that was opened but never used. */
  discard(account: Account): void {
    if (!account.isUsed && !account.closed) this.#forget(account);
  }

  /** Ends all waits for messages and events, which return what there is. Called before the sandbox stops. */
  endWaits(): void {
    for (const { activities, inbox, outbox } of this.#accounts.values()) {
      activities.log.end();
      inbox.waiters.end();
      outbox.waiters.end();
    }
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

  async close(): Promise<void> {
    this.scheduler.stop();
    await Promise.allSettled(this.#opening.values());
    const inFlight = [...this.#accounts.values()].flatMap((account) => [...account.inFlight]);
    const idle = [...this.#accounts.values()].filter((account) => account.inFlight.size === 0);
    // Other replicas need not wait for the attempts of other accounts.
    if (this.options.store.cluster) await this.#closeAccounts(idle);
    if (inFlight.length > 0) await Promise.race([Promise.all(inFlight), delay(attemptGraceMs)]);
    await this.#closeAccounts(this.#accounts.values());
    await this.options.store.close();
  }

  async #closeAccounts(accounts: Iterable<Account>): Promise<void> {
    for (const account of accounts) {
      account.stopAdvance();
      await account.safe()?.catch((error: unknown) => this.#warn(error));
      await account.requests.save();
      this.#drop(account);
    }
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
      this.#accounts.set(id, account);
      const kept = this.#keptLogs.take(id);
      if (kept) {
        account.activities.log = kept.activities;
        account.requests = kept.requests;
      }
      account.history.clear(account.activities.log.begun);
      account.activities.log.observe = (activity) => this.onActivity?.(account, activity);
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

  #drop(account: Account): void {
    // An attempt in flight is off the queue but may have to be repeated, so its noted due time is kept.
    if (account.inFlight.size > 0) return this.#forget(account);
    const due = this.scheduler.dueOf(account);
    if (due === null) this.#noted.delete(account.id);
    else this.#noted.set(account.id, due);
    this.options.store.noteDue(account.id, due);
    this.#forget(account);
  }

  /** Deletes an account, of which nothing remains. */
  #erase(account: Account, since: number): void {
    const { id } = account;
    this.#drop(account);
    this.#noted.delete(id);
    this.#requestCounts.delete(id);
    this.#keptLogs.take(id);
    this.scheduler.forget(id);
    this.options.store.noteDue(id, null);
    this.options.store.remove?.(id, since);
  }

  #forget(account: Account): void {
    account.closed = true;
    if (account.isAddressed || account.requestCount > 0)
      this.#requestCounts.set(account.id, account.requestCount);
    account.activities.log.end();
    // The logs are kept, and must not keep the account.
    account.activities.log.observe = ignore;
    this.#keptLogs.keep(account.id, { activities: account.activities.log, requests: account.requests });
    account.log.close();
    this.#accounts.delete(account.id);
    if (!this.options.store.cluster) return;
    // Another replica may own the account from now on, and note another time.
    this.#noted.delete(account.id);
    this.scheduler.forget(account.id);
  }

  /** Handles a failed write: evicts the account, so that the next request reads the state on the disk. */
  #lost(id: string, error: Error): void {
    const account = this.#accounts.get(id);
    if (account) this.#forget(account);
    // The jobs in the stored state are still due. Replicas find accounts that none of them owns by their due times.
    if (!(error instanceof LeaseExpired)) this.scheduler.note(id, realNow() + rereadDelayMs);
    this.options.warn(`${id}: a change could not be written and was rolled back (${error.message})`);
  }

  #move(account: Account, job: Job): JobResult {
    const machine = this.machines.get(job.machine as string);
    const record = machine && account.records.get(machine, job.id as string);
    if (!machine || !record) return null;
    const move = job.move as string;
    return () => {
      account.records.moveByClock(machine, record, move);
      const { id, state: to } = record;
      return { at: toIso(job.due), kind: "move", machine: machine.name, id, move, to };
    };
  }

  #warn(error: unknown): void {
    if (error instanceof AccountClosed || error instanceof OwnedElsewhere) return;
    if (error instanceof StoreError && error.isReported) return;
    const said = error instanceof StoreError ? error.message : error instanceof Error && error.stack;
    this.options.warn(said || String(error));
  }
}
