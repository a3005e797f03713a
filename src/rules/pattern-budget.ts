/** Limits the time that regular expressions take: one with catastrophic backtracking must not block other accounts. */
import { type Context, createContext, Script } from "node:vm";

/** Ms of CPU time for all rules of one request or delivery. */
const totalMs = 100;
/** Minimum time for one rule, in ms. */
const minPerRuleMs = 20;

/** Time budget for matching the rules of one request or delivery. */
export class PatternBudget {
  #leftMs = totalMs;
  /** Ids of the rules that were stopped and will not be tried again. */
  readonly stopped: string[] = [];
  /** Number of rules that were not tried, because no time was left. */
  skipped = 0;

  /** Returns the result of `matches`, null when it takes longer than half the budget, undefined when too little is left. */
  run(matches: () => boolean): boolean | null | undefined {
    const allowedMs = Math.max(minPerRuleMs, Math.floor(this.#leftMs / 2));
    if (allowedMs > this.#leftMs) return undefined;
    const used = cpuStopwatch();
    try {
      return runWithTimeout(matches, allowedMs);
    } finally {
      this.#leftMs -= used();
    }
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

/** Returns a function that tells the ms of CPU time that the process has used since. */
function cpuStopwatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
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
