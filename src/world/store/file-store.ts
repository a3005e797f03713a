/**
 * One folder per account: a lowdb document that a person can read, and the journal of the commits since. Only this
 * file and the ones it imports know that there are files.
 */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Slots } from "../../time/slots.js";
import { afterTick } from "../../time/time.js";
import { inTurns } from "../../time/turns.js";
import { FileLog, type FileLogWriter } from "./file-log.js";
import { FolderGuard, type GuardedFiles } from "./folder-guard.js";
import { Folds } from "./folds.js";
import { lastDueOf } from "./journal.js";
import { type AccountEnd, journalFile, readAccount } from "./read-account.js";
import { RequestLog } from "./request-log.js";
import type { State } from "./state.js";
import { readSeed } from "./storage-format.js";
import { type OpenedAccount, type Store, StoreError } from "./store.js";
import type { Durability } from "./sync.js";

export interface FileStoreOptions {
  folder: string;
  durability: Durability;
  version: string;
  warn(message: string): void;
}

/** Maximum number of open journals. The oldest is closed first. */
const maxOpenJournals = 256;
/** Maximum number of accounts read concurrently, because each takes a file descriptor. */
const maxReads = 32;
/** Number of characters written in one turn of the event loop, after which other accounts take theirs. */
const maxBatchCharacters = 1024 * 1024;
/** Start of the names of accounts that are being deleted. */
const removedPrefix = "removed-";

export class FileStore implements Store, FileLogWriter, GuardedFiles {
  readonly evicts = true;
  /** Logs of all accounts in memory. */
  readonly #logs = new Map<string, FileLog>();
  /** Logs with an open file, in the order in which they were opened. */
  readonly #open = new Set<FileLog>();
  readonly #dirty = new Set<FileLog>();
  /** Logs that were removed and are being written again. */
  readonly #restoring = new Set<FileLog>();
  #untilRestored: (() => void)[] = [];
  readonly #folds: Folds;
  readonly #reads = new Slots(maxReads);
  /** Messages about accounts that could not be read. */
  readonly #reported = new Set<string>();
  #isScheduled = false;
  /** The batch that is being synced to the disk. */
  #syncing: Promise<void> | null = null;

