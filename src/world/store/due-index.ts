/**
 * A small file of (account, earliest due job), the only one read at startup. A line is added when an account becomes due
 * earlier than noted; the last line of an account counts. Its time may be too early, but never too late. If the file is
 * missing or damaged, every account counts as due, so that all of them are opened.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { type Durability, LineFile } from "./line-file.js";
import { checksumOf, DamagedLine, emptyFile, type FileEnd, readSealedLines, seal } from "./lines.js";
import { replaceFile } from "./sync.js";

/** Number of outdated lines above which the file is rewritten. */
const maxOutdatedLines = 10_000;

export interface DueIndexOptions {
  path: string;
  /** Folder that contains a folder for each account. */
  accounts: string;
  durability: Durability;
  warn(message: string): void;
  /** Returns the error that prevents writing now, or null. */
  refusal(): Error | null;
}

export class DueIndex {
  readonly #file: LineFile;
  readonly #due = new Map<string, number>();
  #lines = 0;
  #isLoaded = false;
  /** Problem with the file when it was opened, or null. */
  readonly #problem: string | null;

  constructor(readonly options: DueIndexOptions) {
    const { path, accounts, durability, refusal } = options;
    const isFresh = !existsSync(path) && readdirSync(accounts).length === 0;
    // A folder with accounts but without an index has lost its index.
    if (isFresh) closeSync(openSync(path, "a", 0o600));
    const end = existsSync(path) ? endOf(path) : null;
    this.#problem = existsSync(path) ? (end ? null : "is damaged") : "is missing";
    const everything = () => this.#everything();
    this.#file = new LineFile({ path, durability, everything, refusal }, end ?? emptyFile);
  }

  get hasPending(): boolean {
    return this.#file.hasPending;
  }

  /** Notes when an account is due, in ms of real time. */
  note(id: string, due: number | null): void {
    if (due === null && this.#isLoaded && !this.#due.has(id)) return;
    if (due === null) this.#due.delete(id);
    else this.#due.set(id, due);
    this.#lines++;
    this.#file.push(toLine([id, due]));
  }

  /** Writes the pending lines. Calls `more` if others were added during the write. */
  write(more: () => void): void {
    this.#file.write((error) => {
      if (error) this.#warn(error);
      else if (this.#file.hasPending) more();
    });
  }

  /** Discards the pending lines, because the folder cannot be written. */
  fail(error: Error): void {
    this.#file.fail(error, () => {});
  }

  /** Calls `callback` when every line so far is safe, or was lost and reported. */
  whenSafe(callback: () => void): void {
    this.#file.whenSafe(callback);
  }

  /** Returns the due times noted before the last stop. Those that this process has noted since take precedence. */
  async load(): Promise<ReadonlyMap<string, number>> {
    const before = new Map<string, number>();
    const problem = await this.#read(before);
    if (problem !== null) await this.#rebuild(problem, before);
    for (const [id, due] of before) if (!this.#due.has(id)) this.#due.set(id, due);
    this.#isLoaded = true;
    if (problem !== null) this.#lines = Number.POSITIVE_INFINITY;
    this.compact();
    return before;
  }

  /** Rewrites the file if many of its lines are outdated. */
  compact(maxOutdated = maxOutdatedLines): void {
    if (!this.#isLoaded || !this.#file.idle || this.#lines <= this.#due.size + maxOutdated) return;
    this.#replace();
  }

  /** Starts a new file after the old one was removed. Does nothing during a write. */
  restore(): void {
    if (!this.#file.isBusy) this.#replace();
  }

  /** Returns whether the file had been removed and was created again. */
  restoreIfRemoved(): boolean {
    const { isRemoved } = this.#file;
    if (isRemoved) this.restore();
    return isRemoved;
  }

  /** Rewrites and closes the file, once all lines are written. `more` is called as by `write`. */
  async close(more: () => void): Promise<void> {
    this.write(more);
    await new Promise<void>((resolve) => this.whenSafe(resolve));
    this.compact(0);
    this.#file.close();
  }

  #everything(): string[] {
    return [...this.#due].map(toLine);
  }

  /** Fills the map. Returns the problem with the file, or null. */
  async #read(due: Map<string, number>): Promise<string | null> {
    if (this.#problem !== null) return this.#problem;
    const take = ([id, at]: unknown[]) => {
      if (typeof id !== "string" || !(at === null || Number.isFinite(at))) return false;
      this.#lines++;
      if (at === null) due.delete(id);
      else due.set(id, at as number);
      return true;
    };
    try {
      // A line that was cut off was written before the commit that it belongs to, which was never acknowledged.
      await readSealedLines(this.options.path, take, () => {});
      return null;
    } catch (error) {
      return error instanceof DamagedLine
        ? `is damaged in line ${error.line}`
        : `cannot be read (${(error as Error).message})`;
    }
  }

  async #rebuild(problem: string, due: Map<string, number>): Promise<void> {
    const { path, accounts, warn } = this.options;
    due.clear();
    // The folder may have been removed in the meantime. The folder guard handles that.
    const names = await readdir(accounts).catch(() => []);
    for (const id of names) due.set(id, 0);
    if (names.length > 0) warn(`${path} ${problem}; it is rebuilt from all accounts in the background`);
  }

  /** Replaces the file in one step, so that none with only some of the lines can be left behind. */
  #replace(): void {
    this.#file.close();
    const lines = this.#everything();
    try {
      const { path, durability } = this.options;
      const { bytes, checksum } = seal(lines, 0);
      replaceFile(path, bytes, durability === "power");
      this.#file.startAt({ length: bytes.length, checksum });
      this.#lines = lines.length;
    } catch (error) {
      this.#warn(error as Error);
    }
  }

  #warn({ message }: Error): void {
    this.options.warn(`${this.options.path} could not be written (${message})`);
  }
}

const toLine = (entry: readonly [id: string, due: number | null]): string => `${JSON.stringify(entry)}\n`;

/** Number of bytes at the end of the file that contain its last line. */
const tailBytes = 1024;

/** Finds the end of the last complete line without reading the whole file. Returns null if there is none in its tail. */
function endOf(path: string): FileEnd | null {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - tailBytes);
    const tail = Buffer.alloc(size - from);
    readSync(file, tail, 0, tail.length, from);
    const lineFeed = tail.lastIndexOf("\n");
    if (lineFeed === -1) return from === 0 ? emptyFile : null;
    const whole = tail.subarray(0, lineFeed);
    return {
      length: from + lineFeed + 1,
      checksum: checksumOf(whole.subarray(whole.lastIndexOf("\n") + 1)) ?? 0,
    };
  } finally {
    closeSync(file);
  }
}
