/**
 * One folder per account: a lowdb document that a person can read, and the journal of the commits since. Only this
 * file and the ones it imports know that there are files.
 */
import { existsSync, rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Slots } from "../../time/slots.js";
import { afterTick } from "../../time/time.js";
import { foldingFile } from "./account-files.js";
import { DueIndex } from "./due-index.js";
import { FileLog, type LogWriter } from "./file-log.js";
import { FolderGuard, type GuardedFiles } from "./folder-guard.js";
import { JournalFolds } from "./journal-folds.js";
import type { Durability } from "./line-file.js";
import { readAccount } from "./read-account.js";
import { RequestLog } from "./request-log.js";
import type { State } from "./state.js";
import { readSeed } from "./storage-format.js";
import { type OpenedAccount, type Store, StoreError } from "./store.js";
import { ownTable } from "./table.js";

export interface FileStoreOptions {
  folder: string;
  durability: Durability;
  version: string;
  warn(message: string): void;
}

/** Maximum number of open journals. The one that was opened first is closed first. */
const maxOpenJournals = 256;
/** Maximum number of accounts read concurrently, because each takes a file descriptor. */
const maxReads = 32;

export class FileStore implements Store, LogWriter, GuardedFiles {
  readonly evicts = true;
  readonly #due: DueIndex;
  /** Logs of all accounts in memory. */
  readonly #logs = new Set<FileLog>();
  /** Logs with an open file, in the order in which they were opened. */
  readonly #open = new Set<FileLog>();
  readonly #dirty = new Set<FileLog>();
  /** Logs that were removed and are being written again. */
  readonly #restoring = new Set<FileLog>();
  #untilRestored: (() => void)[] = [];
  readonly #folds: JournalFolds;
  readonly #reads = new Slots(maxReads);
  /** Messages about accounts that could not be read. */
  readonly #reported = new Set<string>();
  #flushing = false;

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
    const { folder, durability, warn } = options;
    this.#due = new DueIndex({
      path: join(folder, "due.ndjson"),
      accounts: join(folder, "accounts"),
      durability,
      warn,
      refusal: () => this.refusal,
    });
    this.#folds = new JournalFolds(warn, durability === "power", () => guard.lockFile);
    guard.watch(this);
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

  open(id: string, state: State, lost: (error: Error) => void): OpenedAccount | Promise<OpenedAccount> {
    if (this.refusal) throw this.refusal;
    const folder = this.#folder(id);
    if (existsSync(folder)) return this.#read(folder, state, lost);
    return { log: this.#added(new FileLog(this, folder, state, lost)), known: false };
  }

  requestLog(id: string): RequestLog {
    const path = join(this.#folder(id), "requests.ndjson");
    return new RequestLog(path, this.options.warn, () => this.guard.canWrite());
  }

  async countAccounts(): Promise<number> {
    return (await this.#folders()).length;
  }

  async unusedSince(since: number): Promise<string[]> {
    const unused: string[] = [];
    for (const id of await this.#folders()) {
      const folder = this.#folder(id);
      const files = await readdir(folder).catch(() => []);
      const times = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).mtimeMs));
      if (Math.max(...times) <= since) unused.push(id);
    }
    return unused;
  }

  remove(id: string): void {
    if (this.refusal) return;
    this.#folds.forget(this.#folder(id));
    rmSync(this.#folder(id), { recursive: true, force: true });
  }

  /** Returns the ids of the stored accounts. */
  #folders(): Promise<string[]> {
    return readdir(join(this.options.folder, "accounts")).catch(() => []);
  }

  noteDue(id: string, due: number | null): void {
    this.#due.note(id, due);
    this.#schedule();
  }

  whenDueSafe(callback: (error: null) => void): void {
    this.#due.whenSafe(() => callback(null));
  }

  dueAccounts(): Promise<Iterable<readonly [string, number]>> {
    return this.#due.load();
  }

  flushSoon(log: FileLog): void {
    this.#dirty.add(log);
    this.#schedule();
  }

  /** Folds everything that the account has committed so far into its document. Rejects with a StoreError if it cannot. */
  async foldLog(log: FileLog): Promise<void> {
    if (this.refusal) throw this.refusal;
    try {
      await this.#folds.settled(log.folder);
      // A fold that was interrupted is completed first.
      for (let rounds = existsSync(join(log.folder, foldingFile)) ? 2 : 1; rounds > 0; rounds--) {
        while (!log.file.idle) await new Promise((resolve) => log.file.whenSafe(resolve));
        if (!this.#logs.has(log)) throw new Error("the account has left memory");
        await this.#folds.fold(log);
      }
    } catch (error) {
      const problem = new StoreError(
        `${log.folder} could not be compacted (${(error as Error).message})`,
        "state.json of this account could not be brought up to date, and nothing was folded",
      );
      problem.isReported = true;
      throw problem;
    }
  }

  closeLog(log: FileLog): void {
    if (log.file.hasPending) this.#write(log);
    log.file.close();
    this.#open.delete(log);
    this.#dirty.delete(log);
    this.#logs.delete(log);
  }

  async compact(): Promise<void> {
    if (this.refusal) return;
    this.#due.compact();
    await this.#folds.foldLong(this.#open);
  }

  async close(): Promise<void> {
    this.#flush();
    for (const log of [...this.#open]) this.closeLog(log);
    if (!this.refusal) {
      await this.#due.close(() => this.#schedule());
      await this.#folds.close();
    }
    this.guard.release();
  }

  restoreAll(): void {
    this.#due.restore();
    for (const log of this.#logs) if (log.file.isStored) this.#restart(log);
    this.#schedule();
  }

  restoreRemoved(): void {
    for (const log of this.#open) if (log.file.isRemoved) this.#restart(log);
    // Logs without an open file are looked at only where others were removed.
    if (this.#restoring.size > 0)
      for (const log of this.#logs) if (log.file.isStored && !existsSync(log.folder)) this.#restart(log);
    if (this.#due.restoreIfRemoved()) this.#schedule();
  }

  /** A reply to a write leaves once everything is written again that was removed with the file of its log. */
  restoreLog(log: FileLog): void {
    this.#restoring.add(log);
    this.flushSoon(log);
    this.guard.check();
  }

  whenRestored(callback: () => void): void {
    if (this.#restoring.size === 0) callback();
    else this.#untilRestored.push(callback);
  }

  #endRestore(log: FileLog): void {
    if (!this.#restoring.delete(log) || this.#restoring.size > 0) return;
    const waiting = this.#untilRestored;
    this.#untilRestored = [];
    for (const callback of waiting) callback();
  }

  #folder(id: string): string {
    return join(this.options.folder, "accounts", id);
  }

  #added(log: FileLog): FileLog {
    this.#logs.add(log);
    return log;
  }

  #restart(log: FileLog): void {
    this.#restoring.add(log);
    log.file.restart();
    this.flushSoon(log);
  }

  async #read(folder: string, state: State, lost: (error: Error) => void): Promise<OpenedAccount> {
    await this.#folds.settled(folder);
    await this.#reads.enter();
    try {
      const { warn } = this.options;
      const check = () => {
        if (this.refusal) throw this.refusal;
      };
      const end = await readAccount({ folder, state, isSynced: this.durability === "power", warn, check });
      // A process that ended before it completed the first line leaves a folder without an account.
      const known = state.size(ownTable) > 0;
      if (known) this.#folds.note(folder);
      return { log: this.#added(new FileLog(this, folder, state, lost, end, known)), known };
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

  /** Tells the operator, once, why accounts cannot be read; clients are not told where they are. */
  #report(error: StoreError): void {
    const { message } = error;
    if (!error.isReported && !this.#reported.has(message)) this.options.warn(message);
    this.#reported.add(message);
    error.isReported = true;
  }

  #schedule(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    afterTick(() => this.#flush());
  }

  /** The index is written first: after a crash between the two, a pending job must still be found. */
  #flush(): void {
    this.#flushing = false;
    if (this.refusal) this.#due.fail(this.refusal);
    else if (this.#due.hasPending) this.#due.write(() => this.#schedule());
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const log of dirty) this.#write(log);
  }

  #write(log: FileLog): void {
    const { refusal } = this;
    if (refusal) {
      log.file.fail(refusal, log.lost);
      return this.#endRestore(log);
    }
    this.#open.add(log);
    this.#folds.note(log.folder);
    log.file.write((error) => {
      this.#endRestore(log);
      if (error) log.lost(error);
      else if (log.file.hasPending) this.flushSoon(log);
      else this.#folds.foldIfHuge(log);
    });
    for (const oldest of this.#open) {
      if (this.#open.size <= maxOpenJournals) break;
      if (!oldest.file.idle) continue;
      oldest.file.close();
      this.#open.delete(oldest);
    }
  }
}
