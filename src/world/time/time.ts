/** The only place that reads the machine's clock or starts a timer. Times are ms since the epoch; durations are ms. */

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const realNow = (): number => Date.now();

/** Milliseconds on a clock that never jumps, for measuring how long something took. */
export const stopwatch = (): (() => number) => {
  const started = performance.now();
  return () => performance.now() - started;
};

export const toDate = (at: number): Date => new Date(at);

let lastAt = Number.NaN;
let lastIso = "";

/** Everything that one commit stamps has one instant: the last text is kept. */
export function toIso(at: number): string {
  if (at !== lastAt) {
    lastIso = formatIso(at);
    lastAt = at;
  }
  return lastIso;
}

let lastMinute = Number.NaN;
let lastMinuteIso = "";

/** Formats only the seconds anew within the same minute, which is several times faster. */
function formatIso(at: number): string {
  const start = at - (at % minute);
  if (start !== lastMinute) {
    lastMinuteIso = new Date(start).toISOString().slice(0, -"00.000Z".length);
    lastMinute = start;
  }
  const ms = at - start;
  if (!(ms >= 0 && ms < minute && Number.isInteger(ms))) return new Date(at).toISOString();
  return `${lastMinuteIso}${String(100_000 + ms).slice(1, 3)}.${String(100_000 + ms).slice(3)}Z`;
}

const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The engine takes 30 February for 2 March. */
const isDay = (date: string): boolean => toIso(Date.parse(date)).startsWith(date);

/** A date or a date-time with its zone; null for anything else. */
export function fromIso(text: string): number | null {
  const at = isoForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || !isDay(text.slice(0, 10)) ? null : at;
}

const units: Record<string, number> = { ms: 1, s: second, m: minute, h: hour, d: day };
/** A hundred years: any longer advance is a slip of the finger. */
export const longestDuration = 36_525 * day;

/** `90s`, `1h30m`, `24h`, `2d`, `500ms`; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (units[unit as string] as number);
  }
  return total <= longestDuration ? Math.round(total) : null;
}

/** Formats a duration for people: `12 ms`, `1.5 s`. */
export const formatDuration = (ms: number): string =>
  ms < second ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;

/** Timers of more than 24.8 days overflow in Node: wake earlier and look again. */
const longestTimer = 2 ** 31 - 1;

export interface Timer {
  cancel(): void;
}

/** Calls back after so many real ms, at most 24.8 days; never keeps the process alive by itself. */
export function timer(ms: number, callback: () => void): Timer {
  const handle = setTimeout(callback, Math.min(Math.max(ms, 0), longestTimer));
  handle.unref();
  return { cancel: () => clearTimeout(handle) };
}

/** Waits real time; ends early, without an error, when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(handle);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const handle = setTimeout(done, Math.min(ms, longestTimer));
    signal?.addEventListener("abort", done);
  });
}

/** After everything that arrived in this turn of the event loop. */
export const afterTick = (callback: () => void): void => {
  setImmediate(callback);
};
