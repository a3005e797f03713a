/**
 * All accounts of one sandbox: opened on first use, woken when a job is due, evicted when they are idle, expired when
 * nobody has used them for long, and admitted while places are left. housekeeping.ts says when.
 */

import { delay, realNow, second } from "../time/time.js";
import { inTurns } from "../time/turns.js";
import { Account, type AccountEnvironment } from "./account/account.js";
import { isAccountId } from "./account/account-id.js";
import { AccountClosed } from "./account/commits.js";
import { type JobKind, moveJob } from "./account/run-job.js";
import type { Activity } from "./activity/activity.js";
import type { ActivityLog } from "./activity/activity-log.js";
import { Coverage } from "./activity/coverage.js";
import type { RequestJournal } from "./activity/request-journal.js";
import type { AnyMachine } from "./records/machine.js";
import { Scheduler } from "./scheduler.js";
import { State } from "./store/state.js";
import { LeaseExpired, type OpenedAccount, OwnedElsewhere, type Store, StoreError } from "./store/store.js";
import { heldDeliveries, releaseDeliveries } from "./webhooks/delivery.js";

/** Time that a shutdown waits for webhook attempts in flight, in ms of wall-clock time. */
const attemptGraceMs = 2 * second;
/** Delay in ms after which an account is read again for its due jobs if a change could not be written. */
const rereadDelayMs = 1 * second;
/** Maximum number of accounts out of memory whose activities and requests are kept. */
const maxKeptLogs = 1_000;

const ignore = (): void => {};

/** Which accounts expire: those that were not used for `ttl` ms, except for kept ones. */
export interface Expiry {
  readonly ttl: number;
  keeps(accountId: string): boolean;
}

/** Options of the accounts of one sandbox. */
export interface WorldOptions extends AccountEnvironment {
  store: Store;
  machines: readonly AnyMachine[];
  /** Kinds of jobs by name, in addition to the world's own. */
  jobs: Readonly<Record<string, JobKind>>;
  /** Called after each commit. */
  onCommit?(): void;
  /** Called with problems that occur outside a request, for the operator. */
  warn(message: string): void;
}

/** Logs that outlive an account in memory. The activities of requests share the entries of the journal. */
interface AccountLogs {
  activities: ActivityLog;
  requests: RequestJournal;
}

