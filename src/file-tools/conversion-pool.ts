/** A pool of worker threads that convert files, with a bounded queue in which accounts take turns. */
import { availableParallelism } from "node:os";
import { NotInstalled } from "../contract/optional-packages.js";
import { minute } from "../time/time.js";
import { ConversionQueue } from "./conversion-queue.js";
import { ConversionThread, type QueuedConversion } from "./conversion-thread.js";
import { type Conversion, EngineFailedError, PoolBusyError, UnreadableFileError } from "./engine.js";
import type { EngineName, EngineOptions } from "./engines.js";
import type { ConversionResult } from "./worker.js";

const conversionTimeoutMs = 1 * minute;

/** Leaves one core to the HTTP server. */
const maxThreads = Math.max(1, availableParallelism() - 1);

export class ConversionPool {
  readonly #threads = new Set<ConversionThread>();
  readonly #queue = new ConversionQueue();

  /** `timeoutMs`: wall-clock limit per file. */
  constructor(readonly timeoutMs = conversionTimeoutMs) {}

  /**
   * Converts a file for an account, whose files wait in a line of their own. Rejects with `UnreadableFileError` if the
   * file cannot be converted, `PoolBusyError` if the queue is full, or the signal's reason.
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

  /** Synchronous engine code cannot be interrupted, so its thread is terminated. */
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
