/** Folds journals into documents: long ones while the store is open, and the others when it closes. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { delay, second, stopwatch } from "../../time/time.js";
import { openDocument } from "./document.js";
import type { FileLog } from "./file-log.js";
import { formatHead, isJustBegun, readerInto, type TableTexts } from "./journal.js";
import { documentFile, journalFile, readAccount } from "./read-account.js";
import { StoreError } from "./store.js";
import { replaceFile } from "./sync.js";

/** Minimum size in bytes at which housekeeping folds a journal that is longer than its document. */
const minFoldBytes = 4 * 1024 * 1024;
/** Size in bytes above which a journal that is longer than its document is folded immediately. */
const maxJournalBytes = 64 * 1024 * 1024;
/** Time limit for folding when the store closes, in ms of wall-clock time. */
const closeLimitMs = 1 * second;
/** Maximum number of accounts folded when the store closes: the most recently written ones. */
const maxFoldsAtClose = 1_000;

export interface FoldsOptions {
  warn(message: string): void;
  /** Throws if this process does not own the data folder any more. */
  check(): void;
  /** Returns a promise to wait for while lines are being synced to the disk. */
  unsynced(): Promise<void> | null;
}

class OutOfTime extends Error {}

export class Folds {
  /** Running and waiting folds, by folder. */
  readonly #folding = new Map<string, Promise<void>>();
  /** Resolves after the last fold. They run one at a time. */
  #last = Promise.resolve();
  /** Folders that have, or had, a journal, the most recently written last. */
  readonly #written = new Set<string>();
  /** Whether the store has waited long enough, as it closes, for folds to end. */
  #isOutOfTime = false;

  constructor(readonly options: FoldsOptions) {}

  /** Notes that a folder has a journal. */
  note(folder: string): void {
    this.#written.delete(folder);
    this.#written.add(folder);
  }

  /** Forgets a folder that is removed. */
  forget(folder: string): void {
    this.#written.delete(folder);
  }

  /** Resolves when no fold of this folder is running. */
  async settled(folder: string): Promise<void> {
    for (let fold = this.#folding.get(folder); fold; fold = this.#folding.get(folder))
      await fold.catch(() => {});
  }

  /** Folds the long journals, one after the other. */
  async foldLong(logs: ReadonlySet<FileLog>): Promise<void> {
    for (const log of [...logs]) {
      // While others were folded, this log may have been closed and its file opened by another log.
      if (logs.has(log) && isLong(log, minFoldBytes)) await this.#begin(log.folder, log).catch(() => {});
    }
  }

  /** Folds a journal if it has become too long to wait for housekeeping. */
  foldIfHuge(log: FileLog): void {
    if (isLong(log, maxJournalBytes)) this.#begin(log.folder, log).catch(() => {});
  }

  /** Folds everything that the account has committed so far into its document. Rejects with a StoreError if it cannot. */
  async foldNow(log: FileLog, isInMemory: () => boolean): Promise<void> {
    const { folder } = log;
    try {
      await this.settled(folder);
      const error = await new Promise<Error | null>((resolve) => log.whenCommitted(resolve));
      if (error) throw error;
      if (!isInMemory()) throw new Error("the account has left memory");
      await this.#begin(folder, log);
    } catch (error) {
      const problem = new StoreError(
        `${folder} could not be compacted (${(error as Error).message})`,
        "state.json of this account could not be brought up to date, and nothing was folded",
      );
      problem.isReported = true;
      throw problem;
    }
  }

  /**
   * Folds journals, shortest first, until the time limit. The remaining ones are read at the next start. Must be called
   * after all files have been closed.
   */
  async close(): Promise<void> {
    const elapsed = stopwatch();
    const settled = new AbortController();
    const timeout = delay(closeLimitMs, settled.signal).then(() => {
      this.#isOutOfTime = !settled.signal.aborted;
    });
    await Promise.allSettled(this.#folding.values());
    const folders = [...this.#written].filter(hasCommits).slice(-maxFoldsAtClose);
    const sizes = folders.map((folder) => ({ folder, bytes: sizeOf(folder, journalFile, documentFile) }));
    for (const { folder } of sizes.sort((a, b) => a.bytes - b.bytes)) {
      if (elapsed() > closeLimitMs || this.#isOutOfTime) break;
      await this.#begin(folder, null).catch(() => {});
    }
    settled.abort();
    await timeout;
  }

  /** Folds the journal of a folder after all others, and tells the operator if it cannot be written. */
  async #begin(folder: string, log: FileLog | null): Promise<void> {
    if (this.#folding.has(folder) || !hasCommits(folder)) return;
    const { check, warn } = this.options;
    this.#last = this.#last
      .catch(() => {})
      .then(() =>
        this.#fold(folder, log, () => {
          if (this.#isOutOfTime) throw new OutOfTime();
          check();
        }),
      );
    this.#folding.set(folder, this.#last);
    try {
      await this.#last;
    } catch (error) {
      if (!(error instanceof OutOfTime))
        warn(`${folder} could not be compacted (${(error as Error).message})`);
      throw error;
    } finally {
      this.#folding.delete(folder);
    }
  }

  /**
   * Puts a new document in place, which the disk has, and then cuts the journal. An interruption between the two is
   * harmless.
   */
  async #fold(folder: string, log: FileLog | null, check: () => void): Promise<void> {
    const { unsynced, warn } = this.options;
    const until = async () => {
      for (let syncing = unsynced(); syncing; syncing = unsynced()) await syncing;
    };
    if (log) await until();
    const length = log?.whole.length;
    const restarts = log?.restarts;
    const tables: TableTexts = new Map();
    const end = await readAccount({ folder, reader: readerInto(tables), length, warn, check });
    if (!end) return;
    const { incarnation, sequence, due } = end;
    const database = openDocument(join(folder, documentFile), check);
    database.data = { incarnation, sequence, tables };
    await database.write();
    if (log) await until();
    check();
    if (!log) return replaceFile(join(folder, journalFile), formatHead(incarnation, sequence, due), true);
    if (log.restarts !== restarts) throw new Error("the account's folder was removed");
    if (!log.isLost) log.cut(end);
  }
}

const isLong = ({ whole, folder }: FileLog, minBytes: number): boolean =>
  whole.length > minBytes && whole.length > sizeOf(folder, documentFile);

const hasCommits = (folder: string): boolean => {
  const journal = join(folder, journalFile);
  return existsSync(journal) && !isJustBegun(journal);
};

/** Returns the size in bytes of the files, as far as they exist. */
const sizeOf = (folder: string, ...names: string[]): number =>
  names
    .map((name) => join(folder, name))
    .reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
