/** Parsers of option values. */
import { InvalidArgumentError } from "commander";
import { parseDuration } from "../time/time.js";

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

/** Parses a timeout into ms. */
export function parseTimeoutFlag(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms === 0)
    throw new InvalidArgumentError("A timeout is a duration such as 500ms, 90s or 5m.");
  return ms;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

/** Collects comma-separated values of an option that can be repeated. */
export const collectList = (value: string, previous: readonly string[] = []): string[] => [
  ...previous,
  ...value.split(",").map((item) => item.trim()),
];
