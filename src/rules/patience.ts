/** How long the patterns of rules may take: one that backtracks without end must not hold up every account. */
import { stopwatch } from "../world/time/time.js";
import { runWithTimeout } from "./patterns.js";

/** Real ms for all patterns together, and least for one: a machine under load, too, has time for any that ends. */
const whole = 500;
const least = 100;

/** Of one request or delivery. */
export class Patience {
  #left = whole;
  /** Ids of rules that will not be tried again. */
  readonly stopped: string[] = [];
  /** So many rules for which no time was left. */
  passedOver = 0;

  /** What `judge` finds; null when it takes longer than its share; undefined when too little is left to begin. */
  judge(judge: () => boolean): boolean | null | undefined {
    const mine = Math.max(least, Math.floor(this.#left / 2));
    if (mine > this.#left) return undefined;
    const taken = stopwatch();
    try {
      return runWithTimeout(judge, mine);
    } finally {
      this.#left -= taken();
    }
  }

  /** For the header of a reply; null: every rule could be judged. */
  say(): string | null {
    const told = this.stopped.length > 0 ? [`stopped=${this.stopped.join(" ")}`] : [];
    if (this.passedOver > 0) told.push(`passed-over=${this.passedOver}`);
    return told.length > 0 ? told.join(", ") : null;
  }
}
