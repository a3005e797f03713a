/** An append-only file of sealed lines. Lines of one tick are written together, unless they are long. */
import { closeSync, existsSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { inTurns } from "../../time/turns.js";
import { emptyFile, type FileEnd, seal } from "./lines.js";
import { newEntriesOf, syncFile, syncFolders } from "./sync.js";

/** When a line counts as safe. `process`: once the operating system has it. `power`: once the disk has it. */
export type Durability = "process" | "power";

type SafeCallback = (error: Error | null) => void;

interface Batch {
  /** Single lines, or many lines that belong together. */
  lines: (string | Iterable<string>)[];
  waiting: SafeCallback[];
}

const emptyBatch = (): Batch => ({ lines: [], waiting: [] });

export interface LineFileOptions {
  path: string;
  durability: Durability;
  /** Returns lines that replace the whole file, including pending ones, if it was removed. */
  everything(): Iterable<string>;
  /** Error that prevents writing now, or null. It is looked at before each write, and before lines count as safe. */
  refusal?(): Error | null;
  /** Called when the file was found removed during a write: its contents are pending again. By default nothing is done. */
  removed?(): void;
}

export class LineFile {
  #fd: number | null = null;
  #next = emptyBatch();
  /** The batch that is being written over several turns, or synced to the disk. */
  #busy: Batch | null = null;
  /** Whether to close the file after the current write. */
  #closing = false;
  /** Folders with a new entry that has not been synced yet. */
  #newEntries: string[] = [];
  #length: number;
  #checksum: number;
  /** Whether anything was ever stored here, so that the folder must exist. */
  #isStored: boolean;

  constructor(
    readonly options: LineFileOptions,
    /** End of the part of the file that is known to be complete. */
    end: FileEnd,
    isStored = end.length > 0,
  ) {
    this.#length = end.length;
    this.#checksum = end.checksum;
    this.#isStored = isStored;
  }

  get path(): string {
    return this.options.path;
  }

  /** Length in bytes of the complete part of the file. */
  get length(): number {
    return this.#length;
  }

  /** Whether a write is in progress. */
  get isBusy(): boolean {
    return this.#busy !== null;
  }

  get idle(): boolean {
    return this.#next.lines.length === 0 && !this.isBusy;
  }

  get hasPending(): boolean {
    return this.#next.lines.length > 0;
  }

  push(...lines: (string | Iterable<string>)[]): void {
    this.#next.lines.push(...lines);
  }

  /** Calls `callback` when every line pushed so far is safe, which may be immediately. */
  whenSafe(callback: SafeCallback): void {
    if (this.#next.lines.length > 0) this.#next.waiting.push(callback);
    else if (this.#busy) this.#busy.waiting.push(callback);
    else callback(null);
  }

  /** Writes the pending lines, one batch at a time. `done` is called after the callbacks of `whenSafe`. */
  write(done: SafeCallback): void {
    if (this.#busy || this.#next.lines.length === 0) return;
    const batch = this.#next;
    try {
      // May replace the lines of the batch by the whole file, if it was removed.
      const fd = this.#open();
      if (fd === null) return this.options.removed?.();
      this.#next = emptyBatch();
      this.#busy = batch;
      const end = inTurns(this.#append(fd, batch.lines));
      if (!(end instanceof Promise) && this.options.durability === "process") {
        this.#busy = null;
        return this.#end(batch, end, null, done);
      }
      void this.#finish(fd, batch, end, done);
    } catch (error) {
      if (batch === this.#next) this.#next = emptyBatch();
      this.#busy = null;
      this.#end(batch, null, error as Error, done);
    }
  }

  /** Discards the pending lines, as if they could not be written. */
  fail(error: Error, done: (error: Error) => void): void {
    const { lines, waiting } = this.#next;
    this.#next = emptyBatch();
    for (const callback of waiting) callback(error);
    if (lines.length > 0) done(error);
  }

  /** Whether the open file has been deleted or moved, so that anything written to it would be lost. */
  get isRemoved(): boolean {
    return this.#fd !== null && (fstatSync(this.#fd).nlink === 0 || !existsSync(this.path));
  }

  /** Whether anything was ever stored here. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Starts a new file with the complete contents in place of the pending lines. Does nothing during a write. */
  restart(): void {
    if (this.#busy) return;
    this.close();
    this.startAt(emptyFile);
    this.#next.lines = [this.options.everything()];
    this.#isStored = false;
  }

  /** Continues at this end. */
  startAt({ length, checksum }: FileEnd): void {
    this.#length = length;
    this.#checksum = checksum;
  }

  close(): void {
    this.#closing = this.#busy !== null;
    if (this.#fd === null || this.#closing) return;
    closeSync(this.#fd);
    this.#fd = null;
  }

  /** Completes a write that takes longer than this turn. */
  async #finish(
    fd: number,
    batch: Batch,
    writing: FileEnd | Promise<FileEnd>,
    done: SafeCallback,
  ): Promise<void> {
    let end: FileEnd | null = null;
    let error: Error | null = null;
    try {
      const written = await writing;
      if (this.options.durability === "power") await this.#sync(fd);
      end = written;
    } catch (caught) {
      error = caught as Error;
    }
    this.#busy = null;
    this.#end(batch, end, error, done);
    if (this.#closing) this.close();
  }

  /** Appends the lines in steps. Returns the end of the file after the last one. */
  *#append(fd: number, lines: Batch["lines"]): Generator<void, FileEnd> {
    let { length, checksum } = { length: this.#length, checksum: this.#checksum };
    for (const group of inGroups(lines)) {
      this.#check();
      const sealed = seal(group, checksum);
      for (let written = 0; written < sealed.bytes.length; )
        written += writeSync(fd, sealed.bytes, written, sealed.bytes.length - written);
      length += sealed.bytes.length;
      checksum = sealed.checksum;
      yield;
    }
    this.#check();
    return { length, checksum };
  }

  #check(): void {
    const refusal = this.options.refusal?.();
    if (refusal) throw refusal;
  }

  /** Opens the file. Returns null if its folder was removed and the file is to be written again with the others. */
  #open(): number | null {
    if (this.#fd !== null) return this.#fd;
    this.#check();
    const { path } = this.options;
    const folder = dirname(path);
    const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (created !== undefined && (this.#isStored || created !== folder)) {
      this.restart();
      if (this.options.removed) return null;
    }
    this.#fd = openSync(path, "a", 0o600);
    const { size } = fstatSync(this.#fd);
    if (size < this.#length) this.restart();
    // A failed write may have left a partial line.
    this.#fd ??= openSync(path, "a", 0o600);
    if (size !== this.#length) ftruncateSync(this.#fd, this.#length);
    if (size === 0 && this.options.durability === "power") this.#newEntries = newEntriesOf(folder, created);
    return this.#fd;
  }

  async #sync(fd: number): Promise<void> {
    const folders = this.#newEntries;
    await syncFile(fd);
    await syncFolders(folders);
    if (folders === this.#newEntries) this.#newEntries = [];
  }

  #end(batch: Batch, end: FileEnd | null, error: Error | null, done: SafeCallback): void {
    const waiting = batch.waiting;
    if (!error && this.options.removed && this.isRemoved) {
      this.#next.waiting.unshift(...waiting);
      this.restart();
      return this.options.removed();
    }
    if (error || end === null) {
      // Later lines depend on the lost ones, so they are lost too.
      waiting.push(...this.#next.waiting);
      this.#next = emptyBatch();
      this.#cutBack();
    } else {
      this.startAt(end);
      this.#isStored = true;
    }
    for (const callback of waiting) callback(error);
    done(error);
  }

  /** Removes a partial line, which must not precede the next one. If this fails, it is removed when the file is reopened. */
  #cutBack(): void {
    // If the folder has another owner, the rest of the file may be its own.
    if (this.options.refusal?.()) return this.close();
    try {
      if (this.#fd !== null) ftruncateSync(this.#fd, this.#length);
    } catch {
      this.close();
    }
  }
}

/** Number of characters written in one step. */
const groupLength = 256 * 1024;

function* inGroups(lines: Batch["lines"]): Generator<string[]> {
  let group: string[] = [];
  let length = 0;
  for (const entry of lines) {
    for (const line of typeof entry === "string" ? [entry] : entry) {
      group.push(line);
      length += line.length;
      if (length < groupLength) continue;
      yield group;
      group = [];
      length = 0;
    }
  }
  if (group.length > 0) yield group;
}
