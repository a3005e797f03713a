/** Runs engines off the main thread: so many at a time, each within its time and memory. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { NotInstalled } from "../contract/optional-packages.js";
import { minute, second, type Timer, timer } from "../world/time/time.js";
import { Unreadable } from "./engine.js";
import type { EngineName, EngineOptions } from "./engines.js";
import { endProgram, type LeftBehind } from "./program.js";
import type { Done, Task } from "./worker.js";

const longestConversion = 1 * minute;
/** Threads end when nothing has come for so long. */
const idleAfter = 30 * second;
/** Of a thread's JavaScript; what engines unpack they bound themselves. */
const megabytes = 512;
/** Files that wait for a thread, and their bytes: all are in memory. */
const longestLine = 16;
const heaviestLine = 200 * 1024 * 1024;

/** More files than can wait are waiting. */
export class TooBusy extends Error {}

/** Bundles lie in dist/bundle/; sources that run as they are use what was built last. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/bundle/tool-worker.js" : "./tool-worker.js",
  import.meta.url,
);

/** One core stays with the requests. */
const mostThreads = Math.max(1, availableParallelism() - 1);

interface Waiting {
  task: Task;
  settle(done: Done): void;
  fail(error: Error): void;
}

class Thread {
  readonly #worker = new Worker(workerFile, {
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // The program's own may not suit a file, such as --input-type.
    execArgv: [],
  });
  #current: Waiting | null = null;
  #limit: Timer | null = null;
  #idle: Timer | null = null;
  #leftBehind: LeftBehind | null = null;

  constructor(
    readonly longest: number,
    readonly ended: (thread: Thread) => void,
  ) {
    this.#worker.unref();
    this.#worker.on("message", (told: Done | { leftBehind: LeftBehind | null }) => {
      if ("leftBehind" in told) this.#leftBehind = told.leftBehind;
      else this.#settle(told);
    });
    this.#worker.on("error", (error: NodeJS.ErrnoException) => this.#die(error));
  }

  get free(): boolean {
    return this.#current === null;
  }

  run(waiting: Waiting): void {
    this.#idle?.cancel();
    this.#current = waiting;
    this.#worker.ref();
    const tooLong = `the file takes longer than ${this.longest / second} s to convert; send a smaller one`;
    this.#limit = timer(this.longest, () => this.#die(new Unreadable(tooLong)));
    this.#worker.postMessage(waiting.task);
  }

  runs(waiting: Waiting): boolean {
    return this.#current === waiting;
  }

  /** What it works at fails. */
  stop(reason: Error): void {
    this.#die(reason);
  }

  #die(error: NodeJS.ErrnoException): void {
    this.ended(this);
    this.#idle?.cancel();
    const end = (): void => void this.#worker.terminate();
    // A moment for the thread to see its program end: nobody else would take note of it.
    if (this.#clearUp()) timer(200, end);
    else end();
    const isTooMuch = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    this.#letGo()?.fail(
      isTooMuch ? new Unreadable("the file takes more memory to convert than there is for it") : error,
    );
  }

  /** Whether a program was still running. */
  #clearUp(): boolean {
    const { folder, pid } = this.#leftBehind ?? { folder: null, pid: null };
    this.#leftBehind = null;
    if (pid !== null) endProgram(pid);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return pid !== null;
  }

  #settle(done: Done): void {
    this.#worker.unref();
    this.#idle = timer(idleAfter, () => this.#die(new Error("idle")));
    this.#letGo()?.settle(done);
  }

  #letGo(): Waiting | null {
    const waiting = this.#current;
    this.#limit?.cancel();
    this.#current = null;
    return waiting;
  }
}

/** The threads and the line before them, of one sandbox. */
export class Conversions {
  readonly #threads = new Set<Thread>();
  readonly #line: Waiting[] = [];

  /** `longest`: real ms for one file. */
  constructor(readonly longest = longestConversion) {}

  /** Rejects with Unreadable when the file is the reason, with TooBusy when too many wait, with the reason of `gone`. */
  async convert<N extends EngineName>(
    engine: N,
    bytes: Uint8Array,
    options: EngineOptions[N],
    gone?: AbortSignal,
  ): Promise<Uint8Array> {
    gone?.throwIfAborted();
    const weight = this.#line.reduce((sum, { task }) => sum + task.bytes.byteLength, bytes.byteLength);
    if (this.#line.length >= longestLine || weight > heaviestLine)
      throw new TooBusy(`${this.#line.length} files wait to be converted`);
    const done = await new Promise<Done>((settle, fail) => {
      const waiting = { task: { engine, bytes, options }, settle, fail };
      gone?.addEventListener("abort", () => this.#drop(waiting, gone.reason), { once: true });
      this.#line.push(waiting);
      this.#next();
    }).finally(() => this.#next());
    if ("bytes" in done) return done.bytes;
    if ("unreadable" in done) throw new Unreadable(done.unreadable);
    throw "notInstalled" in done ? new NotInstalled(done.notInstalled) : new Error(done.failed);
  }

  close(): void {
    const reason = new TooBusy("the sandbox stops");
    for (const { fail } of this.#line.splice(0)) fail(reason);
    for (const thread of this.#threads) thread.stop(reason);
  }

  /** A thread ends with what it works at: there is no other way to have it let go. */
  #drop(waiting: Waiting, reason: Error): void {
    const at = this.#line.indexOf(waiting);
    if (at !== -1) this.#line.splice(at, 1);
    for (const thread of this.#threads) if (thread.runs(waiting)) thread.stop(reason);
    waiting.fail(reason);
  }

  #next(): void {
    const waiting = this.#line[0];
    const thread = waiting && this.#freeThread();
    if (!waiting || !thread) return;
    this.#line.shift();
    thread.run(waiting);
  }

  #freeThread(): Thread | null {
    for (const thread of this.#threads) if (thread.free) return thread;
    if (this.#threads.size >= mostThreads) return null;
    const thread = new Thread(this.longest, (ended) => this.#threads.delete(ended));
    this.#threads.add(thread);
    return thread;
  }
}
