/** Advances an account's clock from one due time to the next, and waits at each until the due jobs have settled. */

import { toIso } from "../../time/time.js";
import { Turns } from "../../time/turns.js";
import type { Job } from "../jobs/jobs.js";
import type { Account } from "./account.js";
import { AccountClosed } from "./commits.js";
import { type Ran, type RunOptions, runJob } from "./run-job.js";

/**
 * Thrown when more jobs fall due than one advance may run. The clock stays at the instant at which the limit was
 * reached.
 */
export class TooMuchDue extends Error {}

/** Maximum number of jobs in one advance. A job that recurs every second for years would otherwise fill the memory. */
export const maxJobsPerAdvance = 250_000;

export interface AdvanceOptions extends Omit<RunOptions, "kind" | "onScheduled"> {
  kinds: Readonly<Record<string, RunOptions["kind"]>>;
  /** Returns whether the sandbox is stopping, which ends the advance early. */
  isStopped(): boolean;
}

/**
 * One advance. At each instant it waits for the jobs that existed when the clock arrived, and for those that they schedule
 * for the same instant. Jobs that a client schedules in the meantime also run, but are not waited for: a client that never
 * stops writing would stop the clock.
 */
export class Advance {
  readonly #ran: Ran[] = [];
  readonly #turns = new Turns();
  /** Jobs with a lower order existed when the clock arrived at the instant. */
  #mark = 0;
  /** Orders of the jobs that these jobs have scheduled since. */
  readonly #caused = new Set<number>();
  /** Running jobs that must finish before the clock leaves the instant. */
  readonly #awaited = new Set<Promise<unknown>>();

  constructor(
    readonly account: Account,
    readonly options: AdvanceOptions,
  ) {}

  /** Moves the clock, which is pinned, to `wanted` (ms on the account's clock). Returns the jobs that ran, in order. */
  async to(wanted: number | "next"): Promise<Ran[]> {
    const { account } = this;
    await Promise.all(account.inFlight);
    this.#arrive(account.clock.now());
    // An attempt that was in flight may have scheduled the next job, such as another attempt.
    const target = wanted === "next" ? (account.jobs.nextDue() ?? account.clock.now()) : wanted;
    for (;;) {
      if (this.options.isStopped()) throw new AccountClosed(account.id);
      const next = account.jobs.next();
      const at = next ? Math.max(next.job.due, account.clock.now()) : Number.POSITIVE_INFINITY;
      if (this.#awaited.size > 0 && at > account.clock.now()) {
        await Promise.all(this.#awaited);
        continue;
      }
      if (!next || next.job.due > target) break;
      if (this.#ran.length === maxJobsPerAdvance) throw new TooMuchDue();
      if (at > account.clock.now()) this.#arrive(at);
      await this.#run(next.id, next.job);
    }
    account.clock.pin(Math.max(target, account.clock.now()));
    return this.#ran;
  }

  #arrive(at: number): void {
    this.account.clock.pin(at);
    this.#mark = this.account.jobs.nextOrder;
    this.#caused.clear();
  }

  #run(id: string, job: Job): Promise<unknown> | null {
    const { account, options } = this;
    const order = job.order as number;
    const isOwn = order < this.#mark || this.#caused.has(order);
    const index = this.#ran.push({ at: toIso(account.clock.now()), kind: job.kind }) - 1;
    const running = runJob(account, id, job, {
      kind: options.kinds[job.kind],
      onError: options.onError,
      ...(isOwn ? { onScheduled: (order) => this.#caused.add(order) } : {}),
    });
    if (!(running instanceof Promise)) {
      if (running) this.#ran[index] = running;
      return this.#turns.step();
    }
    const kept = running.then((ran) => {
      if (ran) this.#ran[index] = ran;
      this.#awaited.delete(kept);
    });
    if (isOwn) this.#awaited.add(kept);
    if (!job.in_turn) return this.#turns.step();
    return kept.then(() => {
      // A job may take several commits, so all jobs scheduled while it runs count as caused by it.
      if (isOwn) this.#mark = account.jobs.nextOrder;
      return this.#turns.step();
    });
  }
}
