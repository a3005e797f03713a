/** Judges a run of the client's tests under a perturbation. */

import { newConduct, type Observation, repeatedEffects } from "./observation.js";
import type { ExamClass } from "./perturbation.js";

/** A run of the client's tests. */
export interface ExamRun {
  passed: boolean;
  timedOut: boolean;
  /** How it ended, such as `exit code 1`. */
  exit: string;
  /** Wall-clock time in ms. */
  durationMs: number;
  /** The last lines of its output. */
  output: readonly string[];
  observation: Observation;
  /** First divergence between what the client's system believes and the sandbox. Null without one. */
  divergence: string | null;
}

const timesOf = (count: number): string => (count === 1 ? "once" : `${count} times`);

function describeRepetition(operation: string, run: Observation, baseline: Observation): string {
  const [now, before] = [run, baseline].map(({ operations }) => operations.get(operation)?.mostEffects ?? 0);
  return `${operation} took effect ${timesOf(now as number)} on one account, and ${timesOf(before as number)} undisturbed.`;
}

/** Returns what is wrong with a run, as sentences. Empty if nothing is. */
export function judgeRun(of: ExamClass, run: ExamRun, baseline: Observation): string[] {
  if (of === "noticed") return run.passed ? ["The command passed all the same."] : [];
  const { observation } = run;
  const harm = [
    ...newConduct(observation, baseline).map(
      ({ rule, about, happened }) => `${rule.title} (${rule.id}, ${about}). ${happened}`,
    ),
    ...repeatedEffects(observation, baseline).map((operation) =>
      describeRepetition(operation, observation, baseline),
    ),
    ...(run.divergence === null ? [] : [run.divergence]),
  ];
  if (run.timedOut) return ["The command did not end by itself.", ...harm];
  return of === "absorbed" && !run.passed ? [`The command failed (${run.exit}).`, ...harm] : harm;
}
