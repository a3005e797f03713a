/** Formats times, amounts, durations and commands. Times of the account's clock are in UTC, as in the API. */
import { formatLength, second } from "../../../time/instants.js";

/** Formats a time as `14:03:22`. */
export const formatTime = (iso: string): string => iso.slice(11, 19);

const day = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Formats a day as `Sun, 22 Nov 2026`. */
export const formatDay = (iso: string): string => day.format(new Date(iso));

/** Formats a duration in ms, to the second, with its two largest units: `2 h 5 min`. */
export function formatLongDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / second));
  return seconds === 0 ? "0 s" : formatLength(seconds * second);
}

const amount = (options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, ...options });
const plain = amount({});
const signed = amount({ signDisplay: "exceptZero" });

/** Formats an amount in naira with separators: `1,250.50`. */
export const formatAmount = (naira: number): string => plain.format(naira);

/** Formats a change in naira with its sign and separators: `+1,250.50`. */
export const formatChange = (naira: number): string => signed.format(naira);

/** Formats an amount in kobo as `NGN 1,250.50`. */
export const formatKobo = (kobo: number): string => `NGN ${formatAmount(kobo / 100)}`;

/** Returns whether a value is a link that is safe to follow: http or https. */
export const isWebLink = (value: unknown): value is string =>
  typeof value === "string" && /^https?:\/\//i.test(value);

export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** Formats a name of the service as words: `in_payout` as `in payout`. */
export const formatName = (name: string): string => name.replaceAll("_", " ");

/** Maximum number of characters of an endpoint's address on a row. */
const longestEndpoint = 32;

/** Formats an endpoint for a row: host and path, cut. */
export function formatEndpoint(url: string): string {
  const place = url.replace(/^\w+:\/\//, "");
  return place.length <= longestEndpoint ? place : `${place.slice(0, longestEndpoint - 1)}…`;
}

interface CurlRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | null;
  /** Fields of a form. The text of a file is null. */
  form?: readonly { field: string; text: string | null }[];
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Formats a request as a curl command. */
export const formatCurl = ({ method, url, headers, body, form = [] }: CurlRequest): string =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(url)}`,
    ...headers.map((header) => `-H ${quote(header.join(": "))}`),
    ...(body ? [`-d ${quote(body)}`] : []),
    ...form.map(({ field, text }) => `-F ${quote(`${field}=${text ?? "@FILE"}`)}`),
  ].join(" \\\n  ");
