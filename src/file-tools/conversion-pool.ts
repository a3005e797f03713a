/** A pool of worker threads that convert files, with a bounded queue in which accounts take turns. */
import { availableParallelism } from "node:os";
import { NotInstalled } from "../contract/optional-packages.js";
import { minute } from "../time/time.js";
import { ConversionThread, type QueuedConversion } from "./conversion-thread.js";
import { type Conversion, EngineFailedError, PoolBusyError, UnreadableFileError } from "./engine.js";
import type { EngineName, EngineOptions } from "./engines.js";
import type { ConversionResult } from "./worker.js";

const conversionTimeoutMs = 1 * minute;

/** Maximum number of threads, which leaves one core to the HTTP server. */
const maxThreads = Math.max(1, availableParallelism() - 1);

/** Limits on the number of waiting files, which are all held in memory. */
const maxFilesPerAccount = 16;
const maxFiles = 4 * maxFilesPerAccount;
const maxBytesPerAccount = 200 * 1024 * 1024;
const maxBytes = 2 * maxBytesPerAccount;

/** Files that wait to be converted, in a line per account. The accounts take turns. */
class ConversionQueue {
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

export class ConversionPool {
  readonly #threads = new Set<ConversionThread>();
  readonly #queue = new ConversionQueue();

  /** `timeoutMs`: wall-clock limit per file. */
  constructor(readonly timeoutMs = conversionTimeoutMs) {}

  /**
   * Converts a file for an account. Accounts take turns. Rejects with `UnreadableFileError` if the file cannot be
   * converted, `PoolBusyError` if the queue is full, or the signal's reason.
   */
  async convert<N extends EngineName>(
    account: string,
    engine: N,
    bytes: Uint8Array,
    options: EngineOptions[N],
    signal?: AbortSignal,
  ): Promise<Conversion> {
    signal?.throwIfAborted();
    const result = await new Promise<ConversionResult>((resolve, reject) => {
      const conversion = { task: { engine, bytes, options }, resolve, reject };
      this.#queue.add(account, conversion);
      signal?.addEventListener("abort", () => this.#abort(conversion, signal.reason), { once: true });
      this.#startNext();
    }).finally(() => this.#startNext());
    if ("bytes" in result) return result;
    if ("unreadable" in result) throw new UnreadableFileError(result.unreadable);
    throw "notInstalled" in result
      ? new NotInstalled(result.notInstalled)
      : new EngineFailedError(result.failed);
  }

  close(): void {
    const reason = new PoolBusyError("the sandbox is shutting down");
    for (const { reject } of this.#queue.clear()) reject(reason);
    for (const thread of this.#threads) thread.stop(reason);
  }

  /** Aborts a conversion. Synchronous engine code cannot be interrupted, so its thread is terminated. */
  #abort(conversion: QueuedConversion, reason: Error): void {
    this.#queue.remove(conversion);
    for (const thread of this.#threads) if (thread.isRunning(conversion)) thread.stop(reason);
    conversion.reject(reason);
  }

  #startNext(): void {
    const thread = this.#queue.isEmpty ? null : this.#freeThread();
    const conversion = thread && this.#queue.takeNext();
    if (conversion) thread.run(conversion);
  }

  #freeThread(): ConversionThread | null {
    for (const thread of this.#threads) if (thread.isFree) return thread;
    if (this.#threads.size >= maxThreads) return null;
    const thread = new ConversionThread(this.timeoutMs, (ended) => this.#threads.delete(ended));
    this.#threads.add(thread);
    return thread;
  }
}
