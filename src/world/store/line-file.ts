/** A file of sealed lines that only grows. Lines of one tick leave in one write, unless they are long. */
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { inTurns } from "../time/turns.js";
import type { FileEnd } from "./account-files.js";
import { seal } from "./lines.js";
import { newEntriesOf, syncFile, syncFolders } from "./sync.js";

/** `process`: safe once the operating system has it. `power`: safe once the disk has it. */
export type Durability = "process" | "power";

type SafeCallback = (error: Error | null) => void;

interface Batch {
  /** Lines, or many lines that belong together. */
  lines: (string | Iterable<string>)[];
  waiting: SafeCallback[];
}

const emptyBatch = (): Batch => ({ lines: [], waiting: [] });

export interface LineFileOptions {
  path: string;
  durability: Durability;
  /** Returns lines that make up for the whole file, or for more, in case it was removed. */
  everything(): Iterable<string>;
}

export class LineFile {
  #fd: number | null = null;
  #next = emptyBatch();
  /** The batch that is being written over several turns, or that the disk is asked to keep. */
  #busy: Batch | null = null;
  /** Whether to close as soon as the disk has answered. */
  #closing = false;
  /** Folders with a new entry that the disk does not have yet. */
  #newEntries: string[] = [];
  #length: number;
  #checksum: number;
  /** Whether anything was stored here, so that the folder must exist. */
  #isStored: boolean;

  constructor(
    readonly options: LineFileOptions,
    /** What the file is known to hold whole. */
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

  /** Bytes that the file holds whole. */
  get length(): number {
    return this.#length;
  }

  get idle(): boolean {
    return this.#next.lines.length === 0 && this.#busy === null;
  }

  get hasPending(): boolean {
    return this.#next.lines.length > 0;
  }

  push(...lines: (string | Iterable<string>)[]): void {
    this.#next.lines.push(...lines);
  }

  /** Calls back when every line pushed so far is safe: at once when it is. */
  whenSafe(callback: SafeCallback): void {
    if (this.#next.lines.length > 0) this.#next.waiting.push(callback);
    else if (this.#busy) this.#busy.waiting.push(callback);
    else callback(null);
  }

  /** Writes what is pending; `done` follows the callbacks of those who wait. One write at a time. */
  write(done: SafeCallback): void {
    if (this.#busy || this.#next.lines.length === 0) return;
    const batch = this.#next;
    try {
      // May replace the batch's lines: they make up for a file that was removed.
      const fd = this.#open();
      this.#next = emptyBatch();
      const end = inTurns(this.#append(fd, batch.lines));
      if (!(end instanceof Promise) && this.options.durability === "process")
        return this.#end(batch, end, null, done);
      this.#busy = batch;
      void this.#finish(fd, batch, end, done);
    } catch (error) {
      if (batch === this.#next) this.#next = emptyBatch();
      this.#end(batch, null, error as Error, done);
    }
  }

  /** Gives up what is pending, as if it could not be written. */
  fail(error: Error, done: (error: Error) => void): void {
    const { lines, waiting } = this.#next;
    this.#next = emptyBatch();
    for (const callback of waiting) callback(error);
    if (lines.length > 0) done(error);
  }

  /** Whether the open file has been deleted: what is written to it would be lost. */
  get isRemoved(): boolean {
    return this.#fd !== null && fstatSync(this.#fd).nlink === 0;
  }

  /** Whether anything was ever stored here. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Begins an empty file with everything, which takes the place of what is pending. Only while the disk is not waited for. */
  restart(): void {
    if (this.#busy) return;
    this.close();
    this.startAt({ length: 0, checksum: 0 });
    this.#next.lines = [this.options.everything()];
    this.#isStored = false;
  }

  /** Goes on there. */
  startAt({ length, checksum }: FileEnd): void {
    this.#length = length;
    this.#checksum = checksum;
  }

  /** Goes on at the end of a file that was written anew and renamed. */
  replaced(end: FileEnd): void {
    this.startAt(end);
    if (this.options.durability === "power") this.#newEntries = [dirname(this.options.path)];
  }

  close(): void {
    this.#closing = this.#busy !== null;
    if (this.#fd === null || this.#closing) return;
    closeSync(this.#fd);
    this.#fd = null;
  }

  /** Ends a write that takes longer than this turn. */
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

  /** Appends the lines in steps. Returns the end of the file once all are in it. */
  *#append(fd: number, lines: Batch["lines"]): Generator<void, FileEnd> {
    let { length, checksum } = { length: this.#length, checksum: this.#checksum };
    for (const group of inGroups(lines)) {
      const sealed = seal(group, checksum);
      for (let written = 0; written < sealed.bytes.length; )
        written += writeSync(fd, sealed.bytes, written, sealed.bytes.length - written);
      length += sealed.bytes.length;
      checksum = sealed.checksum;
      yield;
    }
    return { length, checksum };
  }

  #open(): number {
    if (this.#fd !== null) return this.#fd;
    const { path } = this.options;
    const folder = dirname(path);
    const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (created !== undefined && this.#isStored) this.restart();
    this.#fd = openSync(path, "a", 0o600);
    const { size } = fstatSync(this.#fd);
    if (size < this.#length) this.restart();
    // Half a line was left by a write that failed.
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
    if (error || end === null) {
      // What came after the lost lines builds on them: it is lost with them.
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

  /** Half a line must not precede the next one. If even this fails, it is cut off when the file is opened again. */
  #cutBack(): void {
    try {
      if (this.#fd !== null) ftruncateSync(this.#fd, this.#length);
    } catch {
      this.close();
    }
  }
}

/** Characters of lines that are written in one step. */
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
