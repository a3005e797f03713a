/** All accounts of one sandbox, which are woken when a job is due. */

import { delay, second, toIso } from "../time/time.js";
import type { Account } from "./account/account.js";
import { storeInstant } from "./account/advance.js";
import { AccountClosed } from "./account/commits.js";
import type { JobKind, JobResult } from "./account/run-job.js";
import { Accounts, type AccountsOptions, type Expiry } from "./accounts.js";
import type { Activity } from "./activity/activity.js";
import type { Coverage } from "./activity/coverage.js";
import type { Job } from "./jobs/jobs.js";
import type { AnyMachine } from "./records/machine.js";
import { Scheduler } from "./scheduler.js";
import { type Cluster, OwnedElsewhere, StoreError } from "./store/store.js";
import { heldDeliveries, releaseDeliveries } from "./webhooks/delivery.js";

/** Time that a shutdown waits for webhook attempts in flight, in ms of wall-clock time. */
const attemptGraceMs = 2 * second;

/** Options of the accounts of one sandbox. */
export interface WorldOptions extends AccountsOptions {
  machines: readonly AnyMachine[];
  /** Further kinds of jobs, by name. */
  jobs: Readonly<Record<string, JobKind>>;
}

export class World {
  readonly scheduler: Scheduler;
  readonly machines: ReadonlyMap<string, AnyMachine>;
  /** Called with every activity of every account. */
  readonly observers: ((account: Account, activity: Activity) => void)[] = [];
  /** Returns the headers of a webhook attempt with which it continues a trace. Null if nothing is traced. */
  traceHeadersOf: ((accountId: string, attempt: Activity) => Record<string, string>) | null = null;
  readonly #accounts: Accounts;

  constructor(readonly options: WorldOptions) {
    this.machines = new Map(options.machines.map((machine) => [machine.name, machine]));
    this.scheduler = new Scheduler(
      {
        move: {
          says: (account, job) => this.#describeMove(account, job),
          run: (account, job) => this.#move(account, job),
        },
        ...options.jobs,
      },
      (id) => this.open(id),
      (error) => this.#warn(error),
    );
    this.#accounts = new Accounts(options, this.scheduler, (account, activity) => {
      try {
        for (const observe of this.observers) observe(account, activity);
      } catch (error) {
        // A span that cannot be exported must not fail the request that it is about.
        this.#warn(error);
      }
    });
  }

  /** Coverage of all accounts since the start. */
  get coverage(): Coverage {
    return this.#accounts.coverage;
  }

  /** Returns the account, opening it if necessary. `live` applies only to an account that was never used. */
  open(id: string, live = false): Account | Promise<Account> {
    return this.#accounts.open(id, live);
  }

  /** Returns the account with this id if it has been used. Looking up an unknown id never creates an account. */
  existing(id: string): Promise<Account | null> {
    return this.#accounts.existing(id);
  }

  /** Accounts that are in memory. */
  accounts(): Iterable<Account> {
    return this.#accounts;
  }

  /** Clears the counts of the sandbox and of all accounts, which must not exceed the sandbox's. */
  clearCoverage(): void {
    this.coverage.clear();
    for (const account of this.#accounts) account.coverage.clear();
  }

  /** Schedules the jobs that fell due while the process was down. Startup does not wait for them. */
  async wake(): Promise<void> {
    for (const [id, due] of await this.options.store.dueAccounts()) this.#accounts.noteStored(id, due);
  }

  /** Evicts accounts that were not used for `idleFor` ms of real time and have no work in progress. Returns their number. */
  evict(idleFor: number): number {
    return this.#accounts.evict(idleFor);
  }

  /** Deletes accounts that nobody has used for long. Returns their number. */
  expire(expiry: Expiry): Promise<number> {
    return this.#accounts.expire(expiry);
  }

  /** Returns whether a new account has a place if at most `max` accounts have one. Forgets it if it has none. */
  async admit(account: Account, max: number): Promise<boolean> {
    const isAdmitted = await this.#accounts.admit(account, max);
    if (!isAdmitted) this.#accounts.discard(account);
    return isAdmitted;
  }

  get accountsInMemory(): number {
    return this.#accounts.size;
  }

  get cluster(): Cluster | undefined {
    return this.options.store.cluster;
  }

  /** Forgets an account that was opened but never used. */
  discard(account: Account): void {
    this.#accounts.discard(account);
  }

  /** Ends all waits for messages and events, and releases all that is held. Called before the sandbox stops. */
  endWaits(): void {
    for (const account of this.#accounts) {
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
    await this.#accounts.settled();
    const inFlight = [...this.#accounts].flatMap((account) => [...account.inFlight]);
    const idle = [...this.#accounts].filter((account) => account.inFlight.size === 0);
    // Other replicas need not wait for the attempts of other accounts.
    if (this.options.store.cluster) await this.#closeAccounts(idle);
    if (inFlight.length > 0) await Promise.race([Promise.all(inFlight), delay(attemptGraceMs)]);
    await this.#closeAccounts(this.#accounts);
    this.#accounts.forgetLogs();
    await this.options.store.close();
  }

  async #closeAccounts(accounts: Iterable<Account>): Promise<void> {
    for (const account of accounts) {
      storeInstant(account);
      await account.safe()?.catch((error: unknown) => this.#warn(error));
      await account.requests.save();
      this.#accounts.drop(account);
    }
  }

  #describeMove(account: Account, { machine: name, id, move }: Job): string {
    const machine = this.machines.get(name as string);
    const record = machine && account.records.get(machine, id as string);
    return (
      (record && machine.moves[move as string]?.due?.(record, account)) ?? `The move ${move} of ${id} is due.`
    );
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
    const message = error instanceof StoreError ? error.message : error instanceof Error && error.stack;
    this.options.warn(message || String(error));
  }
}
