/** An account's clock: real time plus an offset, or frozen. While a job runs, the clock is pinned to its due time. */
import { fromIso, realNow, toDate, toIso } from "./time.js";

/** Timestamps have four digits for the year, and jobs can be due years ahead. */
export const earliestInstant = "1970-01-01T00:00:00.000Z";
export const latestInstant = "9000-01-01T00:00:00.000Z";

/** Returns whether a clock can be set to this instant (ms). */
export const isOnClock = (at: number): boolean =>
  at >= (fromIso(earliestInstant) as number) && at <= (fromIso(latestInstant) as number);

export interface ClockSetting {
  /** Offset in ms from real time while the clock runs. */
  offset: number;
  /** Instant (ISO 8601) at which the clock is frozen, or null while it runs. */
  frozen_at: number | null;
  /** Whether a restored snapshot has paused the clock, so that not even jobs due at its instant run. */
  paused?: true;
}

export class Clock {
  #setting: ClockSetting = { offset: 0, frozen_at: null };
  #instant: number | null = null;

  get setting(): ClockSetting {
    return this.#setting;
  }

  set setting(setting: ClockSetting) {
    this.#setting = setting;
  }

  get frozen(): boolean {
    return this.#setting.frozen_at !== null;
  }

  get paused(): boolean {
    return this.#setting.paused === true;
  }

  get mode(): "running" | "frozen" | "paused" {
    if (this.paused) return "paused";
    return this.frozen ? "frozen" : "running";
  }

  now(): number {
    return this.#instant ?? this.#setting.frozen_at ?? realNow() + this.#setting.offset;
  }

  iso(): string {
    return toIso(this.now());
  }

  /** Returns the current date in UTC, as YYYY-MM-DD. */
  today(): string {
    return this.iso().slice(0, 10);
  }

  date(): Date {
    return toDate(this.now());
  }

  /** Returns the setting under which the clock shows `at` now and keeps its mode. */
  settingAt(at: number): ClockSetting {
    return this.frozen
      ? { offset: this.#setting.offset, frozen_at: at }
      : { offset: at - realNow(), frozen_at: null };
  }

  /** Returns the setting that turns a paused clock into a frozen one. */
  unpaused(): ClockSetting {
    const { offset, frozen_at } = this.#setting;
    return { offset, frozen_at };
  }

  /** Returns the setting under which the clock runs from its current instant. */
  runningFromHere(): ClockSetting {
    return { offset: this.now() - realNow(), frozen_at: null };
  }

  /** Returns the real time (ms) at which a job due at `at` runs: 0 for immediately, null if the clock must be advanced. */
  realTimeOf(at: number): number | null {
    const { offset, frozen_at } = this.#setting;
    if (frozen_at === null) return at - offset;
    return at <= frozen_at && !this.paused ? 0 : null;
  }

  /** Pins the clock to `at` until `release`. A nested pin keeps the outer instant unless it names its own. */
  pin(at: number | null): number | null {
    const outer = this.#instant;
    this.#instant = at;
    return outer;
  }
}
