/**
 * Coverage by clients: replies and outcomes of operations, transitions and events, counted in memory.
 * Each account has its own counts, which are also added to the counts of the whole sandbox.
 */

interface Counter {
  count: number;
  readonly whole: Counter | null;
}

/** This runs for every request, so objects are allocated only the first time that a key occurs. */
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

  /** Yields the keys in the order in which they first occurred, with their counts. */
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
  /** Statuses of replies by operation id. Null means that no reply was sent. */
  readonly replies: CountsBy<string, number | null>;
  /** Outcomes by operation id. */
  readonly outcomes: CountsBy<string, string>;
  /** States that were left, by row of the machine's table. */
  readonly moves: CountsBy<object, string>;
  readonly events: Counts<string>;
  /** Calls that loaded scenarios made themselves, by operation id. No client has made them. */
  readonly scenarioCalls: Counts<string>;

  constructor(whole: Coverage | null = null) {
    this.replies = new CountsBy(whole?.replies ?? null);
    this.outcomes = new CountsBy(whole?.outcomes ?? null);
    this.moves = new CountsBy(whole?.moves ?? null);
    this.events = new Counts(whole?.events ?? null);
    this.scenarioCalls = new Counts(whole?.scenarioCalls ?? null);
  }

  called(operation: string, status: number | null, decision: { outcome: string | null } | null): void {
    this.replies.add(operation, status);
    if (status !== null && decision?.outcome) this.outcomes.add(operation, decision.outcome);
  }

  /** Clears the counts of the account. The counts of the whole sandbox are kept. */
  clear(): void {
    this.replies.clear();
    this.outcomes.clear();
    this.moves.clear();
    this.events.clear();
    this.scenarioCalls.clear();
  }
}
