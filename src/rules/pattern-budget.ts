/** Limits the time that regular expressions take: one with catastrophic backtracking must not block other accounts. */
import { type Context, createContext, Script } from "node:vm";
import { stopwatch } from "../time/time.js";

/** Ms of CPU time for all rules of one request or delivery. */
const totalMs = 100;
/** Minimum time for one rule, in ms. */
const minPerRuleMs = 20;

/** Time budget that several callbacks share. On a busy machine, the time of other programs is not taken from it. */
export class CpuBudget {
  /** In ms of CPU time. */
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  get leftMs(): number {
    return this.#leftMs;
  }

  /**
   * Returns the result of `callback`, or null when it takes longer than `ms`, by default all that is left. No more than
   * `ms` is taken from the budget, even if the callback had to be tried again, so that enough is left for the next one.
   */
  run<T>(callback: () => T, ms = this.#leftMs): T | null {
    if (ms <= 0) return null;
    const used = cpuStopwatch();
    try {
      return runWithTimeout(callback, Math.ceil(ms));
    } finally {
      this.#leftMs -= Math.min(used(), ms);
    }
  }
}

/** Time budget for matching the rules of one request or delivery. */
export class PatternBudget {
  readonly #time = new CpuBudget(totalMs);
  /** Ids of the rules that were stopped and will not be tried again. */
  readonly stopped: string[] = [];
  /** Number of rules that were not tried, because no time was left. */
  skipped = 0;

  /** Returns the result of `matches`, null when it takes longer than half the budget, undefined when too little is left. */
  run(matches: () => boolean): boolean | null | undefined {
    const { leftMs } = this.#time;
    const allowedMs = Math.max(minPerRuleMs, leftMs / 2);
    return allowedMs > leftMs ? undefined : this.#time.run(matches, allowedMs);
  }

  /** Formats the rules that were not evaluated for a reply's header, or returns null when all were. */
  format(): string | null {
    const parts = this.stopped.length > 0 ? [`stopped=${this.stopped.join(" ")}`] : [];
    if (this.skipped > 0) parts.push(`passed-over=${this.skipped}`);
    return parts.length > 0 ? parts.join(", ") : null;
  }
}

const script = new Script("callback()");
let context: Context | null = null;

/**
 * Returns a function that tells the ms of CPU time that have been used since. The process's figure includes its other
 * threads, such as those that convert files, so the time that has passed is its upper limit.
 */
function cpuStopwatch(): () => number {
  const start = process.cpuUsage();
  const elapsed = stopwatch();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return Math.min((user + system) / 1_000, elapsed());
  };
}

/** Number of times that a callback is tried while the process gets no CPU. */
const maxTries = 10;

/**
 * Returns the result of a synchronous callback without side effects, or null when it takes longer than `ms`. On a busy
 * machine the time may pass without the process: the callback is tried again then.
 */
export function runWithTimeout<T>(callback: () => T, ms: number): T | null {
  context ??= createContext({});
  context.callback = callback;
  try {
    for (let tries = 1; ; tries++) {
      const used = cpuStopwatch();
      try {
        return script.runInContext(context, { timeout: ms }) as T;
      } catch (error) {
        if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        if (used() >= ms / 2 || tries === maxTries) return null;
      }
    }
  } finally {
    context.callback = null;
  }
}
