/** Signals as they are found, each with the verdict that it speaks for. */
import type { Signal, Verdict } from "./machine.js";

export interface Finding {
  speaksFor: Exclude<Verdict, "inconclusive">;
  signal: Signal;
}

/** Notes a finding: its verdict, then the signal's own fields. */
export type Add = (
  speaksFor: Finding["speaksFor"],
  category: string,
  severity: Signal["severity"],
  title: string,
  detail: string,
  measured: string,
) => void;

export function collectFindings(look: (add: Add) => void): Finding[] {
  const findings: Finding[] = [];
  look((speaksFor, category, severity, title, detail, measured) =>
    findings.push({ speaksFor, signal: { category, severity, title, detail, measured } }),
  );
  return findings;
}
