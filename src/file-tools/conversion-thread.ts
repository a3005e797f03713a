/** A worker thread that converts one file at a time, with limits on time and memory per file. */
import { rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { second, type Timer, timer } from "../time/time.js";
import { UnreadableFileError } from "./engine.js";
import { type ExternalResources, killProgram } from "./external-program.js";
import type { ConversionResult, ConversionTask, ThreadResult } from "./worker.js";

const idleTimeoutMs = 30 * second;
/** Heap limit of a thread's JavaScript. The engines limit the buffers that they decode into themselves. */
const threadHeapMb = 512;
/** Time for a thread to report a child process that it has just started, and to reap a killed one, before it is terminated. */
const reapGraceMs = 200;

/** The bundle next to this one, or the last build when running from source. */
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
  #external: ExternalResources | null = null;
  #isStopped = false;

  constructor(
    /** Wall-clock limit per file. */
    readonly timeoutMs: number,
    readonly onEnd: (thread: ConversionThread) => void,
  ) {
    this.#worker.unref();
    this.#worker.on("message", (message: ThreadResult | { external: ExternalResources | null }) => {
      if ("external" in message) {
        this.#external = message.external;
        // The thread may have started a program just before it was stopped.
        if (this.#isStopped) this.#cleanUpExternal();
      } else if (!this.#isStopped) this.#finish(message);
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

  /** Kills a running external program and removes its folder. Returns whether one was running or about to run. */
  #cleanUpExternal(): boolean {
    const external = this.#external;
    this.#external = null;
    if (external === null) return false;
    if (external.pid !== null) killProgram(external.pid);
    rmSync(external.folder, { recursive: true, force: true });
    return true;
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
