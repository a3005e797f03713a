/** Keeps what runs have observed in a lock file, and judges it later. */
import type { DriftLock } from "../contract/drift-lock.js";
import { day, fromIso } from "../time/time.js";
import type { DriftReport } from "./run-drift.js";

/** Adds a report to a lock. What the run could not check stays as it was, unless it is about another service. */
export function mergeLock(previous: DriftLock | null, report: DriftReport): DriftLock {
  const { against, checked_at } = report;
  const kept = previous?.against === against ? previous : null;
  const assumptions = { ...kept?.assumptions };
  for (const { assumption, verdict, observed, evidence } of report.assumptions) {
    if (verdict === "not testable" || verdict === "could not check") continue;
    assumptions[assumption] = { verdict, observed, checked_at, evidence: [...evidence] };
  }
  const operations = { ...kept?.operations };
  for (const { operation, verdict, findings } of report.operations) {
    if (verdict === "could not check") continue;
    const lines = findings.map(({ at, problem }) => `${at} ${problem}`);
    operations[operation] = { verdict, checked_at, findings: lines };
  }
  return { version: 1, against, assumptions: sorted(assumptions), operations: sorted(operations) };
}

const sorted = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Returns the problems of a lock: contradictions, differences, and observations that are too old. */
export function lockProblems(
  { assumptions, operations }: DriftLock,
  inForce: Readonly<Record<string, string>>,
  { now, maxAgeMs }: { now: number; maxAgeMs: number },
): string[] {
  const isOld = ({ checked_at }: { checked_at: string }) => now - (fromIso(checked_at) ?? 0) > maxAgeMs;
  const problems: string[] = [];
  for (const [id, value] of Object.entries(inForce)) {
    const entry = assumptions[id];
    if (!entry) continue;
    if (entry.observed === null) problems.push(`${id}: the service has none of the values`);
    else if (entry.observed !== value)
      problems.push(
        `${id}: the service has ${entry.observed}, the sandbox ${value}; --assume ${id}=${entry.observed}`,
      );
    else if (isOld(entry))
      problems.push(`${id}: checked on ${entry.checked_at.slice(0, 10)}, which is too long ago`);
  }
  for (const [operation, entry] of Object.entries(operations)) {
    for (const finding of entry.findings) problems.push(`${operation}: ${finding}`);
    if (entry.findings.length === 0 && isOld(entry))
      problems.push(`${operation}: checked on ${entry.checked_at.slice(0, 10)}, which is too long ago`);
  }
  const checked = Object.keys(assumptions).length + Object.keys(operations).length;
  return checked === 0 ? ["nothing has been checked"] : problems;
}

export const defaultMaxAgeMs = 30 * day;
