/**
 * What clients have tried: replies and outcomes of operations, transitions, events; counted in memory.
 * An account counts its own, and the whole sandbox counts along.
 */

interface Counter {
  count: number;
  readonly whole: Counter | null;
}

/** This stands in the way of every request: something is made at the first sight of a key only. */
class Counts<Key> {
  readonly #counters = new Map<Key, Counter>();

  constructor(readonly whole: Counts<Key> | null) {}

  add(key: Key): void {
    const counter = this.#counterOf(key);
    counter.count++;
    if (counter.whole) counter.whole.count++;
  }

  get(key: Key): number {
    return this.#counters.get(key)?.count ?? 0;
  }

  /** What was seen so far, in the order in which it was first seen. */
  *entries(): Generator<[key: Key, count: number]> {
    for (const [key, { count }] of this.#counters) yield [key, count];
  }

  clear(): void {
    this.#counters.clear();
  }

  #counterOf(key: Key): Counter {
    let counter = this.#counters.get(key);
    if (!counter) {
      counter = { count: 0, whole: this.whole ? this.whole.#counterOf(key) : null };
      this.#counters.set(key, counter);
    }
    return counter;
  }
}

class CountsBy<Group, Key> {
  readonly #groups = new Map<Group, Counts<Key>>();

  constructor(readonly whole: CountsBy<Group, Key> | null) {}

  add(group: Group, key: Key): void {
    this.#of(group).add(key);
  }

  get(group: Group, key: Key): number {
    return this.#groups.get(group)?.get(key) ?? 0;
  }

  entries(group: Group): Iterable<[key: Key, count: number]> {
    return this.#groups.get(group)?.entries() ?? [];
  }

  clear(): void {
    this.#groups.clear();
  }

  #of(group: Group): Counts<Key> {
    let counts = this.#groups.get(group);
    if (!counts) {
      counts = new Counts<Key>(this.whole ? this.whole.#of(group) : null);
      this.#groups.set(group, counts);
    }
    return counts;
  }
}

export class Coverage {
  /** Statuses of the replies, by operation id; null: there was none. */
  readonly replies: CountsBy<string, number | null>;
  /** By operation id. */
  readonly outcomes: CountsBy<string, string>;
  /** States that were left, by the row of the machine's table. */
  readonly moves: CountsBy<object, string>;
  readonly events: Counts<string>;

  constructor(whole: Coverage | null = null) {
    this.replies = new CountsBy(whole?.replies ?? null);
    this.outcomes = new CountsBy(whole?.outcomes ?? null);
    this.moves = new CountsBy(whole?.moves ?? null);
    this.events = new Counts(whole?.events ?? null);
  }

  called(operation: string, status: number | null, decision: { outcome: string | null } | null): void {
    this.replies.add(operation, status);
    if (status !== null && decision?.outcome) this.outcomes.add(operation, decision.outcome);
  }

  /** Starts anew. What an account forgets, the whole sandbox goes on knowing. */
  clear(): void {
    this.replies.clear();
    this.outcomes.clear();
    this.moves.clear();
    this.events.clear();
  }
}
