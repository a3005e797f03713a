/** Runs what falls due: on the real timer for clocks that run, step by step while a clock is being advanced. */
import type { Account } from "../account.js";
import { DueHeap } from "./due-heap.js";
import type { Job } from "./jobs.js";
import { afterTick, realNow, type Timer, timer, toIso } from "./time.js";

/** What a job did, for the answer of `advance`. */
export interface Ran {
  at: string;
  kind: string;
  [field: string]: unknown;
}

/**
 * Records what a finished job did, in the commit that removes the job. `current` is false when the job was cancelled or
 * replaced while its handler ran.
 */
export type JobResult = ((current: boolean) => Ran | null) | null;

/**
 * Runs one kind of job at its due time. A promise is waited for before an advancing clock moves on. The job stays on
 * record until its result is committed: a crash in between repeats it.
 */
export type JobHandler = (account: Account, job: Job) => JobResult | Promise<JobResult>;

export class ClockBusy extends Error {}

/** A clock was to go further than what falls due on the way can be run; it stands where that ended. */
export class TooMuchDue extends Error {}

/** Of one advance: whatever recurs each second for years would fill the memory. */
export const maxJobsPerAdvance = 250_000;

/** So many jobs run before an advance lets other accounts have a turn. */
const jobsATurn = 500;

interface Entry {
  due: number;
  sequence: number;
  id: string;
}

export class Scheduler {
  readonly #agenda = new DueHeap<Entry>();
  /** The agenda's valid entry of each account. */
  readonly #dueOf = new Map<string, number>();
  #sequence = 0;
  #timer: Timer | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(
    readonly handlers: Readonly<Record<string, JobHandler>>,
    readonly open: (id: string) => Account | Promise<Account>,
    readonly onError: (error: unknown) => void,
  ) {}

  /** The real time at which a running account next has something to do. */
  dueOf(account: Account): number | null {
    const earliest = account.jobs.earliest();
    return earliest === null ? null : account.clock.realTimeOf(earliest);
  }

  /** Notes when an account is due next, from memory or from the store's index. */
  note(id: string, due: number | null): void {
    if (due === null) {
      this.#dueOf.delete(id);
      return;
    }
    if (this.#dueOf.get(id) === due) return;
    this.#dueOf.set(id, due);
    this.#agenda.push({ due, sequence: this.#sequence++, id });
    if (due < this.#armedFor) this.#arm();
  }

  forget(id: string): void {
    this.#dueOf.delete(id);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #arm(): void {
    this.#timer?.cancel();
    const next = this.#agenda.peek();
    this.#armedFor = next?.due ?? Number.POSITIVE_INFINITY;
    if (!next || this.#stopped) return;
    const wait = next.due - realNow();
    if (wait > 0) this.#timer = timer(wait, () => this.#fire());
    else afterTick(() => this.#fire());
  }

  #fire(): void {
    if (this.#stopped) return;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = realNow();
    for (let entry = this.#agenda.peek(); entry && entry.due <= now; entry = this.#agenda.peek()) {
      this.#agenda.pop();
      if (this.#dueOf.get(entry.id) !== entry.due) continue;
      this.#dueOf.delete(entry.id);
      this.#wake(entry.id).catch(this.onError);
    }
    this.#arm();
  }

  async #wake(id: string): Promise<void> {
    const account = await this.open(id);
    if (this.#stopped) return;
    this.runDue(account);
    // The end of an advance notes by itself; until then what is due here is the advance's to run.
    if (!account.closed && !account.advancing) this.note(id, this.dueOf(account));
  }

  /** Everything that a running clock has passed; nothing while it is frozen or being advanced. */
  runDue(account: Account): void {
    if (account.clock.frozen || account.advancing) return;
    const now = account.clock.now();
    // Nearly every request comes while nothing is due: no record is read then.
    if ((account.jobs.earliest() ?? Number.POSITIVE_INFINITY) > now) return;
    for (let next = account.jobs.next(); next && next.job.due <= now; next = account.jobs.next()) {
      void this.#run(account, next.id, next.job);
    }
  }

  /** The earliest job's instant; null when nothing waits. */
  nextDue(account: Account): number | null {
    return account.jobs.next()?.job.due ?? null;
  }

  /**
   * Moves the clock to `target`, stopping at each due time on the way: what falls due there runs at that instant,
   * and what it sends is answered before the clock goes on.
   */
  async advance(account: Account, target: number): Promise<Ran[]> {
    if (account.advancing) throw new ClockBusy();
    account.advancing = new Set();
    const ran: Ran[] = [];
    const start = account.clock.now();
    account.clock.pin(start);
    try {
      await settled(account);
      for (let count = 1; ; count++) {
        const next = account.jobs.next();
        const at = next ? Math.max(next.job.due, account.clock.now()) : Number.POSITIVE_INFINITY;
        if (account.inFlight.size > 0 && at > account.clock.now()) {
          await settled(account);
          continue;
        }
        if (!next || next.job.due > target) break;
        if (count > maxJobsPerAdvance) throw new TooMuchDue();
        account.clock.pin(at);
        const index = ran.length;
        ran.push({ at: toIso(at), kind: next.job.kind });
        const running = this.#run(account, next.id, next.job);
        const keep = (result: Ran | null) => {
          if (result) ran[index] = result;
        };
        if (running instanceof Promise) {
          const kept = running.then(keep);
          if (next.job.in_turn) await kept;
        } else keep(running);
        if (count % jobsATurn === 0) await new Promise<void>(afterTick);
      }
      account.clock.pin(Math.max(target, account.clock.now()));
    } finally {
      const stopped = account.clock.now();
      account.clock.pin(null);
      account.advancing = null;
      if (!account.closed) account.commit("clock", () => account.setClock(account.clock.settingAt(stopped)));
    }
    await account.safe();
    return ran;
  }

  #run(account: Account, id: string, job: Job): Ran | null | Promise<Ran | null> {
    account.jobs.take();
    const handle = this.handlers[job.kind];
    if (!handle) return null;
    const { epoch } = account;
    try {
      const result = handle(account, job);
      if (!(result instanceof Promise)) return finish(account, id, job, result, job.due);
      const running = result
        .then((late) => (account.epoch === epoch ? finish(account, id, job, late) : null))
        .catch((error: unknown) => {
          this.onError(error);
          return null;
        });
      const done = running.then(() => {
        account.inFlight.delete(done);
      });
      account.inFlight.add(done);
      return running;
    } catch (error) {
      this.onError(error);
      if (!account.closed) finish(account, id, job, null);
      return null;
    }
  }
}

/** Removes a job that has run and records its result, in one commit at `at` (default: now). */
const finish = (account: Account, id: string, job: Job, result: JobResult, at?: number): Ran | null =>
  account.commit(
    "clock",
    () => {
      const current = account.jobs.finish(id, job);
      return result === null ? null : result(current);
    },
    at,
  );

const settled = async (account: Account): Promise<void> => {
  while (account.inFlight.size > 0) await Promise.all(account.inFlight);
};
