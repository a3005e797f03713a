/** How often a test repeats: a few times in `npm run test:share`, many times in `npm run test:long`. */
import type fc from "fast-check";

/** Whether this is a long run. It has tests that hold for another kind of project what a test of each run holds for one. */
export const isLong = process.env.STANDIN_LONG === "1";

/** Returns the number of repetitions. */
export const repetitions = (usual: number, long: number): number => (isLong ? long : usual);

/**
 * Returns the parameters of a fast-check property. Short runs draw the same cases each time, long ones others. A failure
 * prints its seed and path at once; to search for a smaller case, which may take an hour, takes `STANDIN_SHRINK=1`.
 */
export const propertyRuns = (usual: number, long: number): fc.Parameters<unknown> => ({
  numRuns: repetitions(usual, long),
  ...(!isLong && { seed: 20_260_101 }),
  endOnFailure: process.env.STANDIN_SHRINK !== "1",
});

/** Returns the options of a test that repeats often in long runs: its time limit then, in minutes. Usual runs keep theirs. */
export const upTo = (minutes: number): { timeout?: number } => (isLong ? { timeout: minutes * 60_000 } : {});

/**
 * Returns every `parts`-th value, or all of them in long runs. Each `turn` gives different ones: tests with different turns
 * try each value somewhere, and long runs try each value everywhere.
 */
export const shareOf = <T>(values: readonly T[], parts: number, turn: number): readonly T[] =>
  isLong ? values : values.filter((_, at) => at % parts === turn % parts);
