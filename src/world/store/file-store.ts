/**
 * A folder an account: a lowdb document that a person can read, and the journal of the commits since. Only this
 * file and the ones it imports know that there are files.
 */
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterTick, realNow, type Timer, timer } from "../time/time.js";
import { documentFile, foldingFile, journalFile, readAccount, sizeOf } from "./account-files.js";
import { DueIndex } from "./due-index.js";
import { foldJournal } from "./fold-journal.js";
import { type FolderLock, heartbeatMs, lockFolder } from "./folder-lock.js";
import { type Durability, LineFile, toLine } from "./line-file.js";
import type { Change, State } from "./state.js";
import { checkFormat, prepareFolder } from "./storage-format.js";
import { type AccountLog, type OpenedAccount, type Store, StoreError } from "./store.js";

export interface FileStoreOptions {
  folder: string;
  durability: Durability;
  warn(message: string): void;
}

/** More open journals than these are closed, the longest open first. */
const openJournals = 256;
/** A journal is folded once it is longer than this and than the document. */
const foldFrom = 4 * 1024 * 1024;

class FileLog implements AccountLog {
  readonly file: LineFile;

  constructor(
    readonly store: FileStore,
    readonly folder: string,
    readonly lost: (error: Error) => void,
  ) {
    const path = join(folder, journalFile);
    this.file = new LineFile(path, sizeOf(path), store.options.durability);
  }

  get safe(): boolean {
    return this.store.refusal === null && this.file.idle;
  }

  append(changes: readonly Change[]): void {
    this.file.push(toLine(changes));
    this.store.flushSoon(this);
  }

  /** Where the disk is waited for, the index is waited for as well: it has the line's due time. */
  whenSafe(callback: (error: Error | null) => void): void {
    if (this.store.refusal) callback(this.store.refusal);
    else if (this.store.options.durability === "process") this.file.whenSafe(callback);
    else this.file.whenSafe((error) => (error ? callback(error) : this.store.whenDueSafe(callback)));
  }

  close(): void {
    this.store.closeLog(this);
  }
}

export class FileStore implements Store {
  readonly evicts = true;
  readonly #due: DueIndex;
  /** Logs with an open file, in the order in which they were opened. */
  readonly #open = new Set<FileLog>();
  readonly #dirty = new Set<FileLog>();
  readonly #folding = new Map<string, Promise<void>>();
  #flushing = false;
  #heartbeat: Timer;
  /** Why nothing can be read or written any more, while it cannot. */
  refusal: StoreError | null = null;

  /** Takes the folder, or throws a StoreError when it cannot be used. */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    prepareFolder(options.folder);
    const lock = await lockFolder(options.folder, options.warn);
    let isNew: boolean;
    try {
      isNew = checkFormat(options.folder);
    } catch (error) {
      lock.release();
      throw error;
    }
    return new FileStore(options, lock, isNew ? "" : realNow().toString(36));
  }

  constructor(
    readonly options: FileStoreOptions,
    readonly lock: FolderLock,
    readonly runId = "",
  ) {
    const index = join(options.folder, "due.ndjson");
    this.#due = new DueIndex(index, sizeOf(index), options.durability, options.warn);
    this.#heartbeat = this.#beatSoon();
  }

  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount> {
    if (this.refusal) throw this.refusal;
    const folder = this.#folder(id);
    if (!existsSync(folder)) return { log: new FileLog(this, folder, lost), known: false };
    return this.#read(folder, state, lost);
  }

  noteDue(id: string, due: number | null): void {
    this.#due.note(id, due);
    this.flushSoon(null);
  }

  whenDueSafe(callback: (error: null) => void): void {
    this.#due.whenSafe(() => callback(null));
  }

  dueAccounts(): Promise<Iterable<readonly [string, number]>> {
    return this.#due.load();
  }

  flushSoon(log: FileLog | null): void {
    if (log) this.#dirty.add(log);
    if (this.#flushing) return;
    this.#flushing = true;
    afterTick(() => this.#flush());
  }

  closeLog(log: FileLog): void {
    if (log.file.hasPending) this.#write(log);
    log.file.close();
    this.#open.delete(log);
    this.#dirty.delete(log);
  }

  async compact(): Promise<void> {
    this.#due.compact();
    for (const log of [...this.#open]) {
      const { length } = log.file;
      // While others were folded, it may have been closed, and its file be another log's.
      if (!this.#open.has(log)) continue;
      if (length > foldFrom && length > sizeOf(join(log.folder, documentFile))) await this.#foldJournal(log);
    }
  }

  async close(): Promise<void> {
    this.#heartbeat.cancel();
    await Promise.all(this.#folding.values());
    this.#flush();
    for (const log of [...this.#open]) this.closeLog(log);
    if (!this.refusal) this.#due.close();
    this.lock.release();
  }

  #beatSoon(): Timer {
    return timer(heartbeatMs, () => {
      if (this.lock.renew() !== "held") return this.#refuse();
      this.#heartbeat = this.#beatSoon();
    });
  }

  /** The folder belongs to another process now: what memory holds may be outdated, and nothing may be written. */
  #refuse(): void {
    const { folder, warn } = this.options;
    this.refusal = new StoreError(
      `the data folder ${folder} was taken over by another process while this one did not respond; stop one of them`,
    );
    warn(this.refusal.message);
  }

  #folder(id: string): string {
    return join(this.options.folder, "accounts", id);
  }

  async #read(folder: string, state: State, lost: (error: Error) => void): Promise<OpenedAccount> {
    await this.#folding.get(folder);
    try {
      await readAccount(folder, state, this.options.warn);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError(`${folder} cannot be read (${(error as Error).message})`);
    }
    // A process that ended before the first line was whole leaves a folder without an account.
    return { log: new FileLog(this, folder, lost), known: state.size("account") > 0 };
  }

  /** The index first: a crash between the two must not leave a pending job that nobody looks for. */
  #flush(): void {
    this.#flushing = false;
    if (this.#due.hasPending && !this.refusal) this.#due.write(() => this.flushSoon(null));
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const log of dirty) this.#write(log);
  }

  #write(log: FileLog): void {
    if (this.refusal) return log.file.fail(this.refusal, log.lost);
    this.#open.add(log);
    log.file.write((error) => {
      if (error) log.lost(error);
      else if (log.file.hasPending) this.flushSoon(log);
    });
    for (const oldest of this.#open) {
      if (this.#open.size <= openJournals) break;
      if (!oldest.file.idle) continue;
      oldest.file.close();
      this.#open.delete(oldest);
    }
  }

  /** The journal so far is set aside for the worker, and a new one begins: two renames' worth of time here. */
  async #foldJournal(log: FileLog): Promise<void> {
    const folding = join(log.folder, foldingFile);
    if (this.#folding.has(log.folder) || !log.file.idle) return;
    if (!existsSync(folding)) {
      log.file.close();
      renameSync(log.file.path, folding);
      log.file.length = 0;
    }
    const done = foldJournal(log.folder)
      .catch((error: Error) => this.options.warn(`${log.folder} could not be compacted (${error.message})`))
      .finally(() => this.#folding.delete(log.folder));
    this.#folding.set(log.folder, done);
    await done;
  }
}
