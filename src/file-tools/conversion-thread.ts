/** A worker thread that converts one file at a time, with limits on time and memory per file. */
import { Worker } from "node:worker_threads";
import { second, type Timer, timer } from "../time/time.js";
import { UnreadableFileError } from "./engine.js";
import type { ConversionResult, ConversionTask, ThreadResult } from "./worker.js";

const idleTimeoutMs = 30 * second;
/** Limit of a thread's JavaScript heap, in MB. The engines themselves limit the buffers that they decode into. */
const threadHeapMb = 512;

/** Bundle of the worker: next to this bundle, or in the last build when running from source. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/bundle/tool-worker.js" : "./tool-worker.js",
  import.meta.url,
);

export interface QueuedConversion {
  task: ConversionTask;
  resolve(result: ConversionResult): void;
  reject(error: Error): void;
}

/** A worker thread, started at once. `onEnd` is called when it can no longer be used. */
export class ConversionThread {
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
