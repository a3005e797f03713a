/** The log of one account's commits: a queue of lines, of which its store takes the ones that it writes next. */
import { commitLines } from "./journal.js";
import type { Change, State } from "./state.js";
import type { AccountLog } from "./store.js";

type SafeCallback = (error: Error | null) => void;

/** A line, lines that are generated as they are taken, or a callback that waits for all lines before it. */
type Entry = string | Iterator<string> | SafeCallback;

/** The parts of a store that its logs depend on. */
export interface LogWriter {
  /** Whether the store is known to own its accounts, so that replies may leave. */
  readonly isLive: boolean;
  /** Calls `callback` once the store is known to own its accounts, or with an error if that cannot be determined. */
  whenLive(callback: SafeCallback): void;
  /** Takes lines of the log soon. */
  commitSoon(log: Log): void;
  /** Called when the account leaves memory. */
  release(log: Log): void;
}

export class Log implements AccountLog {
  #queue: Entry[] = [];
  /** Callbacks of the lines that were taken and are being written. */
  #taken: SafeCallback[] | null = null;
  /** Sequence of the last line taken. */
  sequence = 0;
  /** Why the account was lost, or null. */
  #lostBy: Error | null = null;
  isClosed = false;

  constructor(
    readonly writer: LogWriter,
    readonly id: string,
    readonly state: State,
    /** Called when a line could not be kept, after the callbacks that wait for it. */
    readonly lost: (error: Error) => void,
  ) {}

  get isLost(): boolean {
    return this.#lostBy !== null;
  }

  get hasPending(): boolean {
    return this.#queue.length > 0;
  }

  /** Whether lines were taken and are being written. */
  get isBusy(): boolean {
    return this.#taken !== null;
  }

  get isIdle(): boolean {
    return !this.hasPending && !this.isBusy;
  }

  get safe(): boolean {
    return this.isIdle && !this.isLost && this.writer.isLive;
  }

  append(changes: Iterable<Change>): void {
    if (this.isLost) return;
    this.#push(changes);
    this.writer.commitSoon(this);
  }

  /** Calls `callback` once a reply may leave: when all lines so far are committed and the store was live after that. */
  whenSafe(callback: SafeCallback): void {
    this.whenCommitted((error) => {
      if (error) callback(error);
      else this.writer.whenLive((error) => callback(this.#lostBy ?? error));
    });
  }

  /** Calls `callback` when every line so far is committed, or was lost. */
  whenCommitted(callback: SafeCallback): void {
    if (this.#lostBy) callback(this.#lostBy);
    else if (this.hasPending) this.#queue.push(callback);
    else if (this.#taken) this.#taken.push(callback);
    else callback(null);
  }

  close(): void {
    this.isClosed = true;
    this.writer.release(this);
  }

  /**
   * Takes lines for a batch, up to this length in characters and this number of lines. The batch ends with `committed`
   * or `fail`.
   */
  take(maxLength: number, maxLines = Number.POSITIVE_INFINITY): string[] {
    const lines: string[] = [];
    const waiting: SafeCallback[] = [];
    let length = 0;
    while (this.hasPending) {
      const isFull = length >= maxLength || lines.length >= maxLines;
      // Callbacks after the last line need not wait for the next batch.
      if (isFull && typeof this.#queue[0] !== "function") break;
      const entry = this.#queue[0] as Entry;
      const next = typeof entry === "object" ? entry.next() : null;
      if (!next || next.done) this.#queue.shift();
      if (typeof entry === "function") waiting.push(entry);
      const line = typeof entry === "string" ? entry : next?.value;
      if (typeof line !== "string") continue;
      lines.push(line);
      length += line.length;
      this.sequence++;
    }
    this.#taken = waiting;
    return lines;
  }

  /** Ends the batch that was taken last. */
  committed(): void {
    const waiting = this.#taken ?? [];
    this.#taken = null;
    for (const callback of waiting) callback(null);
  }

  /** Notes that lines were not kept, or that the account may have another owner. Everything pending is lost too. */
  fail(error: Error): void {
    if (this.#lostBy) return;
    this.#lostBy = error;
    const waiting = this.#endWaits();
    for (const callback of waiting) callback(error);
    if (!this.isClosed) this.lost(error);
  }

  /** Replaces everything taken or pending with changes that contain it. */
  protected replacePending(changes: Iterable<Change>): void {
    const waiting = this.#endWaits();
    this.#push(changes);
    this.#queue.push(...waiting);
  }

  /** Queues the lines of a commit. All but the first are generated as they are taken. */
  #push(changes: Iterable<Change>): void {
    const lines = commitLines(changes);
    const [first, second] = [lines.next(), lines.next()];
    this.#queue.push(first.value as string);
    if (!second.done) this.#queue.push(second.value, lines);
  }

  /** Drops everything that is taken or pending, and returns the callbacks that wait for it. */
  #endWaits(): SafeCallback[] {
    const queued = this.#queue.filter((entry) => typeof entry === "function");
    const waiting = [...(this.#taken ?? []), ...queued];
    this.#taken = null;
    this.#queue = [];
    return waiting;
  }
}