  /** Locks the folder, or throws a StoreError if it cannot be used. */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    const { guard, runId } = await FolderGuard.take(options);
    return new FileStore(options, guard, runId);
  }

  constructor(
    readonly options: FileStoreOptions,
    readonly guard: FolderGuard,
    readonly runId = "",
  ) {
    this.#folds = new Folds({
      warn: options.warn,
      check: () => {
        if (!guard.canWrite())
          throw new Error("the data folder was removed or taken over by another process");
      },
      unsynced: () => this.#syncing,
    });
    guard.watch(this);
    for (const name of readdirSync(options.folder))
      if (name.startsWith(removedPrefix)) rmSync(join(options.folder, name), { recursive: true });
  }

  seed(): string {
    return readSeed(this.options.folder, this.durability);
  }

  get durability(): Durability {
    return this.options.durability;
  }

  get refusal(): StoreError | null {
    return this.guard.refusal;
  }

  get isLive(): boolean {
    return this.refusal === null;
  }

  /** Calls `callback` once all removed logs have been written again, so that a reply may leave. */
  whenLive(callback: (error: Error | null) => void): void {
    if (this.refusal || this.#restoring.size === 0) callback(this.refusal);
    else this.#untilRestored.push(() => callback(this.refusal));
  }

  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount> {
    if (this.refusal) throw this.refusal;
    if (existsSync(this.#folder(id))) return this.#read(id, state, lost);
    return this.#opened(id, state, lost, null);
  }

  requestLog(id: string): RequestLog {
    const path = join(this.#folder(id), "requests.ndjson");
    return new RequestLog(path, this.options.warn, () => this.guard.canWrite());
  }

  countAccounts(others: Iterable<string> = []): number {
    return new Set([...this.#ids(), ...others]).size;
  }

  async unusedSince(since: number): Promise<string[]> {
    const unused: string[] = [];
    for (const id of this.#ids()) {
      const folder = this.#folder(id);
      const files = await readdir(folder).catch(() => []);
      const times = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).mtimeMs));
      if (Math.max(...times) <= since) unused.push(id);
    }
    return unused;
  }

  /** Renames the folder first, so that no account is left with some of its files. */
  remove(id: string): void {
    if (this.refusal) return;
    this.#folds.forget(this.#folder(id));
    if (!existsSync(this.#folder(id))) return;
    const removed = join(this.options.folder, removedPrefix + id);
    rmSync(removed, { recursive: true, force: true });
    renameSync(this.#folder(id), removed);
    rmSync(removed, { recursive: true, force: true });
  }

  noteDue(id: string, due: number | null): void {
    const log = this.#logs.get(id);
    if (log) log.due = due;
  }

  /** Reads the last line of each journal. */
  async dueAccounts(): Promise<Iterable<readonly [string, number]>> {
    const ids = this.#ids();
    return inTurns(this.#dueOf(ids));
  }

  commitSoon(log: FileLog): void {
    this.#dirty.add(log);
    if (this.#isScheduled || this.#syncing) return;
    this.#isScheduled = true;
    afterTick(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  release(log: FileLog): void {
    if (this.#logs.get(log.id) === log) this.#logs.delete(log.id);
    if (!log.isLost) log.noteDue();
    if (!log.isBusy && log.hasPending) this.#write([log], Number.POSITIVE_INFINITY);
    this.#closeIfReleased(log);
  }

  foldLog(log: FileLog): Promise<void> {
    if (this.refusal) throw this.refusal;
    return this.#folds.foldNow(log, () => this.#logs.get(log.id) === log);
  }

  async compact(): Promise<void> {
    if (!this.refusal) await this.#folds.foldLong(this.#open);
  }

  async close(): Promise<void> {
    for (const log of [...this.#logs.values()]) log.close();
    while (this.#dirty.size > 0 || this.#syncing) {
      this.#flush();
      await this.#syncing;
    }
    if (!this.refusal) await this.#folds.close();
    this.guard.release();
  }

  restoreAll(): void {
    for (const log of this.#logs.values()) if (log.isOnDisk) this.#restore(log);
  }

  restoreRemoved(): void {
    for (const log of this.#open) if (log.isRemoved) this.#restore(log);
    // Logs without an open file are checked only if another log was removed.
    if (this.#restoring.size > 0)
      for (const log of this.#logs.values()) if (log.isOnDisk && !existsSync(log.folder)) this.#restore(log);
  }

  #folder(id: string): string {
    return join(this.options.folder, "accounts", id);
  }

  /** Returns the ids of the stored accounts. */
  #ids(): string[] {
    const folder = join(this.options.folder, "accounts");
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  *#dueOf(ids: readonly string[]): Generator<void, [string, number][]> {
    const due: [string, number][] = [];
    for (const id of ids) {
      const journal = join(this.#folder(id), journalFile);
      try {
        const at = lastDueOf(journal);
        if (at !== null) due.push([id, at]);
      } catch {
        // An account whose journal cannot be read has nothing due. Requests to it are told why.
      }
      yield;
    }
    return due;
  }

  #opened(id: string, state: State, lost: (error: Error) => void, end: AccountEnd | null): OpenedAccount {
    const folder = this.#folder(id);
    const forget = (error: Error) => {
      this.#logs.delete(id);
      lost(error);
    };
    const log = new FileLog(this, folder, id, state, forget, end);
    this.#logs.set(id, log);
    if (end) this.#folds.note(folder);
    return { log, known: end !== null, due: log.due };
  }

  async #read(id: string, state: State, lost: (error: Error) => void): Promise<OpenedAccount> {
    const folder = this.#folder(id);
    await this.#folds.settled(folder);
    await this.#reads.enter();
    try {
      const { warn } = this.options;
      const check = () => {
        if (this.refusal) throw this.refusal;
      };
      return this.#opened(id, state, lost, await readAccount({ folder, reader: state, warn, check }));
    } catch (error) {
      const unreadable =
        error instanceof StoreError
          ? error
          : new StoreError(
              `${folder} cannot be read (${(error as Error).message})`,
              "the folder of this account cannot be read",
            );
      this.#report(unreadable);
      throw unreadable;
    } finally {
      this.#reads.leave();
    }
  }

  /** Tells the operator, once, why accounts cannot be read; clients do not learn the paths. */
  #report(error: StoreError): void {
    const { message } = error;
    if (!error.isReported && !this.#reported.has(message)) this.options.warn(message);
    this.#reported.add(message);
    error.isReported = true;
  }

  /** Writes lines of all accounts, unless others are being synced: then their end begins the next batch. */
  #flush(): void {
    if (this.#syncing || this.#dirty.size === 0) return;
    this.#write(this.#dirty, maxBatchCharacters);
  }

  #write(logs: Iterable<FileLog>, maxLength: number): void {
    const written: FileLog[] = [];
    let left = maxLength;
    for (const log of logs) {
      if (left <= 0) break;
      this.#dirty.delete(log);
      const lines = log.take(left);
      for (const { length } of lines) left -= length;
      if (this.#writeLines(log, lines)) written.push(log);
      // Other accounts take their turn first.
      if (log.hasPending) this.#dirty.add(log);
    }
    if (this.durability === "process") for (const log of written) this.#end(log);
    else if (written.length > 0) this.#syncing = this.#sync(written, this.#syncing);
    this.#closeOldest();
    this.#continue();
  }

  #continue(): void {
    const [next] = this.#dirty;
    if (next) this.commitSoon(next);
  }

  /** Writes lines that were taken from a log. Returns whether there is a batch to end. */
  #writeLines(log: FileLog, lines: readonly string[]): boolean {
    try {
      const { refusal } = this;
      if (refusal) throw refusal;
      if (lines.length > 0 && !log.write(lines, this.durability === "power")) {
        this.#restart(log);
        this.guard.check();
        return false;
      }
      this.#open.add(log);
      this.#folds.note(log.folder);
      return true;
    } catch (error) {
      this.#fail(log, error as Error);
      return false;
    }
  }

  /** Waits until the disk has the lines. Nothing else is written then, except for accounts that leave memory. */
  #sync(logs: readonly FileLog[], previous: Promise<void> | null): Promise<void> {
    const sync: Promise<void> = Promise.resolve(previous)
      .then(() => Promise.allSettled(logs.map((log) => log.sync())))
      .then((results) => {
        for (const [i, log] of logs.entries()) {
          const result = results[i];
          if (result?.status === "rejected") this.#fail(log, result.reason);
          else this.#end(log);
        }
        if (this.#syncing !== sync) return;
        this.#syncing = null;
        this.#continue();
      });
    return sync;
  }

  /** Ends the batch of a log that was written, unless its file is gone. */
  #end(log: FileLog): void {
    if (this.refusal) return this.#fail(log, this.refusal);
    if (log.isRemoved) {
      this.#restart(log);
      this.guard.check();
      return;
    }
    if (!log.hasPending) this.#endRestore(log);
    log.committed();
    this.#folds.foldIfHuge(log);
    this.#closeIfReleased(log);
  }

  /** Fails the batch of a log. Later lines depend on the lost ones, so they are lost too. */
  #fail(log: FileLog, error: Error): void {
    // If the folder has another owner, or the account another log, the rest of the file may be its own.
    if (!this.refusal && !log.isClosed) log.cutBack();
    this.#dirty.delete(log);
    this.#endRestore(log);
    log.fail(error);
    this.#closeIfReleased(log);
  }

  #closeIfReleased(log: FileLog): void {
    if (!log.isClosed || !(log.isIdle || log.isLost)) return;
    log.closeFile();
    this.#open.delete(log);
    this.#dirty.delete(log);
  }

  #closeOldest(): void {
    for (const oldest of this.#open) {
      if (this.#open.size <= maxOpenJournals) break;
      if (!oldest.isIdle) continue;
      oldest.closeFile();
      this.#open.delete(oldest);
    }
  }

  /** Rewrites a removed log, unless a batch is being synced, whose end does so. */
  #restore(log: FileLog): void {
    this.#restoring.add(log);
    if (!log.isBusy) this.#restart(log);
  }

  #restart(log: FileLog): void {
    this.#restoring.add(log);
    log.restart();
    this.commitSoon(log);
  }

  #endRestore(log: FileLog): void {
    if (!this.#restoring.delete(log) || this.#restoring.size > 0) return;
    const waiting = this.#untilRestored;
    this.#untilRestored = [];
    for (const callback of waiting) callback();
  }
}
