/** Instants and durations in ms, and their texts. They need no clock, so browsers can load this file. */

// Captured when this module loads, like the timers, because tests in the same process may replace it later.
const RealDate = Date;

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const toDate = (at: number): Date => new RealDate(at);

let lastAt = Number.NaN;
let lastIso = "";

/** Formats an instant as ISO 8601. Caches the last text, because all timestamps of a commit are the same. */
export function toIso(at: number): string {
  if (at !== lastAt) {
    lastIso = formatIso(at);
    lastAt = at;
  }
  return lastIso;
}

let lastHttpSecond = Number.NaN;
let lastHttpDate = "";

/**
 * Formats an instant as the header `Date` does (RFC 9110, 5.6.7). Caches the last text, because many replies share a
 * second.
 */
export function toHttpDate(at: number): string {
  const started = Math.floor(at / second);
  if (started !== lastHttpSecond) {
    lastHttpDate = new RealDate(at).toUTCString();
    lastHttpSecond = started;
  }
  return lastHttpDate;
}

/** Cached texts of minutes without their seconds. A commit formats few minutes: now, an expiry, a next attempt. */
const minuteTexts = new Map<number, string>();
const maxMinuteTexts = 100;

/** Formats an instant. Only the seconds are formatted if the minute is cached, which is several times faster. */
function formatIso(at: number): string {
  const start = at - (at % minute);
  const ms = at - start;
  if (!(ms >= 0 && ms < minute && Number.isInteger(ms))) return new RealDate(at).toISOString();
  let text = minuteTexts.get(start);
  if (text === undefined) {
    if (minuteTexts.size === maxMinuteTexts) minuteTexts.clear();
    text = new RealDate(start).toISOString().slice(0, -"00.000Z".length);
    minuteTexts.set(start, text);
  }
  return `${text}${String(100_000 + ms).slice(1, 3)}.${String(100_000 + ms).slice(3)}Z`;
}

const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Returns whether a date exists. The engine parses 30 February as 2 March. */
const isDay = (date: string): boolean => toIso(RealDate.parse(date)).startsWith(date);

/** Parses a date, or a date-time with a zone, to ms. Returns null for anything else. */
export function fromIso(text: string): number | null {
  const at = isoForm.test(text) ? RealDate.parse(text) : Number.NaN;
  return Number.isNaN(at) || !isDay(text.slice(0, 10)) ? null : at;
}

/** Parses the date of an HTTP header to ms. Returns null for anything else. */
export function fromHttpDate(text: string): number | null {
  const at = RealDate.parse(text);
  return Number.isNaN(at) || toHttpDate(at) !== text ? null : at;
}

const units: Record<string, number> = { ms: 1, s: second, m: minute, h: hour, d: day };
/** Maximum duration that is accepted: 100 years. A longer one is probably a typing error. */
export const maxDurationMs = 36_525 * day;

/** Parses a duration such as `90s`, `1h30m`, `2d` or `500ms` to ms. Returns null for anything else. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (units[unit as string] as number);
  }
  return total <= maxDurationMs ? Math.round(total) : null;
}

/** Returns the body of an advance of the clock: `to` for `next` and instants, `by` for durations. */
export const toAdvance = (text: string): { to: string } | { by: string } =>
  text === "next" || /^\d{4}-/.test(text) ? { to: text } : { by: text };

/** Formats a duration for people: `12 ms`, `1.5 s`. */
export const formatDuration = (ms: number): string =>
  ms < second ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;

/** Formats an age for people: `today`, `yesterday`, `3 days ago`. */
export function formatDaysAgo(ms: number): string {
  const days = Math.max(Math.floor(ms / day), 0);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-days || 0, "day");
}

const lengths = [
  [day, "d"],
  [hour, "h"],
  [minute, "min"],
  [second, "s"],
] as const;

/** Formats a length of time with its two largest units, such as `36 min 10 s`. Lengths below a second are in ms. */
export function formatLength(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`;
  let left = Math.round(ms / second) * second;
  const first = lengths.findIndex(([size]) => left >= size);
  const parts: string[] = [];
  for (const [size, unit] of lengths.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}
