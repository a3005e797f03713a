/**
 * A folder per account: a lowdb document that a person can read, and the journal of the commits since. Only this
 * file and the ones it imports know that there are files.
 */
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Slots } from "../slots.js";
import { afterTick, realNow, type Timer, timer } from "../time/time.js";
import {
  documentFile,
  type FileEnd,
  foldingFile,
  journalFile,
  readAccount,
  sizeOf,
} from "./account-files.js";
import { DueIndex } from "./due-index.js";
import { foldJournal } from "./fold-journal.js";
import { FolderLock, heartbeatMs, lockFolder, tryLock } from "./folder-lock.js";
import { type Durability, LineFile, toLine, wholeState } from "./line-file.js";
import { RequestLog } from "./request-log.js";
import type { Change, State } from "./state.js";
import { checkFormat, prepareFolder } from "./storage-format.js";
import { type AccountLog, type OpenedAccount, type Store, StoreError } from "./store.js";

export interface FileStoreOptions {
  folder: string;
  durability: Durability;
  warn(message: string): void;
}

/** Number of journals kept open. The one that was opened first is closed first. */
const maxOpenJournals = 256;
/** Number of accounts read at once: each takes a file descriptor. */
const maxReads = 32;
/** Bytes from which housekeeping folds a journal that is longer than its document. */
const minFoldBytes = 4 * 1024 * 1024;
/** Bytes from which a journal that is longer than its document is folded at once. */
const maxJournalBytes = 64 * 1024 * 1024;

class FileLog implements AccountLog {
  readonly file: LineFile;

  constructor(
    readonly store: FileStore,
    readonly folder: string,
    readonly state: State,
    readonly lost: (error: Error) => void,
    end: FileEnd = { length: 0, checksum: 0 },
    known = false,
  ) {
    const { durability } = store.options;
    const everything = () => wholeState(state);
    this.file = new LineFile({ path: join(folder, journalFile), durability, everything }, end, known);
    store.logs.add(this);
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
  /** Logs of all accounts in memory. */
  readonly logs = new Set<FileLog>();
  readonly #due: DueIndex;
  /** Logs with an open file, in the order in which they were opened. */
  readonly #open = new Set<FileLog>();
  readonly #dirty = new Set<FileLog>();
  readonly #folding = new Map<string, Promise<void>>();
  /** The end of the last fold: one at a time. */
  #folds = Promise.resolve();
  readonly #reads = new Slots(maxReads);
  #flushing = false;
  #lock: FolderLock;
  #heartbeat: Timer;
  /** Why nothing can be read or written, while it cannot. */
  refusal: StoreError | null = null;

  /** Takes the folder, or throws a StoreError when it cannot be used. */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    prepareFolder(options.folder);
    const lock = await lockFolder(options.folder, options.warn);
    try {
      const isNew = checkFormat(options.folder);
      return new FileStore(options, lock, isNew ? "" : realNow().toString(36));
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  constructor(
    readonly options: FileStoreOptions,
    lock: FolderLock,
    readonly runId = "",
  ) {
    const { folder, durability, warn } = options;
    this.#lock = lock;
    this.#due = new DueIndex({
      path: join(folder, "due.ndjson"),
      accounts: join(folder, "accounts"),
      durability,
      warn,
    });
    this.#heartbeat = timer(heartbeatMs, () => this.#beat());
  }

  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount> {
    if (this.refusal) throw this.refusal;
    const folder = this.#folder(id);
    if (!existsSync(folder)) return { log: new FileLog(this, folder, state, lost), known: false };
    return this.#read(folder, state, lost);
  }

