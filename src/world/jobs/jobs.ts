/** Jobs scheduled on the account's clock: stored as records, with a heap to find the next one. */

import type { State } from "../store/state.js";
import { table } from "../store/table.js";
import { DueHeap } from "./due-heap.js";

export interface Job {
  /** Due time in ms on the account's clock. */
  due: number;
  kind: string;
  /** Whether an advance waits for this job before it starts other jobs due at the same instant. */
  in_turn?: true;
  /** Id of the activity that led to it. Default: the activity that schedules it. */
  cause?: string;
  /** Set when the job is scheduled. Among jobs due at the same instant, the one with the lowest order runs first. */
  order?: number;
  /** Number of orders after its own that are reserved for the jobs that follow it, such as the retries of an attempt. */
  reserved?: number;
  [field: string]: unknown;
}

/** When a job was due, and its place among other jobs. */
export type ScheduledJob = Pick<Job, "due" | "order" | "reserved">;

interface StoredJob extends Job {
  order: number;
}

interface Entry {
  due: number;
  sequence: number;
  id: string;
}

/** Reading due times and orders without parsing the jobs keeps a large account from blocking others. */
export const storedJobs = table<StoredJob>("jobs", { outer: ["due", "order"], internal: true });

export class Jobs {
  #heap = new DueHeap<Entry>();
  /** Order of the next job to be scheduled. */
  nextOrder = 0;
  /** Running jobs, with their orders. They are still stored, but must not be taken again. */
  readonly #taken = new Map<string, number>();

  constructor(
    readonly state: State,
    /** Returns the id of the activity that the open commit works for. */
    readonly cause: () => string,
  ) {}

  /** Reads the jobs of a loaded state in steps, in the order in which they were created. */
  *reload(): Generator<void, void> {
    this.#heap = new DueHeap();
    this.#taken.clear();
    for (const id of this.state.ids(storedJobs)) {
      this.nextOrder = Math.max(this.nextOrder, this.#queue(id) + 1);
      yield;
    }
  }

  /** Clears the heap after the state was emptied. */
  forget(): void {
    this.#heap = new DueHeap();
    this.#taken.clear();
    this.nextOrder = 0;
  }

  /** Queues the jobs that undone commits had changed, and the jobs that were running. */
  requeue(changed: Iterable<string>): void {
    const ids = new Set([...changed, ...this.#taken.keys()]);
    this.#taken.clear();
    for (const id of ids) this.#queue(id);
  }

  /** Queues a job if it is stored. Returns its order, or -1. */
  #queue(id: string): number {
    const [due, order] = this.state.outer(storedJobs, id) ?? [0, -1];
    if (order >= 0) this.#heap.push({ due, sequence: order, id });
    return order;
  }

  /** Takes over the jobs of a copy of the account, which must not be used any more. */
  takeFrom(copy: Jobs): void {
    this.#heap = copy.#heap;
    this.#taken.clear();
    this.nextOrder = copy.nextOrder;
  }

  /** Schedules a job. Replaces an existing job with the same id. */
  schedule(id: string, job: Job): void {
    this.#store(id, job, this.nextOrder);
    this.nextOrder += 1 + (job.reserved ?? 0);
  }

  /**
   * Schedules a job that follows another one, with the next of its reserved orders if there is one: the order of jobs must
   * not depend on which of several answers from outside came first.
   */
  scheduleAfter({ order = 0, reserved = 0 }: ScheduledJob, id: string, job: Job): void {
    if (reserved === 0) this.schedule(id, job);
    else this.#store(id, { ...job, reserved: reserved - 1 }, order + 1);
  }

  #store(id: string, job: Job, order: number): void {
    this.cancel(id);
    const { due, order: _order, cause = this.cause(), ...others } = job;
    this.state.put(storedJobs, id, { due, ...others, cause, order });
    this.#heap.push({ due: job.due, sequence: order, id });
  }

  cancel(id: string): void {
    this.#taken.delete(id);
    this.state.delete(storedJobs, id);
  }

  /** Due time of the earliest entry. It may belong to a cancelled job, which is harmless. */
  earliest(): number | null {
    return this.#heap.peek()?.due ?? null;
  }

  /** Returns the next job without removing it. Drops entries of cancelled, replaced and running jobs. */
  next(): { id: string; job: Job } | null {
    for (let entry = this.#heap.peek(); entry; entry = this.#heap.peek()) {
      const job = this.state.get(storedJobs, entry.id);
      if (job && isOf(entry, job.due, job.order) && !this.#taken.has(entry.id)) return { id: entry.id, job };
      this.#heap.pop();
    }
    return null;
  }

  /** Returns when the next job is due (ms on the account's clock), or null. */
  nextDue(): number | null {
    return this.next()?.job.due ?? null;
  }

  /** Takes the next job off the queue. Its record stays until `finish`, so that a crash in between repeats it. */
  take(): void {
    const entry = this.#heap.pop();
    if (entry) this.#taken.set(entry.id, entry.sequence);
  }

  /** Yields the running jobs that are still wanted. */
  *running(): Generator<Job> {
    for (const [id, order] of this.#taken) {
      const job = this.state.get(storedJobs, id);
      if (job?.order === order) yield job;
    }
  }

  /** Inside a commit: removes a taken job. Returns false if it was cancelled or replaced in the meantime. */
  finish(id: string, { order }: Job): boolean {
    if (this.#taken.get(id) !== order) return false;
    this.cancel(id);
    return true;
  }

  /** Outside a commit: removes cancelled entries from the heap if they are the majority. */
  settle(): void {
    if (this.#heap.size <= 64 || this.#heap.size <= 2 * this.state.size(storedJobs)) return;
    const heap = new DueHeap<Entry>();
    const seen = new Set<string>();
    for (let entry = this.#heap.pop(); entry; entry = this.#heap.pop()) {
      const [due, order] = this.state.outer(storedJobs, entry.id) ?? [0, -1];
      if (!isOf(entry, due, order) || this.#taken.has(entry.id) || seen.has(entry.id)) continue;
      seen.add(entry.id);
      heap.push(entry);
    }
    this.#heap = heap;
  }
}

/** Returns whether the entry belongs to this job, and not to a cancelled, replaced or rolled back one. */
const isOf = (entry: Entry, due: number, order: number): boolean =>
  entry.due === due && entry.sequence === order;
