/**
 * Totals of what the process keeps in memory, one for each kind of thing, over all accounts. When a total is exceeded,
 * the oldest things are dropped first. They are shares of the heap, so that Node's `--max-old-space-size` changes all
 * of them.
 */
import { getHeapStatistics } from "node:v8";

/** Returns this part of the heap's limit, in bytes. */
export const partOfHeap = (parts: number): number => Math.floor(getHeapStatistics().heap_size_limit / parts);

/** Limit of most totals: with all of them full, half of the heap is free. Texts count by their characters. */
export const usualLimit = partOfHeap(20);

/** A thing that a total counts, in the order of their arrival. */
export interface Counted<T> {
  readonly item: T;
  readonly size: number;
  older: Counted<T> | null;
  newer: Counted<T> | null;
}

/** Limits in bytes by the names of the counted things, as in the table in docs/deployment.md. */
export const declaredTotals = new Map<string, number>();

/**
 * Counts things of one kind.
 *
 * @example
 * const uploads = new Total<Upload>("uploads", usualLimit, (upload) => upload.cancel());
 * const share = uploads.add(upload, upload.bytes.length);
 * uploads.release(share);
 */
export class Total<T> {
  #size = 0;
  #oldest: Counted<T> | null = null;
  #newest: Counted<T> | null = null;

  constructor(
    /** Noun for the counted things, in the plural. */
    what: string,
    readonly limit: number,
    /** Ends or forgets a thing, which is no longer counted. */
    readonly drop: (item: T) => void,
  ) {
    declaredTotals.set(what, limit);
  }

  get size(): number {
    return this.#size;
  }

  /** Counts a thing, and drops the oldest ones while the limit is exceeded, but never this one. */
  add(item: T, size: number): Counted<T> {
    const share: Counted<T> = { item, size, older: this.#newest, newer: null };
    if (this.#newest) this.#newest.newer = share;
    else this.#oldest = share;
    this.#newest = share;
    this.#size += size;
    while (this.#size > this.limit && this.#oldest && this.#oldest !== share) {
      const oldest: Counted<T> = this.#oldest;
      this.release(oldest);
      this.drop(oldest.item);
    }
    return share;
  }

  /** Stops counting a thing. Does nothing if it has been released or dropped. */
  release(share: Counted<T>): void {
    const { older, newer } = share;
    if (!older && this.#oldest !== share) return;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    share.older = null;
    share.newer = null;
    this.#size -= share.size;
  }
}

/**
 * Things of one owner in the order of their arrival, each of which a total counts. `drop` of the total must remove the
 * first of the owner's things.
 *
 * @example
 * readonly #entries = new CountedList<Entry, Journal>(allEntries, this);
 * this.#entries.add(entry, entry.text.length);
 */
export class CountedList<T, Owner> {
  /** Things from number `#first` on; earlier ones have been removed. */
  #items: (T | undefined)[] = [];
  #shares: (Counted<Owner> | undefined)[] = [];
  #first = 0;

  constructor(
    readonly total: Total<Owner>,
    readonly owner: Owner,
  ) {}

  get size(): number {
    return this.#items.length - this.#first;
  }

  get last(): T | undefined {
    return this.#items[this.#items.length - 1];
  }

  add(item: T, size: number): void {
    this.#items.push(item);
    // Counted before its share has a place, because counting may remove the first things.
    const share = this.total.add(this.owner, size);
    this.#shares.push(share);
  }

  /** Removes the first thing, which must exist, and returns it. */
  removeFirst(): T {
    const item = this.#items[this.#first] as T;
    this.total.release(this.#shares[this.#first] as Counted<Owner>);
    this.#items[this.#first] = undefined;
    this.#shares[this.#first++] = undefined;
    // Many places are given up at once, because each slice moves the remaining things.
    if (this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#shares = this.#shares.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** Removes the last thing, which must exist, and returns it. */
  removeLast(): T {
    this.total.release(this.#shares.pop() as Counted<Owner>);
    return this.#items.pop() as T;
  }

  /** Removes all things. */
  clear(): void {
    for (const share of this.#shares) if (share) this.total.release(share);
    this.#items = [];
    this.#shares = [];
    this.#first = 0;
  }

  *newest(): Generator<T> {
    for (let i = this.#items.length - 1; i >= this.#first; i--) yield this.#items[i] as T;
  }

  *oldest(): Generator<T> {
    for (let i = this.#first; i < this.#items.length; i++) yield this.#items[i] as T;
  }

  /** Returns the things, the oldest first. */
  toArray(): T[] {
    return this.#items.slice(this.#first) as T[];
  }
}
