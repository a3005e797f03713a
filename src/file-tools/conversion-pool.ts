/** A pool of worker threads that convert files, with a bounded queue in which accounts take turns. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { NotInstalled } from "../contract/optional-packages.js";
import { minute, second, type Timer, timer } from "../time/time.js";
import { type Conversion, EngineFailedError, PoolBusyError, UnreadableFileError } from "./engine.js";
import type { EngineName, EngineOptions } from "./engines.js";
import type { ConversionResult, ConversionTask, ThreadResult } from "./worker.js";

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

// A worker thread that converts one file at a time, with limits on time and memory per file.

const idleTimeoutMs = 30 * second;
/** Limit of a thread's JavaScript heap, in MB. The engines themselves limit the buffers that they decode into. */
const threadHeapMb = 512;

/** Bundle of the worker: next to this bundle, or in the last build when running from source. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/bundle/tool-worker.js" : "./tool-worker.js",
  import.meta.url,
);

interface QueuedConversion {
  task: ConversionTask;
  resolve(result: ConversionResult): void;
  reject(error: Error): void;
}

/** A worker thread, started at once. `onEnd` is called when it can no longer be used. */
class ConversionThread {
  readonly #worker = new Worker(workerFile, {
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMb },
    // The parent's flags, such as --input-type, may not apply to a worker file.
    execArgv: [],
  });
  #current: QueuedConversion | null = null;
  #timeout: Timer | null = null;
  #idleTimeout: Timer | null = null;
  #isStopped = false;

  constructor(
    /** Wall-clock time limit per file, in ms. */
    readonly timeoutMs: number,
    readonly onEnd: (thread: ConversionThread) => void,
  ) {
    this.#worker.unref();
    this.#worker.on("message", (result: ThreadResult) => {
      if (!this.#isStopped) this.#finish(result);
    });
    this.#worker.on("error", (error: NodeJS.ErrnoException) => this.stop(error));
  }

  get isFree(): boolean {
    return this.#current === null;
  }

  run(conversion: QueuedConversion): void {
    this.#idleTimeout?.cancel();
    this.#current = conversion;
    this.#worker.ref();
    const message = `the file takes longer than ${this.timeoutMs / second} s to convert; send a smaller one`;
    this.#timeout = timer(this.timeoutMs, () => this.stop(new UnreadableFileError(message)));
    this.#worker.postMessage(conversion.task);
  }

  isRunning(conversion: QueuedConversion): boolean {
    return this.#current === conversion;
  }

  /** Terminates the thread and rejects its current conversion. */
  stop(reason: NodeJS.ErrnoException): void {
    this.onEnd(this);
    this.#isStopped = true;
    this.#idleTimeout?.cancel();
    void this.#worker.terminate();
    const isOutOfMemory = reason.code === "ERR_WORKER_OUT_OF_MEMORY";
    this.#takeCurrent()?.reject(
      isOutOfMemory
        ? new UnreadableFileError("converting the file takes too much memory; send a smaller one")
        : reason,
    );
  }

  #finish({ endsThread, ...result }: ThreadResult): void {
    this.#worker.unref();
    this.#takeCurrent()?.resolve(result);
    if (endsThread) this.stop(new Error("the thread has grown too large"));
    else this.#idleTimeout = timer(idleTimeoutMs, () => this.stop(new Error("idle")));
  }

  #takeCurrent(): QueuedConversion | null {
    const conversion = this.#current;
    this.#timeout?.cancel();
    this.#current = null;
    return conversion;
  }
}
