/** The findings of an exam. */
import type { ExamRun } from "./judge.js";
import type { Perturbation } from "./perturbation.js";

export interface ExamFinding {
  /** The least perturbation that shows it. */
  perturbation: Perturbation;
  /** Sentences that say what is wrong. */
  evidence: readonly string[];
  /** The run that has shown it. */
  run: ExamRun;
}

/** Result of a perturbation that was tried. */
export const results = ["passed", "finding", "unconfirmed"] as const;
export type Result = (typeof results)[number];

/** Why a perturbation was not tried. */
export const notTriedReasons = ["budget", "did not occur", "not read", "includes a finding"] as const;
export type NotTriedReason = (typeof notTriedReasons)[number];

export interface Examined {
  /** First undisturbed run. */
  baseline: ExamRun;
  tried: readonly { perturbation: Perturbation; result: Result }[];
  findings: readonly ExamFinding[];
  notTried: readonly { perturbation: Perturbation; reason: NotTriedReason }[];
}
