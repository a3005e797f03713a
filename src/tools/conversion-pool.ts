/** A pool of worker threads that convert files, with a bounded queue and limits on time and memory per file. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { NotInstalled } from "../contract/optional-packages.js";
import { minute, second, type Timer, timer } from "../world/time/time.js";
import { PoolBusyError, UnreadableFileError } from "./engine.js";
import type { EngineName, EngineOptions } from "./engines.js";
import { type ExternalResources, killProgram } from "./external-program.js";
import type { ConversionResult, ConversionTask } from "./worker.js";

const conversionTimeoutMs = 1 * minute;
const idleTimeoutMs = 30 * second;
/** Heap limit of a thread's JavaScript. The engines limit the buffers that they decode into themselves. */
const threadHeapMb = 512;
/** Limits of the queue, whose files are all held in memory. */
const maxQueuedFiles = 16;
const maxQueuedBytes = 200 * 1024 * 1024;
/** Time for a thread to reap a killed child process before the thread is terminated. */
const reapGraceMs = 200;

/** The bundle next to this one, or the last build when running from source. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/bundle/tool-worker.js" : "./tool-worker.js",
  import.meta.url,
);

/** Leaves one core to the HTTP server. */
const maxThreads = Math.max(1, availableParallelism() - 1);

interface QueuedConversion {
  task: ConversionTask;
  resolve(result: ConversionResult): void;
  reject(error: Error): void;
}

class ConversionThread {
  readonly #worker = new Worker(workerFile, {
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMb },
    // The parent's flags, such as --input-type, may not apply to a worker file.
    execArgv: [],
  });
  #current: QueuedConversion | null = null;
  #timeout: Timer | null = null;
  #idleTimeout: Timer | null = null;
  #external: ExternalResources | null = null;

  constructor(
    readonly timeoutMs: number,
    readonly onEnd: (thread: ConversionThread) => void,
  ) {
    this.#worker.unref();
    this.#worker.on("message", (message: ConversionResult | { external: ExternalResources | null }) => {
      if ("external" in message) this.#external = message.external;
      else this.#finish(message);
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
    this.#idleTimeout?.cancel();
    const terminate = (): void => void this.#worker.terminate();
    if (this.#cleanUpExternal()) timer(reapGraceMs, terminate);
    else terminate();
    const isOutOfMemory = reason.code === "ERR_WORKER_OUT_OF_MEMORY";
    this.#takeCurrent()?.reject(
      isOutOfMemory
        ? new UnreadableFileError("converting the file takes too much memory; send a smaller one")
        : reason,
    );
  }

  /** Kills a running external program and removes its folder. Returns whether a program was running. */
  #cleanUpExternal(): boolean {
    const { folder, pid } = this.#external ?? { folder: null, pid: null };
    this.#external = null;
    if (pid !== null) killProgram(pid);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return pid !== null;
  }

  #finish(result: ConversionResult): void {
    this.#worker.unref();
    this.#idleTimeout = timer(idleTimeoutMs, () => this.stop(new Error("idle")));
    this.#takeCurrent()?.resolve(result);
  }

  #takeCurrent(): QueuedConversion | null {
    const conversion = this.#current;
    this.#timeout?.cancel();
    this.#current = null;
    return conversion;
  }
}

export class ConversionPool {
  readonly #threads = new Set<ConversionThread>();
  readonly #queue: QueuedConversion[] = [];

  /** `timeoutMs`: wall-clock limit per file. */
  constructor(readonly timeoutMs = conversionTimeoutMs) {}

  /** Rejects with `UnreadableFileError` if the file cannot be converted, `PoolBusyError` if the queue is full, or the signal's reason. */
  async convert<N extends EngineName>(
    engine: N,
    bytes: Uint8Array,
    options: EngineOptions[N],
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    signal?.throwIfAborted();
    const queuedBytes = this.#queue.reduce((sum, { task }) => sum + task.bytes.byteLength, bytes.byteLength);
    if (this.#queue.length >= maxQueuedFiles || queuedBytes > maxQueuedBytes)
      throw new PoolBusyError(`${this.#queue.length} files are already waiting to be converted`);
    const result = await new Promise<ConversionResult>((resolve, reject) => {
      const conversion = { task: { engine, bytes, options }, resolve, reject };
      signal?.addEventListener("abort", () => this.#abort(conversion, signal.reason), { once: true });
      this.#queue.push(conversion);
      this.#startNext();
    }).finally(() => this.#startNext());
    if ("bytes" in result) return result.bytes;
    if ("unreadable" in result) throw new UnreadableFileError(result.unreadable);
    throw "notInstalled" in result ? new NotInstalled(result.notInstalled) : new Error(result.failed);
  }

  close(): void {
    const reason = new PoolBusyError("the sandbox is shutting down");
    for (const { reject } of this.#queue.splice(0)) reject(reason);
    for (const thread of this.#threads) thread.stop(reason);
  }

  /** Synchronous engine code cannot be interrupted, so its thread is terminated. */
  #abort(conversion: QueuedConversion, reason: Error): void {
    const index = this.#queue.indexOf(conversion);
    if (index !== -1) this.#queue.splice(index, 1);
    for (const thread of this.#threads) if (thread.isRunning(conversion)) thread.stop(reason);
    conversion.reject(reason);
  }

  #startNext(): void {
    const conversion = this.#queue[0];
    const thread = conversion && this.#freeThread();
    if (!conversion || !thread) return;
    this.#queue.shift();
    thread.run(conversion);
  }

  #freeThread(): ConversionThread | null {
    for (const thread of this.#threads) if (thread.isFree) return thread;
    if (this.#threads.size >= maxThreads) return null;
    const thread = new ConversionThread(this.timeoutMs, (ended) => this.#threads.delete(ended));
    this.#threads.add(thread);
    return thread;
  }
}
