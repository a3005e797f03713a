/** Files that wait to be converted, a line per account. The accounts take turns. */
import type { QueuedConversion } from "./conversion-thread.js";
import { PoolBusyError } from "./engine.js";

/** Limits on the files that wait, which are all held in memory. */
const maxFilesPerAccount = 16;
const maxFiles = 4 * maxFilesPerAccount;
const maxBytesPerAccount = 200 * 1024 * 1024;
const maxBytes = 2 * maxBytesPerAccount;

export class ConversionQueue {
  /** Waiting conversions by account, without accounts that have none. The first account gets the next turn. */
  readonly #lines = new Map<string, QueuedConversion[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Adds a file at the end of its account's line. Throws a PoolBusyError if it finds the queue full. */
  add(account: string, conversion: QueuedConversion): void {
    const line = this.#lines.get(account) ?? [];
    const all = [...this.#lines.values()].flat();
    const { byteLength } = conversion.task.bytes;
    if (line.length >= maxFilesPerAccount || sizeOf(line) + byteLength > maxBytesPerAccount)
      throw new PoolBusyError(`${line.length} files of this account are already waiting to be converted`);
    if (all.length >= maxFiles || sizeOf(all) + byteLength > maxBytes)
      throw new PoolBusyError(`${all.length} files are already waiting to be converted`);
    this.#lines.set(account, [...line, conversion]);
  }

  /** Removes and returns the first file of the account whose turn it is. */
  takeNext(): QueuedConversion | null {
    const [next] = this.#lines;
    if (!next) return null;
    const [account, [first, ...others]] = next;
    this.#lines.delete(account);
    if (others.length > 0) this.#lines.set(account, others);
    return first ?? null;
  }

  remove(conversion: QueuedConversion): void {
    for (const [account, line] of this.#lines) {
      const others = line.filter((other) => other !== conversion);
      if (others.length > 0) this.#lines.set(account, others);
      else this.#lines.delete(account);
    }
  }

  /** Removes and returns all files. */
  clear(): QueuedConversion[] {
    const all = [...this.#lines.values()].flat();
    this.#lines.clear();
    return all;
  }
}

const sizeOf = (line: readonly QueuedConversion[]): number =>
  line.reduce((sum, { task }) => sum + task.bytes.byteLength, 0);
