/** Judges a run of the client's tests under a perturbation. */

import { newConduct, type Observation, repeatedEffects } from "./observation.js";
import type { Perturbation } from "./perturbation.js";
import { verdictFields } from "./plan/verdicts.js";

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

/** Returns whether a perturbation has changed what the client was told, as its sign asks. */
export function hasSign(
  { sign, subject }: Perturbation,
  { observation }: ExamRun,
  baseline: Observation,
): boolean {
  switch (sign) {
    case "verdict":
      return hasNewVerdict(subject, observation, baseline);
    case "refusal":
      return observation.refusedUnseen.has(subject);
    case "event":
      return observation.heardAlone.has(subject);
    default:
      return true;
  }
}

/** Returns whether a reply had a verdict that no undisturbed reply of the operation had. */
function hasNewVerdict(operation: string, run: Observation, baseline: Observation): boolean {
  const [now, before] = [run, baseline].map(({ operations }) => operations.get(operation)?.replies);
  return [...(now?.values ?? [])].some(
    ([path, values]) =>
      verdictFields.has(path.split(".").at(-1) as string) &&
      [...values].some((value) => value !== null && !before?.has(path, value)),
  );
}

/** Returns what is wrong with a run, as sentences. Empty if nothing is. */
export function judgeRun(perturbation: Perturbation, run: ExamRun, baseline: Observation): string[] {
  const { class: of } = perturbation;
  if (of === "noticed") return judgeNoticed(perturbation, run, baseline);
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

function judgeNoticed(perturbation: Perturbation, run: ExamRun, baseline: Observation): string[] {
  if (!run.passed || !hasSign(perturbation, run, baseline)) return [];
  const unseen = perturbation.sign === "refusal" ? " Nothing was read afterwards." : "";
  return [`The command passed all the same: no test looks at it.${unseen}`];
}