function release({ activities, requests }: AccountLogs): void {
  activities.release();
  requests.release();
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

export class World {
  readonly scheduler: Scheduler;
  readonly machines: ReadonlyMap<string, AnyMachine>;
  /** Coverage of all accounts since the start. */
  readonly coverage = new Coverage();
  /** Called with every activity of every account. */
  readonly observers: ((account: Account, activity: Activity) => void)[] = [];
  /** Returns the headers of a webhook attempt with which it continues a trace. Null if nothing is traced. */
  traceHeadersOf: ((accountId: string, attempt: Activity) => Record<string, string>) | null = null;
  readonly #inMemory = new Map<string, Account>();
  readonly #opening = new Map<string, Promise<Account>>();
  /** Due time of each account as noted in the store: it may be too early, but never too late. */
  readonly #noted = new Map<string, number>();
  /** Number of request ids given out so far, by accounts that have left memory. */
  readonly #requestCounts = new Map<string, number>();
  /** Logs of accounts that have left memory, the least recent first. */
  readonly #keptLogs = new Map<string, AccountLogs>();
  /** New accounts in memory that have a place. */
  readonly #admitted = new Set<Account>();

  constructor(readonly options: WorldOptions) {
    this.machines = new Map(options.machines.map((machine) => [machine.name, machine]));
    this.scheduler = new Scheduler(
      { move: moveJob(this.machines), ...options.jobs },
      (id) => this.open(id),
      (error) => this.#warn(error),
    );
  }

  /** Returns the accounts in memory. It can be iterated several times, and reads the current accounts each time. */
  accounts(): Iterable<Account> {
    return { [Symbol.iterator]: () => this.#inMemory.values() };
  }

  get accountsInMemory(): number {
    return this.#inMemory.size;
  }

  /** Clears the counts of the sandbox and of all accounts, which must not exceed the sandbox's. */
  clearCoverage(): void {
    this.coverage.clear();
    for (const account of this.accounts()) account.coverage.clear();
  }

  /** Returns whether the account is in memory or on its way there. */
  #has(id: string): boolean {
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
    const inUse = this.#has(id);
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

  /** Forgets an account that was opened but never used. */
  discard(account: Account): void {
    if (!account.isUsed && !account.closed) this.#forget(account);
  }

  /** Returns whether a new account has a place if at most `max` accounts have one. Forgets it if it has none. */
  async admit(account: Account, max: number): Promise<boolean> {
    if (account.isUsed || this.#admitted.has(account)) return true;
    const { cluster } = this.options.store;
    const isAdmitted = cluster ? await cluster.admit(account.id, max) : this.#countPlaces() < max;
    if (!isAdmitted) this.discard(account);
    else if (!account.closed) this.#admitted.add(account);
    return isAdmitted;
  }

  /** Returns the number of accounts that are stored, in use or admitted. */
  #countPlaces(): number {
    const ids = new Set([...this.#admitted].map(({ id }) => id));
    for (const { id, isUsed } of this.accounts()) if (isUsed) ids.add(id);
    return this.options.store.countAccounts?.(ids) ?? ids.size;
  }

  /** Schedules the jobs that fell due while the process was down. Startup does not wait for them. */
  async wake(): Promise<void> {
    for (const [id, due] of await this.options.store.dueAccounts()) {
      // An account that a request has already opened has noted its current due time.
      if (this.#has(id)) continue;
      this.#noted.set(id, due);
      this.scheduler.note(id, due);
    }
  }

  /** Takes an account out of memory. */
  #forget(account: Account): void {
    account.closed = true;
    if (account.isAddressed || account.requestCount > 0)
      this.#requestCounts.set(account.id, account.requestCount);
    account.activities.log.end();
    // The logs are kept, and must not keep the account.
    account.activities.log.observe = ignore;
    this.#keepLogs(account.id, { activities: account.activities.log, requests: account.requests });
    account.log.close();
    account.history.clear(0);
    account.state.release();
    this.#inMemory.delete(account.id);
    this.#admitted.delete(account);
    if (!this.options.store.cluster) return;
    // Another replica may own the account from now on, and note another time.
    this.#noted.delete(account.id);
    this.scheduler.forget(account.id);
  }

  /** Keeps the logs of an account out of memory, in place of the least recent ones. */
  #keepLogs(id: string, logs: AccountLogs): void {
    if (logs.activities.size === 0) return release(logs);
    this.#keptLogs.set(id, logs);
    const [oldest = ""] = this.#keptLogs.keys();
    if (this.#keptLogs.size > maxKeptLogs) this.#dropLogs(oldest);
  }

  #dropLogs(id: string): void {
    const logs = this.#keptLogs.get(id);
    this.#keptLogs.delete(id);
    if (logs) release(logs);
  }

  /** Takes an account out of memory and notes in the store when it is due. */
  #drop(account: Account): void {
    // An attempt in flight is off the queue but may have to be repeated, so its noted due time is kept.
    if (account.inFlight.size > 0) return this.#forget(account);
    const due = this.scheduler.dueOf(account);
    if (due === null) this.#noted.delete(account.id);
    else this.#noted.set(account.id, due);
    this.options.store.noteDue(account.id, due);
    this.#forget(account);
  }

  /** Evicts accounts that were not used for `idleFor` ms of real time and have no work in progress. Returns their number. */
  evict(idleFor: number): number {
    if (!this.options.store.evicts) return 0;
    const since = realNow() - idleFor;
    let evicted = 0;
    for (const account of this.accounts()) {
      if (!isIdle(account, since)) continue;
      this.#drop(account);
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
      const unused = [...this.accounts()].filter(
        (account) => !account.registered && !keeps(account.id) && isIdle(account, since),
      );
      for (const account of unused) this.#erase(account, since);
      return unused.length;
    }
    let expired = 0;
    for (const id of (await store.unusedSince?.(since)) ?? []) {
      if (keeps(id) || this.#has(id)) continue;
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

  /** Deletes an account that was not used since a real time (ms), with all its data. */
  #erase(account: Account, since: number): void {
    const { id } = account;
    this.#drop(account);
    this.#noted.delete(id);
    this.#requestCounts.delete(id);
    this.#dropLogs(id);
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
      const kept = this.#keptLogs.get(id);
      if (kept) {
        account.activities.log = kept.activities;
        account.requests = kept.requests;
        this.#keptLogs.delete(id);
      }
      account.history.clear(account.activities.log.begun);
      account.limitLogs();
      account.activities.log.observe = (activity) => this.#observe(account, activity);
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
        // This replica may own the account now, and then no other replica looks for its due jobs.
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
    if (account) this.#forget(account);
    // The jobs in the stored state are still due. Replicas find accounts that none of them owns by their due times.
    if (!(error instanceof LeaseExpired)) this.scheduler.note(id, realNow() + rereadDelayMs);
    this.options.warn(`${id}: a change could not be written and was rolled back (${error.message})`);
  }

  /** Hands an activity to the observers. */
  #observe(account: Account, activity: Activity): void {
    try {
      for (const observe of this.observers) observe(account, activity);
    } catch (error) {
      // A span that cannot be exported must not fail the request that it is about.
      this.#warn(error);
    }
  }

  /** Ends all waits for messages and events, and releases all that is held. Called before the sandbox stops. */
  endWaits(): void {
    for (const account of this.accounts()) {
      const { activities, held, inbox, outbox } = account;
      activities.log.end();
      inbox.waiters.end();
      outbox.waiters.end();
      held.waiters.end();
      held.release();
      if (heldDeliveries(account).next().done) continue;
      account.commit("clock", () => releaseDeliveries(account));
      void this.scheduler.runDue(account);
    }
  }

  async close(): Promise<void> {
    this.scheduler.stop();
    await Promise.allSettled(this.#opening.values());
    const inFlight = [...this.accounts()].flatMap((account) => [...account.inFlight]);
    const idle = [...this.accounts()].filter((account) => account.inFlight.size === 0);
    // Idle accounts are closed first, so that other replicas can take them over without waiting for attempts.
    if (this.options.store.cluster) await this.#closeAccounts(idle);
    if (inFlight.length > 0) await Promise.race([Promise.all(inFlight), delay(attemptGraceMs)]);
    await this.#closeAccounts(this.accounts());
    for (const id of this.#keptLogs.keys()) this.#dropLogs(id);
    await this.options.store.close();
  }

  async #closeAccounts(accounts: Iterable<Account>): Promise<void> {
    for (const account of accounts) {
      account.storeInstant();
      await account.safe()?.catch((error: unknown) => this.#warn(error));
      await account.requests.save();
      this.#drop(account);
    }
  }

  #warn(error: unknown): void {
    if (error instanceof AccountClosed || error instanceof OwnedElsewhere) return;
    if (error instanceof StoreError && error.isReported) return;
    const message = error instanceof StoreError ? error.message : error instanceof Error && error.stack;
    this.options.warn(message || String(error));
  }
}
