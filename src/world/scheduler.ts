/** Runs due jobs: by a real timer for running clocks, immediately for frozen ones, and in order during an advance. */

import { afterTick, minute, realNow, second, type Timer, timer } from "../time/time.js";
import { Turns } from "../time/turns.js";
import type { Account } from "./account/account.js";
import { Advance } from "./account/advance.js";
import { type JobKind, type Ran, runJob } from "./account/run-job.js";
import { DueHeap } from "./jobs/jobs.js";
import { OwnedElsewhere } from "./store/store.js";

/** Thrown when the account's clock is already being advanced. */
export class ClockBusy extends Error {}

/** Number of steps that an asynchronous job counts as, because it does most of its work later. */
const stepsPerAsyncJob = 10;

interface Entry {
  due: number;
  sequence: number;
  id: string;
}

/** Initial delay in ms before another attempt to open an account that could not be opened. */
const firstRetryMs = 1 * second;
const maxRetryMs = 10 * minute;

export class Scheduler {
  readonly #agenda = new DueHeap<Entry>();
  /** The valid agenda entry of each account. */
  readonly #dueOf = new Map<string, number>();
  /** Delay in ms before the next attempt to open each account that could not be opened. */
  readonly #retryDelays = new Map<string, number>();
  #sequence = 0;
  #timer: Timer | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(
    readonly kinds: Readonly<Record<string, JobKind>>,
    readonly open: (id: string) => Account | Promise<Account>,
    readonly onError: (error: unknown) => void,
  ) {}

  /** Returns the real time (ms) at which the account's next job is due, or null. */
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
      this.#wake(entry.id).catch((error: unknown) => this.#retry(entry.id, error));
    }
    this.#arm();
  }

  async #wake(id: string): Promise<void> {
    const account = await this.open(id);
    this.#retryDelays.delete(id);
    if (this.#stopped) return;
    await this.runDue(account);
    this.#noteNext(account);
  }

  /** Retries opening an account after a delay that doubles each time. The error is reported once. */
  #retry(id: string, error: unknown): void {
    // Its owner runs its jobs.
    if (error instanceof OwnedElsewhere) return;
    const delayMs = this.#retryDelays.get(id);
    if (delayMs === undefined) this.onError(error);
    const next = Math.min(2 * (delayMs ?? firstRetryMs / 2), maxRetryMs);
    this.#retryDelays.set(id, next);
    this.note(id, realNow() + next);
  }

  /** Notes when the next job is due. During an advance, this happens at its end. */
  #noteNext(account: Account): void {
    if (!account.closed && !account.advancing) this.note(account.id, this.dueOf(account));
  }

  /**
   * Starts everything that is due by the account's clock, unless that clock is paused or being advanced. Returns a
   * promise if that takes more than one turn of the event loop.
   */
  runDue(account: Account): Promise<void> | null {
    if (account.catchingUp) return account.catchingUp;
    if (account.clock.paused || account.advancing) return null;
    const now = account.clock.now();
    // Fast path: for nearly every request nothing is due, and no record has to be read.
    if ((account.jobs.earliest() ?? Number.POSITIVE_INFINITY) > now) return null;
    const turns = new Turns();
    const over = this.#runUntil(account, now, turns);
    if (!over) return null;
    account.catchingUp = this.#catchUp(account, now, turns, over).finally(() => {
      account.catchingUp = null;
      this.#noteNext(account);
    });
    return account.catchingUp;
  }

  async #catchUp(account: Account, now: number, turns: Turns, firstTurn: Promise<void>): Promise<void> {
    const { epoch } = account;
    for (let turn: Promise<void> | null = firstTurn; turn; turn = this.#runUntil(account, now, turns)) {
      await turn;
      if (this.#stopped || account.closed || account.epoch !== epoch) return;
    }
  }

  /** Starts the jobs due at `now`. Returns null when all have started, or a promise at the end of a turn. */
  #runUntil(account: Account, now: number, turns: Turns): Promise<void> | null {
    const { jobs } = account;
    for (let next = jobs.next(); next && next.job.due <= now; next = jobs.next()) {
      const { id, job } = next;
      const running = runJob(account, id, job, { kind: this.kinds[job.kind], onError: this.onError });
      const over = turns.step(running instanceof Promise ? stepsPerAsyncJob : 1);
      if (over) return over;
    }
    return null;
  }

  /** Returns the next job of an account: when it is due (ms on the account's clock), and what it does as a sentence. */
  next(account: Account): { due: number; says: string } | null {
    const next = account.jobs.next();
    if (!next) return null;
    const { due, kind } = next.job;
    return { due, says: this.kinds[kind]?.says(account, next.job) ?? `A job of the kind ${kind} runs.` };
  }

  /** Moves the clock to `target` (ms on the account's clock) or to the next due job. Returns the jobs that ran, in order. */
  async advance(account: Account, target: number | "next"): Promise<Ran[]> {
    if (account.advancing) throw new ClockBusy();
    account.advancing = new Set();
    account.clock.pin(account.clock.now());
    let ran: Ran[];
    try {
      ran = await new Advance(account, {
        kinds: this.kinds,
        onError: this.onError,
        isStopped: () => this.#stopped,
      }).to(target);
    } finally {
      const stoppedAt = account.clock.now();
      account.clock.pin(null);
      account.advancing = null;
      if (!account.closed)
        account.commit("clock", () => account.setClock(account.clock.settingAt(stoppedAt)));
    }
    await account.safe();
    return ran;
  }
}
