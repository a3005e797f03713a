/** An account's clock: real time plus an offset, or frozen. While something runs, it stands at that thing's instant. */
import { fromIso, realNow, toIso } from "./time.js";

/** Timestamps have four digits for the year, and what is due may lie years ahead. */
export const earliestInstant = "1970-01-01T00:00:00.000Z";
export const latestInstant = "9000-01-01T00:00:00.000Z";

/** A clock can be set to this instant (ms). */
export const isOnClock = (at: number): boolean =>
  at >= (fromIso(earliestInstant) as number) && at <= (fromIso(latestInstant) as number);

export interface ClockSetting {
  /** Ms that the account is ahead of real time while it runs. */
  offset: number;
  /** The instant at which the clock stands; null while it runs. */
  frozen_at: number | null;
  /** The clock stands where a restored snapshot left it, and nothing runs, not even what is due at that instant. */
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

  /** YYYY-MM-DD, UTC. */
  today(): string {
    return this.iso().slice(0, 10);
  }

  date(): Date {
    return new Date(this.now());
  }

  /** The setting under which the clock shows `at` now and stays in its mode. */
  settingAt(at: number): ClockSetting {
    return this.frozen
      ? { offset: this.#setting.offset, frozen_at: at }
      : { offset: at - realNow(), frozen_at: null };
  }

  /** The setting under which a paused clock stands frozen. */
  unpaused(): ClockSetting {
    const { offset, frozen_at } = this.#setting;
    return { offset, frozen_at };
  }

  /** The setting under which the clock goes on from the instant that it shows. */
  runningFromHere(): ClockSetting {
    return { offset: this.now() - realNow(), frozen_at: null };
  }

  /** Returns the real time (ms) at which something that is due at `at` runs: 0 for at once, null for not by itself. */
  realTimeOf(at: number): number | null {
    const { offset, frozen_at } = this.#setting;
    if (frozen_at === null) return at - offset;
    return at <= frozen_at && !this.paused ? 0 : null;
  }

  /** The clock stands at `at` until `release`; nested pins keep the outer instant unless they name their own. */
  pin(at: number | null): number | null {
    const outer = this.#instant;
    this.#instant = at;
    return outer;
  }

  get pinned(): number | null {
    return this.#instant;
  }
}
