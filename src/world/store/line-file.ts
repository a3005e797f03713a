/** A file of sealed lines that only grows. Lines of one tick leave in one write. */
import { closeSync, fdatasync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { FileEnd } from "./account-files.js";
import { seal } from "./lines.js";
import type { Change, State } from "./state.js";
import { syncFolders } from "./sync-folders.js";

/** `process`: safe once the operating system has it. `power`: safe once the disk has it. */
export type Durability = "process" | "power";

/** A journal's line of one commit: `[[table,id,record],…]`, before it is sealed. */
export function toLine(changes: readonly Change[]): string {
  let line = "[";
  for (const [table, id, text] of changes) {
    if (line.length > 1) line += ",";
    line += `["${table}",${JSON.stringify(id)},${text ?? "null"}]`;
  }
  return `${line}]\n`;
}

type SafeCallback = (error: Error | null) => void;

interface Batch {
  lines: string[];
  waiting: SafeCallback[];
}

const emptyBatch = (): Batch => ({ lines: [], waiting: [] });

export interface LineFileOptions {
  path: string;
  durability: Durability;
  /** Returns lines that make up for the whole file, or for more, in case it was removed. */
  everything(): string[];
}

export class LineFile {
  #fd: number | null = null;
  #next = emptyBatch();
  /** The batch that the disk is asked to keep at this moment. */
  #syncing: Batch | null = null;
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
    return this.#next.lines.length === 0 && this.#syncing === null;
  }

  get hasPending(): boolean {
    return this.#next.lines.length > 0;
  }

  push(line: string): void {
    this.#next.lines.push(line);
  }

  /** Calls back when every line pushed so far is safe: at once when it is. */
  whenSafe(callback: SafeCallback): void {
    if (this.#next.lines.length > 0) this.#next.waiting.push(callback);
    else if (this.#syncing) this.#syncing.waiting.push(callback);
    else callback(null);
  }

  /** Writes what is pending; `done` follows the callbacks of those who wait. One write at a time. */
  write(done: SafeCallback): void {
    if (this.#syncing || this.#next.lines.length === 0) return;
    const batch = this.#next;
    try {
      // May replace the batch's lines: they make up for a file that was removed.
      const fd = this.#open();
      this.#next = emptyBatch();
      const end = this.#append(fd, batch.lines);
      if (this.options.durability === "process") return this.#end(batch, end, null, done);
      this.#syncing = batch;
      this.#sync(fd, (error) => {
        this.#syncing = null;
        this.#end(batch, end, error, done);
        if (this.#closing) this.close();
      });
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
    if (this.#syncing) return;
    this.close();
    this.startAt({ length: 0, checksum: 0 });
    this.#next.lines = this.options.everything();
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
    this.#closing = this.#syncing !== null;
    if (this.#fd === null || this.#closing) return;
    closeSync(this.#fd);
    this.#fd = null;
  }

  /** Returns the end of the file once the lines are in it. */
  #append(fd: number, lines: readonly string[]): FileEnd {
    let { length, checksum } = { length: this.#length, checksum: this.#checksum };
    for (const group of inGroups(lines)) {
      const sealed = seal(group, checksum);
      for (let written = 0; written < sealed.bytes.length; )
        written += writeSync(fd, sealed.bytes, written, sealed.bytes.length - written);
      length += sealed.bytes.length;
      checksum = sealed.checksum;
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

  #sync(fd: number, callback: SafeCallback): void {
    const folders = this.#newEntries;
    fdatasync(fd, (error) => {
      if (error || folders.length === 0) return callback(error);
      syncFolders(folders).then(() => {
        this.#newEntries = [];
        callback(null);
      }, callback);
    });
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

/** Returns the folders in which something was created: the file's own, and those above it up to the first new one's parent. */
function newEntriesOf(folder: string, created: string | undefined): string[] {
  const folders = [folder];
  for (let path = folder; created !== undefined && path.length >= created.length; path = dirname(path))
    folders.push(dirname(path));
  return folders;
}

/** Characters that are made one string at most. */
const maxGroupLength = 64 * 1024 * 1024;

function* inGroups(lines: readonly string[]): Generator<readonly string[]> {
  let start = 0;
  let length = 0;
  for (const [at, line] of lines.entries()) {
    length += line.length;
    if (length < maxGroupLength) continue;
    yield lines.slice(start, at + 1);
    start = at + 1;
    length = 0;
  }
  if (start < lines.length) yield start === 0 ? lines : lines.slice(start);
}

/** Returns lines that make the whole state, of a length that a string can have. */
export function wholeState(state: State): string[] {
  const lines: string[] = [];
  let changes: Change[] = [["*", "*", null]];
  let length = 0;
  for (const change of state.everything()) {
    changes.push(change);
    length += change[2]?.length ?? 0;
    if (length < maxGroupLength) continue;
    lines.push(toLine(changes));
    changes = [];
    length = 0;
  }
  if (changes.length > 0) lines.push(toLine(changes));
  return lines;
}
