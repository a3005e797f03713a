/** Jobs scheduled on the account's clock: stored as records, with a heap to find the next one. */

import type { State } from "../store/state.js";
import { table } from "../store/table.js";

/** A binary heap ordered by due time, then by sequence number. */
export interface Due {
  readonly due: number;
  readonly sequence: number;
}

const before = (a: Due, b: Due): boolean => a.due < b.due || (a.due === b.due && a.sequence < b.sequence);

export class DueHeap<T extends Due> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as T;
      if (!before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1] as T, items[child] as T)) child++;
      if (!before(items[child] as T, last)) break;
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = last;
    return top;
  }
}

export interface Job {
  /** Due time in ms on the account's clock. */
  due: number;
  kind: string;
  /** Whether an advance waits for this job before it starts other jobs due at the same instant. */
  in_turn?: true;
  /** Id of the activity that led to it. Default: the activity that schedules it. */
  cause?: string;
  /** Place among the jobs due at the same instant, the lowest first. Set when the job is scheduled. */
  order?: number;
  /** Number of orders after its own that are reserved for the jobs that follow it, such as the retries of an attempt. */
  reserved?: number;
  [field: string]: unknown;
}

/** Due time of a job and its place among other jobs. */
export type ScheduledJob = Pick<Job, "due" | "order" | "reserved">;

interface StoredJob extends Job {
  order: number;
}

interface Entry {
  due: number;
  sequence: number;
  id: string;
}

export const storedJobs = table<StoredJob>("jobs", { internal: true });

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
    const job = this.state.get(storedJobs, id);
    if (job) this.#heap.push({ due: job.due, sequence: job.order, id });
    return job?.order ?? -1;
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

  /** Returns the due time of the earliest entry. It may belong to a cancelled job, which is harmless. */
  earliest(): number | null {
    return this.#heap.peek()?.due ?? null;
  }

  /** Returns the next job without removing it. Drops entries of cancelled, replaced and running jobs. */
  next(): { id: string; job: Job } | null {
    for (let entry = this.#heap.peek(); entry; entry = this.#heap.peek()) {
      const job = this.#jobOf(entry);
      if (job) return { id: entry.id, job };
      this.#heap.pop();
    }
    return null;
  }

  /** Returns the job of an entry, or null if it was cancelled, replaced or rolled back, or is running. */
  #jobOf({ id, due, sequence }: Entry): StoredJob | null {
    if (this.#taken.has(id)) return null;
    const job = this.state.get(storedJobs, id);
    return job?.due === due && job.order === sequence ? job : null;
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
      if (!this.#jobOf(entry) || seen.has(entry.id)) continue;
      seen.add(entry.id);
      heap.push(entry);
    }
    this.#heap = heap;
  }
}
