/**
 * The clock of a run. It is frozen at the time of the first call and follows the recorded clock at the points that
 * matter: before jobs that ran on their own, and after long pauses. In between, it leaves out the tester's pauses.
 */
import { day, hour, minute, second, toIso } from "../../time/time.js";

/** Longest total of pauses between calls that a run leaves out, in ms. */
const maxLagMs = 1 * minute;
/** Time in ms after a call in which jobs run even while the clock is frozen, such as first attempts of deliveries. */
const atOnceMs = 500;

export class ReplayClock {
  #now: number;
  /** Jobs up to this recorded time have run. */
  #ranUpTo: number;
  #lastCallAt: number;

  constructor(
    readonly start: number,
    readonly add: (advance: string) => void,
  ) {
    this.#now = start;
    this.#ranUpTo = start;
    this.#lastCallAt = start;
  }

  /** Records a call that was made at this time. */
  called(at: number): void {
    if (at - this.#now >= maxLagMs) this.#catchUp(at);
    this.#lastCallAt = at;
  }

  /** Records that a change which takes time was seen at this time, without the job that made it. */
  changed(at: number): void {
    this.#catchUp(at);
  }

  /** Records a job that ran at this time. */
  ran(at: number): void {
    if (at <= this.#ranUpTo || at - this.#lastCallAt < atOnceMs) return;
    this.#catchUp(at);
  }

  /** Records an advance by a duration to `to`. `jobs` are the times of the jobs that ran during it. */
  advancedBy(by: string, to: number, jobs: readonly number[]): void {
    const lag = Math.max(0, this.#lastCallAt - this.#now);
    if (jobs.some((at) => at > to - lag && at <= to)) this.#catchUp(this.#lastCallAt);
    this.add(by);
    this.#now += to - this.#lastCallAt;
    this.#ranUpTo = to;
  }

  /** Records an advance to an instant, or to the next due job. */
  advancedTo(text: string, to: number): void {
    this.add(text);
    this.#now = Math.max(to, this.#now);
    this.#ranUpTo = to;
  }

  /** Records that the clock was frozen at an instant. */
  frozenAt(to: number): void {
    if (to > this.#now) this.advancedTo(toIso(to), to);
  }

  #catchUp(at: number): void {
    if (at > this.#now) this.add(formatSpan(at - this.#now));
    this.#now = Math.max(at, this.#now);
    this.#ranUpTo = Math.max(at, this.#ranUpTo);
  }
}

const units: readonly (readonly [string, number])[] = [
  ["d", day],
  ["h", hour],
  ["m", minute],
  ["s", second],
  ["ms", 1],
];

/** Formats a duration as `advance` takes it, such as `1h30m`. */
function formatSpan(ms: number): string {
  let left = ms;
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.join("") || "0s";
}
