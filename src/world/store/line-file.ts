/** An account's journal: one line a commit, `[[table,id,record],…]`, appended and never changed. */
import { closeSync, fdatasync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Change } from "./state.js";

/** `process`: safe once the operating system has it. `power`: safe once the disk has it. */
export type Durability = "process" | "power";

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

/** A file that grows by whole lines. Lines of one tick leave in one write. */
export class LineFile {
  #fd: number | null = null;
  #next = emptyBatch();
  /** The batch that the disk is asked to keep at this moment. */
  #syncing: Batch | null = null;
  /** To be closed as soon as the disk has answered. */
  #closing = false;

  constructor(
    readonly path: string,
    /** Bytes that the file is known to hold whole. */
    public length: number,
    readonly durability: Durability,
  ) {}

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
    this.#next = emptyBatch();
    const bytes = Buffer.from(batch.lines.join(""), "utf8");
    try {
      const fd = this.#open();
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(fd, bytes, written, bytes.length - written);
      }
      if (this.durability === "process") return this.#end(batch, bytes.length, null, done);
      this.#syncing = batch;
      fdatasync(fd, (error) => {
        this.#syncing = null;
        this.#end(batch, bytes.length, error, done);
        if (this.#closing) this.close();
      });
    } catch (error) {
      this.#end(batch, 0, error as Error, done);
    }
  }

  /** Gives up what is pending, as if it could not be written. */
  fail(error: Error, done: (error: Error) => void): void {
    const { lines, waiting } = this.#next;
    this.#next = emptyBatch();
    for (const callback of waiting) callback(error);
    if (lines.length > 0) done(error);
  }

  close(): void {
    this.#closing = this.#syncing !== null;
    if (this.#fd === null || this.#closing) return;
    closeSync(this.#fd);
    this.#fd = null;
  }

  #open(): number {
    if (this.#fd === null) {
      mkdirSync(dirname(this.path), { recursive: true });
      this.#fd = openSync(this.path, "a");
    }
    return this.#fd;
  }

  #end(batch: Batch, bytes: number, error: Error | null, done: SafeCallback): void {
    const waiting = batch.waiting;
    if (error) {
      // What came after the lost lines builds on them: it is lost with them.
      waiting.push(...this.#next.waiting);
      this.#next = emptyBatch();
      this.#cutBack();
    } else {
      this.length += bytes;
    }
    for (const callback of waiting) callback(error);
    done(error);
  }

  /** Half a line must not stand before the next one; if even this fails, it is dropped at the next start. */
  #cutBack(): void {
    try {
      if (this.#fd !== null) ftruncateSync(this.#fd, this.length);
    } catch {
      this.close();
    }
  }
}
