/** The log of one account's commits: a queue of lines that the group commit takes from. */
import { commitLines } from "../journal.js";
import type { Change, State } from "../state.js";
import type { AccountLog } from "../store.js";

type SafeCallback = (error: Error | null) => void;

/** Calls back with the sequence of the last line before it, once that line is committed. */
class Mark {
  constructor(readonly callback: (sequence: number) => void) {}
}

/** A line, lines that are generated as they are taken, or a callback that waits for all lines before it. */
type Entry = string | Iterator<string> | SafeCallback | Mark;

/** Lines of one log in a batch. */
export interface TakenLines {
  lines: string[];
  /** Called when the lines are committed, or could not be. */
  waiting: SafeCallback[];
}

/** The parts of the store that a log depends on. */
export interface LogOwner {
  readonly isLive: boolean;
  /** Calls `callback` once the replica is known to own its accounts, or with an error if that cannot be found out. */
  whenLive(callback: SafeCallback): void;
  commitSoon(log: PostgresLog): void;
  release(log: PostgresLog): void;
}

export interface Ownership {
  id: string;
  epoch: string;
  /** Sequence of the last line in the journal. */
  sequence: number;
  /** Version of the document. */
  document: string;
  /** Sequence of the last line that the document contains. */
  folded: number;
  /** Real time in ms at which the account was last known to be in use before it was acquired. */
  lastUsed: number;
}

export class PostgresLog implements AccountLog {
  #queue: Entry[] = [];
  #busy: TakenLines | null = null;
  /** Sequence of the last line taken. */
  sequence: number;
  /** Sequence of the last line that the document contains. */
  folded: number;
  /** Number of characters in the journal and in the document, as far as this replica has seen them. */
  readonly length = { journal: 0, document: 0 };
  /** Why this replica has lost the account, or null. */
  #lostBy: Error | null = null;
  isClosed = false;
  /** Whether everything that is stored is deleted when the account is released. */
  isRemoved = false;

  constructor(
    readonly owner: LogOwner,
    readonly ownership: Ownership,
    readonly state: State,
    readonly lost: (error: Error) => void,
  ) {
    this.sequence = ownership.sequence;
    this.folded = ownership.folded;
  }

  get id(): string {
    return this.ownership.id;
  }

  get epoch(): string {
    return this.ownership.epoch;
  }

  get isLost(): boolean {
    return this.#lostBy !== null;
  }

  get hasPending(): boolean {
    return this.#queue.length > 0;
  }

  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#busy === null;
  }

  get safe(): boolean {
    return this.isIdle && !this.isLost && this.owner.isLive;
  }

  append(changes: Iterable<Change>): void {
    if (this.isLost) return;
    const lines = commitLines(changes);
    const [first, second] = [lines.next(), lines.next()];
    this.#queue.push(first.value as string);
    if (!second.done) this.#queue.push(second.value, lines);
    this.owner.commitSoon(this);
  }

  /** Calls `callback` once a reply may leave: when all lines so far are committed and the lease was live after that. */
  whenSafe(callback: SafeCallback): void {
    this.whenCommitted((error) => {
      if (error) callback(error);
      else this.owner.whenLive((error) => callback(this.#lostBy ?? error));
    });
  }

  close(): void {
    this.isClosed = true;
    this.owner.release(this);
  }

  /** Returns the state as of now, as changes, and the sequence of its last line once that is committed. */
  checkpoint(changesOf: (state: State) => Iterable<Change>): {
    changes: Iterable<Change>;
    sequence: Promise<number>;
  } {
    const changes = changesOf(this.state);
    const sequence = new Promise<number>((resolve, reject) => {
      if (this.isIdle) return resolve(this.sequence);
      this.#queue.push(
        new Mark((sequence) => this.whenCommitted((error) => (error ? reject(error) : resolve(sequence)))),
      );
      this.owner.commitSoon(this);
    });
    return { changes, sequence };
  }

  /** Takes lines for a batch, up to both limits. */
  take(limit: { lines: number; characters: number }): TakenLines {
    const taken: TakenLines = { lines: [], waiting: [] };
    this.#busy = taken;
    while (this.#queue.length > 0 && limit.lines > 0 && limit.characters > 0) {
      const entry = this.#queue[0] as Entry;
      const next = typeof entry === "object" && "next" in entry ? entry.next() : null;
      if (!next || next.done) this.#queue.shift();
      if (typeof entry === "function") taken.waiting.push(entry);
      else if (entry instanceof Mark) entry.callback(this.sequence);
      const line = typeof entry === "string" ? entry : next?.value;
      if (typeof line !== "string") continue;
      taken.lines.push(line);
      this.sequence++;
      this.length.journal += line.length;
      limit.lines--;
      limit.characters -= line.length;
    }
    return taken;
  }

  /** Ends the batch that was taken last. */
  committed(): void {
    const { waiting = [] } = this.#busy ?? {};
    this.#busy = null;
    for (const callback of waiting) callback(null);
  }

  /** Notes that lines were not kept, or that another replica may own the account. Everything pending is lost too. */
  fail(error: Error): void {
    if (this.#lostBy) return;
    this.#lostBy = error;
    const queued = this.#queue.filter((entry) => typeof entry === "function");
    const waiting = [...(this.#busy?.waiting ?? []), ...queued];
    const marks = this.#queue.filter((entry) => entry instanceof Mark);
    this.#busy = null;
    this.#queue = [];
    for (const { callback } of marks) callback(this.sequence);
    for (const callback of waiting) callback(error);
    if (!this.isClosed) this.lost(error);
  }

  /** Calls `callback` when every line so far is committed, or was lost. */
  whenCommitted(callback: SafeCallback): void {
    if (this.#lostBy) callback(this.#lostBy);
    else if (this.#queue.length > 0) this.#queue.push(callback);
    else if (this.#busy) this.#busy.waiting.push(callback);
    else callback(null);
  }
}
