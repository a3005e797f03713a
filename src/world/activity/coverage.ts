/** Counts in memory: coverage for testers, for each account and for the sandbox, and figures for operators. */

export class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  /** `whole`: counts of the whole sandbox, to which everything is added as well. */
  constructor(readonly whole: Counts<Key> | null = null) {}

  add(key: Key): void {
    this.#counts.set(key, this.get(key) + 1);
    this.whole?.add(key);
  }

  get(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Returns the keys in the order in which they first occurred, with their counts. */
  entries(): Iterable<[key: Key, count: number]> {
    return this.#counts;
  }

  clear(): void {
    this.#counts.clear();
  }
}

export class CountsBy<Group, Key> {
  readonly #groups = new Map<Group, Counts<Key>>();

  constructor(readonly whole: CountsBy<Group, Key> | null = null) {}

  /** Returns the counts of a group. */
  of(group: Group): Counts<Key> {
    let counts = this.#groups.get(group);
    if (!counts) {
      counts = new Counts<Key>(this.whole?.of(group));
      this.#groups.set(group, counts);
    }
    return counts;
  }

  groups(): Iterable<[group: Group, counts: Counts<Key>]> {
    return this.#groups;
  }

  clear(): void {
    this.#groups.clear();
  }
}

/** Coverage by clients: replies and outcomes of operations, transitions and events. */
export class Coverage {
  /** Statuses of replies by operation id. Null means that no reply was sent. */
  readonly replies: CountsBy<string, number | null>;
  /** Outcomes by operation id. */
  readonly outcomes: CountsBy<string, string>;
  /** States that were left, by row of the machine's table. */
  readonly moves: CountsBy<object, string>;
  readonly events: Counts<string>;
  /** Number of calls made by loaded scenarios instead of clients, by operation id. */
  readonly scenarioCalls: Counts<string>;

  constructor(whole: Coverage | null = null) {
    this.replies = new CountsBy(whole?.replies);
    this.outcomes = new CountsBy(whole?.outcomes);
    this.moves = new CountsBy(whole?.moves);
    this.events = new Counts(whole?.events);
    this.scenarioCalls = new Counts(whole?.scenarioCalls);
  }

  called(operation: string, status: number | null, decision: { outcome: string | null } | null): void {
    this.replies.of(operation).add(status);
    if (status !== null && decision?.outcome) this.outcomes.of(operation).add(decision.outcome);
  }

  /** Clears the counts of the account. The counts of the whole sandbox are kept. */
  clear(): void {
    for (const counts of [this.replies, this.outcomes, this.moves, this.events, this.scenarioCalls])
      counts.clear();
  }
}

/** Counts of what has happened since the start, for operators. */
export class Figures {
  commits = 0;
  /** Number of delivery attempts by the class of the answer, such as `2xx`, or `none`. */
  readonly attempts = new Counts<string>();
  /**
   * Number of requests by operation and status. The operation is undefined for unknown paths; the status is null if a
   * fault dropped the request.
   */
  readonly requests = new CountsBy<string | undefined, number | null>();

  committed(): void {
    this.commits++;
  }

  attempted({ status }: { status: number | null }): void {
    this.attempts.add(status === null ? "none" : `${Math.floor(status / 100)}xx`);
  }

  answered(operation: string | undefined, status: number | null): void {
    this.requests.of(operation).add(status);
  }
}
