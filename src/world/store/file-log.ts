/** The log of one account's commits in its folder. */
import { join } from "node:path";
import { journalFile } from "./account-files.js";
import { commitLines } from "./journal.js";
import { type Durability, LineFile } from "./line-file.js";
import { emptyFile } from "./lines.js";
import type { AccountEnd } from "./read-account.js";
import { type Change, type State, wholeState } from "./state.js";
import type { AccountLog, StoreError } from "./store.js";

/** The parts of the store that a log depends on. */
export interface LogWriter {
  readonly durability: Durability;
  /** Error that prevents all writes, or null. */
  readonly refusal: StoreError | null;
  flushSoon(log: FileLog): void;
  /** Writes everything again that was removed, the log included. */
  restoreLog(log: FileLog): void;
  /** Calls `callback` when no removed log is left to be written again. */
  whenRestored(callback: () => void): void;
  /** Calls `callback` when the index of due times is safe. */
  whenDueSafe(callback: (error: null) => void): void;
  foldLog(log: FileLog): Promise<void>;
  closeLog(log: FileLog): void;
}

export class FileLog implements AccountLog {
  readonly file: LineFile;
  /** Version of the document that the journal continues. */
  generation: number;

  constructor(
    readonly writer: LogWriter,
    readonly folder: string,
    readonly state: State,
    readonly lost: (error: Error) => void,
    end: AccountEnd = { ...emptyFile, generation: 0 },
    known = false,
  ) {
    const { durability } = writer;
    const everything = () => commitLines(wholeState(state));
    const options = {
      path: join(folder, journalFile),
      durability,
      everything,
      refusal: () => writer.refusal,
      removed: () => writer.restoreLog(this),
    };
    this.file = new LineFile(options, end, known);
    this.generation = end.generation;
  }

  get safe(): boolean {
    return this.writer.refusal === null && this.file.idle;
  }

  append(changes: Iterable<Change>): void {
    const lines = commitLines(changes);
    const [first, second] = [lines.next(), lines.next()];
    this.file.push(first.value as string);
    // The rest of a long commit is generated while it is written.
    if (!second.done) this.file.push(second.value, lines);
    this.writer.flushSoon(this);
  }

  /** With durability `power`, the index must be safe too, because it contains the due time of this commit. */
  whenSafe(callback: (error: Error | null) => void): void {
    const { writer } = this;
    if (writer.refusal) return callback(writer.refusal);
    this.file.whenSafe((error) => {
      if (error) callback(error);
      else if (writer.durability === "process") writer.whenRestored(() => callback(null));
      else writer.whenRestored(() => writer.whenDueSafe(callback));
    });
  }

  fold(): Promise<void> {
    return this.writer.foldLog(this);
  }

  close(): void {
    this.writer.closeLog(this);
  }
}