  requestLog(id: string): RequestLog {
    const canWrite = () => this.refusal === null && this.#lock.renew() === "held";
    return new RequestLog(join(this.#folder(id), "requests.ndjson"), this.options.warn, canWrite);
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
    this.logs.delete(log);
  }

  async compact(): Promise<void> {
    this.#due.compact();
    for (const log of [...this.#open]) {
      // While others were folded, it may have been closed, and its file be another log's.
      if (this.#open.has(log) && this.#isLong(log, minFoldBytes)) await this.#foldJournal(log);
    }
  }

  async close(): Promise<void> {
    this.#heartbeat.cancel();
    await Promise.allSettled(this.#folding.values());
    this.#flush();
    for (const log of [...this.#open]) this.closeLog(log);
    if (!this.refusal) this.#due.close();
    this.#lock.release();
  }

  #folder(id: string): string {
    return join(this.options.folder, "accounts", id);
  }

  #beat(): void {
    try {
      if (!this.#stillOwns()) return;
    } catch (error) {
      this.#refuse(error as Error);
    }
    this.#heartbeat = timer(heartbeatMs, () => this.#beat());
  }

  /** Renews the lock and makes up for files that were removed. Returns false when another process has the folder. */
  #stillOwns(): boolean {
    const { folder } = this.options;
    const state = this.#lock.renew();
    if (state === "taken") {
      this.#refuse(
        new StoreError(
          `the data folder ${folder} was taken over by another process while this one did not respond; stop one of them`,
        ),
      );
      return false;
    }
    if (state === "removed") this.#restore();
    for (const log of this.#open) if (log.file.isRemoved) this.#restart(log);
    if (this.#due.restoreIfRemoved()) this.flushSoon(null);
    return true;
  }

  #refuse(error: Error): void {
    if (this.refusal?.message === error.message) return;
    this.refusal = error instanceof StoreError ? error : new StoreError(error.message);
    this.options.warn(error.message);
  }

  /** Writes the folder anew from memory after somebody removed it. */
  #restore(): void {
    const { folder, warn } = this.options;
    prepareFolder(folder);
    const lock = tryLock(folder);
    if (!(lock instanceof FolderLock)) throw new StoreError(`the data folder ${folder} is in use again`);
    this.#lock = lock;
    checkFormat(folder);
    this.refusal = null;
    warn(
      `${folder} was removed while it was in use, and is written anew from memory; other accounts are lost`,
    );
    this.#due.restore();
    for (const log of this.logs) if (log.file.isStored) this.#restart(log);
    this.flushSoon(null);
  }

  #restart(log: FileLog): void {
    log.file.restart();
    this.flushSoon(log);
  }

  async #read(folder: string, state: State, lost: (error: Error) => void): Promise<OpenedAccount> {
    await this.#folding.get(folder)?.catch(() => {});
    await this.#reads.enter();
    try {
      const end = await readAccount(folder, state, this.options.warn);
      // A process that ended before the first line was whole leaves a folder without an account.
      const known = state.size("account") > 0;
      return { log: new FileLog(this, folder, state, lost, end, known), known };
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError(`${folder} cannot be read (${(error as Error).message})`);
    } finally {
      this.#reads.leave();
    }
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
      else if (this.#isLong(log, maxJournalBytes)) void this.#foldJournal(log);
    });
    for (const oldest of this.#open) {
      if (this.#open.size <= maxOpenJournals) break;
      if (!oldest.file.idle) continue;
      oldest.file.close();
      this.#open.delete(oldest);
    }
  }

  #isLong({ file, folder }: FileLog, minBytes: number): boolean {
    return file.length > minBytes && file.length > sizeOf(join(folder, documentFile));
  }

  /** Sets the journal so far aside for the worker and begins a new one: two renames' worth of time here. */
  async #foldJournal({ file, folder }: FileLog): Promise<void> {
    if (this.#folding.has(folder) || !file.idle) return;
    const folding = join(folder, foldingFile);
    try {
      if (!existsSync(folding)) {
        file.close();
        renameSync(file.path, folding);
        file.startAt({ length: 0, checksum: 0 });
      }
      this.#folds = this.#folds.catch(() => {}).then(() => foldJournal(folder));
      this.#folding.set(folder, this.#folds);
      await this.#folds;
    } catch (error) {
      this.options.warn(`${folder} could not be compacted (${(error as Error).message})`);
    } finally {
      this.#folding.delete(folder);
    }
  }
}
