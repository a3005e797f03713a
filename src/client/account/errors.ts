import type { Expectation } from "./types.js";

/**
 * Thrown when too few or too many requests match. The message names the nearest misses; `expectation` has the
 * details.
 */
export class ExpectationError extends Error {
  constructor(
    operation: string,
    readonly expectation: Expectation,
    /** Latest activities of the account, as text. */
    tail: string,
  ) {
    const { expected, count, nearest } = expectation;
    const misses = nearest.map(
      ({ request, differences }, index) =>
        `${index === 0 ? "The nearest is" : "Then comes"} ${request.id}, ${request.method} ${request.path}, answered ${request.status ?? "by a reset connection"}: ${differences.map(formatDifference).join("; ")}.`,
    );
    if (count === 0 && nearest.length === 0) misses.push("The account's journal has no requests.");
    super([`${operation}: expected ${expected} matching, found ${count}.`, ...misses, tail].join("\n"));
    this.name = "ExpectationError";
  }
}

const formatDifference = ({ at, expected, actual }: Expectation["nearest"][number]["differences"][number]) =>
  `${at} should be ${JSON.stringify(expected)} and is ${actual === undefined ? "not there" : JSON.stringify(actual)}`;
