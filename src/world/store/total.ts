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

/** Limits in bytes by the names of the counted things, as in the table in docs/deployment.md. */
export const declaredTotals = new Map<string, number>();

/** Number of released things from which on their places are given up, once they are the majority. */
const minReleased = 64;

/**
 * Counts things of one kind in the order of their arrival. There is no object for each of them, because a request adds
 * several, which a collection of garbage would copy.
 *
 * @example
 * const uploads = new Total<Upload>("uploads", usualLimit, (upload) => upload.cancel());
 * const number = uploads.add(upload, upload.bytes.length);
 * uploads.release(number);
 */
export class Total<T> {
  #size = 0;
  /** Number of counted things. */
  #count = 0;
  /**
   * Things with their numbers and sizes, the oldest first. The place of a released thing is empty, and so are the places
   * from `#end` on. The lists do not become shorter, because a list that grows again is copied.
   */
  readonly #items: (T | null)[] = [];
  readonly #numbers: number[] = [];
  readonly #sizes: number[] = [];
  /** Place of the oldest thing, or an empty one before it. */
  #first = 0;
  #end = 0;
  #lastNumber = 0;

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

  /**
   * Counts a thing, and drops the oldest ones while the limit is exceeded, but never this one. Returns its number, from
   * 1, by which it is released.
   */
  add(item: T, size: number): number {
    const number = ++this.#lastNumber;
    const place = this.#end++;
    this.#items[place] = item;
    this.#numbers[place] = number;
    this.#sizes[place] = size;
    this.#size += size;
    this.#count++;
    while (this.#size > this.limit) {
      while (this.#items[this.#first] === null) this.#first++;
      if ((this.#numbers[this.#first] as number) >= number) break;
      const oldest = this.#items[this.#first] as T;
      this.#releaseAt(this.#first);
      this.drop(oldest);
    }
    return number;
  }

  /** Stops counting a thing. Does nothing if it has been released or dropped. */
  release(number: number): void {
    const at = this.#placeOf(number);
    if (this.#numbers[at] === number && this.#items[at] !== null) this.#releaseAt(at);
  }

  /** Returns the place of a thing by binary search, if it is not the oldest. */
  #placeOf(number: number): number {
    if (this.#numbers[this.#first] === number) return this.#first;
    let from = this.#first;
    let to = this.#end;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#numbers[middle] as number) < number) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #releaseAt(place: number): void {
    this.#items[place] = null;
    if (place === this.#first) this.#first++;
    this.#size -= this.#sizes[place] as number;
    this.#count--;
    if (this.#end >= 2 * this.#count + minReleased) this.#closeUp();
  }

  /** Moves the things to the places of those that were released. */
  #closeUp(): void {
    let end = 0;
    for (let place = this.#first; place < this.#end; place++) {
      const item = this.#items[place] as T | null;
      if (item === null) continue;
      this.#items[place] = null;
      this.#items[end] = item;
      this.#numbers[end] = this.#numbers[place] as number;
      this.#sizes[end] = this.#sizes[place] as number;
      end++;
    }
    this.#first = 0;
    this.#end = end;
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
  /** Things from place `#first` up to `#end`. The lists do not become shorter, as in a total. */
  readonly #items: (T | undefined)[] = [];
  /** Their numbers in the total. */
  readonly #numbers: number[] = [];
  #first = 0;
  #end = 0;

  constructor(
    readonly total: Total<Owner>,
    readonly owner: Owner,
  ) {}

  get size(): number {
    return this.#end - this.#first;
  }

  get last(): T | undefined {
    return this.size > 0 ? this.#items[this.#end - 1] : undefined;
  }

  add(item: T, size: number): void {
    // The thing has its place before it is counted, because counting may remove the first things.
    this.#items[this.#end++] = item;
    const number = this.total.add(this.owner, size);
    this.#numbers[this.#end - 1] = number;
  }

  /** Removes the first thing, which must exist, and returns it. */
  removeFirst(): T {
    const item = this.#items[this.#first] as T;
    this.total.release(this.#numbers[this.#first] as number);
    this.#items[this.#first++] = undefined;
    // Many things are moved at once, because each move takes time.
    if (this.#first * 2 >= this.#end) this.#moveUp();
    return item;
  }

  /** Removes the last thing, which must exist, and returns it. */
  removeLast(): T {
    const item = this.#items[--this.#end] as T;
    this.#items[this.#end] = undefined;
    this.total.release(this.#numbers[this.#end] as number);
    return item;
  }

  /** Removes all things. */
  clear(): void {
    while (this.size > 0) this.removeLast();
  }

  *newest(): Generator<T> {
    for (let i = this.#end - 1; i >= this.#first; i--) yield this.#items[i] as T;
  }

  *oldest(): Generator<T> {
    for (let i = this.#first; i < this.#end; i++) yield this.#items[i] as T;
  }

  /** Returns the things, the oldest first. */
  toArray(): T[] {
    return this.#items.slice(this.#first, this.#end) as T[];
  }

  /** Moves the things to the beginning. */
  #moveUp(): void {
    const { size } = this;
    for (let i = 0; i < size; i++) {
      this.#items[i] = this.#items[this.#first + i];
      this.#numbers[i] = this.#numbers[this.#first + i] as number;
      this.#items[this.#first + i] = undefined;
    }
    this.#first = 0;
    this.#end = size;
  }
}
