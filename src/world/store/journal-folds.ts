/** Folds journals into documents, a piece of a file at a time: long ones while the store is open, and the others when it closes. */
import { existsSync, renameSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { delay, second, stopwatch } from "../../time/time.js";
import { documentFile, foldingFile, journalFile, sizeOf } from "./account-files.js";
import { type DocumentTable, readDocument, writeDocument } from "./document.js";
import type { FileLog } from "./file-log.js";
import { isJustBegun, readJournal, startJournal } from "./journal.js";
import { syncFolders } from "./sync.js";

/** Minimum size in bytes at which housekeeping folds a journal that is longer than its document. */
const minFoldBytes = 4 * 1024 * 1024;
/** Size in bytes above which a journal that is longer than its document is folded immediately. */
const maxJournalBytes = 64 * 1024 * 1024;
/** Time limit for folding when the store closes, in ms of wall-clock time. */
const closeLimitMs = 1 * second;
/** Maximum number of accounts folded when the store closes: the most recently written ones. */
const maxFoldsAtClose = 1_000;

export class JournalFolds {
  /** Running and waiting folds, by folder. */
  readonly #folding = new Map<string, Promise<void>>();
  /** Resolves after the last fold. They run one at a time. */
  #last = Promise.resolve();
  /** Folders that have, or had, a journal. The one that was written last comes last. */
  readonly #written = new Set<string>();
  /** Whether the store has waited long enough, as it closes, for folds to end. */
  #isOutOfTime = false;

  constructor(
    readonly warn: (message: string) => void,
    /** Whether a new journal must be on the disk before it is used. */
    readonly isSynced: boolean,
    /** Returns the file that exists as long as this process owns the data folder. */
    readonly lockFile: () => string,
  ) {}

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
    await this.#folding.get(folder)?.catch(() => {});
  }

  /** Folds the long journals, one after the other. */
  async foldLong(logs: ReadonlySet<FileLog>): Promise<void> {
    for (const log of [...logs]) {
      // While others were folded, this log may have been closed and its file opened by another log.
      if (logs.has(log) && isLong(log, minFoldBytes)) await this.fold(log).catch(() => {});
    }
  }

  /** Folds a journal if it has become too long to wait for housekeeping. */
  foldIfHuge(log: FileLog): void {
    if (isLong(log, maxJournalBytes)) this.fold(log).catch(() => {});
  }

  /**
   * Folds journals, shortest first, until the time limit. The remaining ones are read at the next start. Must be called
   * after all files have been closed.
   */
  async close(): Promise<void> {
    const elapsed = stopwatch();
    const settled = new AbortController();
    void delay(closeLimitMs, settled.signal).then(() => {
      this.#isOutOfTime = true;
    });
    await Promise.allSettled(this.#folding.values());
    settled.abort();
    const checkTime = () => {
      if (elapsed() > closeLimitMs) throw new OutOfTime();
    };
    const folders = [...this.#written].filter(hasCommits).slice(-maxFoldsAtClose);
    const sizes = folders.map((folder) => ({ folder, bytes: bytesOf(folder) }));
    for (const { folder } of sizes.sort((one, other) => one.bytes - other.bytes)) {
      try {
        checkTime();
        const journals = [foldingFile, journalFile];
        await foldFiles(folder, { journals, lock: this.lockFile() }, checkTime);
      } catch (error) {
        if (error instanceof OutOfTime) return;
        this.#warnOf(folder, error as Error);
      }
    }
  }

  /**
   * Sets the journal aside, starts a new one, and folds the one set aside. If the folder cannot be written, the operator is
   * told, and the promise is rejected.
   */
  async fold(log: FileLog): Promise<void> {
    const { file, folder } = log;
    if (this.#folding.has(folder) || !file.idle || !hasCommits(folder)) return;
    try {
      if (!existsSync(join(folder, foldingFile))) this.#putAside(log);
      const files = { journals: [foldingFile], generation: log.generation, lock: this.lockFile() };
      const checkTime = () => {
        if (this.#isOutOfTime) throw new OutOfTime();
      };
      this.#last = this.#last.catch(() => {}).then(() => foldFiles(folder, files, checkTime));
      this.#folding.set(folder, this.#last);
      await this.#last;
    } catch (error) {
      if (!(error instanceof OutOfTime)) this.#warnOf(folder, error as Error);
      throw error;
    } finally {
      this.#folding.delete(folder);
    }
  }

  /** Makes the journal the one that is folded, and starts the one that continues the document after that. */
  #putAside(log: FileLog): void {
    const { path } = log.file;
    log.file.close();
    const end = startJournal(path, log.generation + 1, this.isSynced, () => {
      renameSync(path, join(log.folder, foldingFile));
      renameSync(`${path}.new`, path);
    });
    log.file.startAt(end);
    log.generation++;
  }

  #warnOf(folder: string, { message }: Error): void {
    this.warn(`${folder} could not be compacted (${message})`);
  }
}

class OutOfTime extends Error {}

const isLong = ({ file, folder }: FileLog, minBytes: number): boolean =>
  file.length > minBytes && file.length > sizeOf(join(folder, documentFile));

const hasCommits = (folder: string): boolean => {
  const journal = join(folder, journalFile);
  return existsSync(join(folder, foldingFile)) || (sizeOf(journal) > 0 && !isJustBegun(journal));
};

const bytesOf = (folder: string): number =>
  [documentFile, foldingFile, journalFile].reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);

interface Fold {
  /** Names of the journals, the oldest one first. */
  journals: readonly string[];
  /** Path of a file that exists as long as this process owns the data folder. */
  lock?: string;
  /** Version of the new document. Default: the one that follows from the last journal. */
  generation?: number;
}

type Tables = Map<string, Map<string, string>>;

/**
 * Folds the journals of a folder that exist. The new document is on the disk before it replaces the old one; the journals are
 * replaced or deleted afterwards. If this is interrupted, the next fold ignores what was folded. `checkTime` is called for each
 * record and throws to abort the fold.
 */
export async function foldFiles(
  folder: string,
  { journals: names, lock, generation: wanted }: Fold,
  checkTime = () => {},
): Promise<void> {
  const journals = names.filter((name) => existsSync(join(folder, name)));
  if (journals.length === 0) return;
  const document = join(folder, documentFile);
  const next = `${document}.new`;
  const checkLock = () => {
    if (lock !== undefined && !existsSync(lock))
      throw new Error("the data folder was removed or taken over by another process");
  };
  const paths = journals.map((name) => join(folder, name));
  const { tables, generation } = await readAll(document, paths, checkTime);
  const written = wanted ?? generation;
  try {
    await writeDocument(next, written, checked(tables, checkTime));
    checkLock();
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await rename(next, document);
  await syncFolders([folder]);
  for (const name of journals) {
    checkLock();
    if (name === journalFile) startJournal(join(folder, name), written, true);
    else await rm(join(folder, name));
    await syncFolders([folder]);
  }
}

/** Reads everything, and returns the version of the document that contains it. */
async function readAll(
  document: string,
  journals: readonly string[],
  checkTime: () => void,
): Promise<{ tables: Tables; generation: number }> {
  const tables: Tables = new Map();
  const reader = {
    load(table: string, id: string, text: string | null) {
      checkTime();
      const rows = tables.get(table) ?? new Map<string, string>();
      tables.set(table, rows);
      if (text === null) rows.delete(id);
      else rows.set(id, text);
    },
    clear: () => tables.clear(),
  };
  let known = existsSync(document) ? await readDocument(document, reader) : null;
  let generation = known ?? 0;
  for (const journal of journals) {
    const end = await readJournal(journal, known, reader, (line, _length, isApplied) => {
      if (isApplied) throw new Error(`${journal} was cut off in line ${line}`);
    });
    known = end.next;
    generation = known ?? end.generation + 1;
  }
  return { tables, generation };
}

function* checked(tables: Tables, checkTime: () => void): Generator<DocumentTable> {
  for (const [table, rows] of tables) yield [table, checkedRows(rows, checkTime)];
}

function* checkedRows(
  rows: ReadonlyMap<string, string>,
  checkTime: () => void,
): Generator<readonly [id: string, text: string]> {
  for (const row of rows) {
    checkTime();
    yield row;
  }
}
