/** Keeps what runs have observed in a lock file, and judges it later. */
import { type DriftLock, type FindValidation, parseLock } from "../contract/drift-lock.js";
import { FileError, readTextFile } from "../contract/read-file.js";
import { day, formatDaysAgo, fromIso, realNow } from "../time/time.js";
import { formatDeviation } from "./compare/deviations.js";
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
  const checks = { ...kept?.checks };
  for (const { check, kind, verdict, observed, about: how } of report.checks) {
    if (verdict === "not testable" || verdict === "could not check") continue;
    checks[check] = { kind, verdict, observed: observed ?? "", how, checked_at };
  }
  const operations = { ...kept?.operations };
  for (const { operation, verdict, findings } of report.operations) {
    if (verdict === "could not check") continue;
    operations[operation] = { verdict, checked_at, findings: findings.map(formatDeviation) };
  }
  return {
    version: 1,
    against,
    assumptions: sorted(assumptions),
    checks: sorted(checks),
    operations: sorted(operations),
  };
}

const sorted = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Values in force, by the ids of assumptions that can be switched. */
type InForce = Readonly<Record<string, string>>;

interface Age {
  readonly now: number;
  readonly maxAgeMs: number;
}

const isOld = ({ checked_at }: { checked_at: string }, { now, maxAgeMs }: Age): boolean =>
  now - (fromIso(checked_at) ?? 0) > maxAgeMs;

/** Returns the problems of a lock: contradictions, differences, and observations that are too old. */
export function lockProblems(lock: DriftLock, inForce: InForce, age: Age): string[] {
  const { assumptions, checks = {}, operations } = lock;
  const problems: string[] = [];
  const addIfOld = (id: string, entry: { checked_at: string }) => {
    if (isOld(entry, age))
      problems.push(`${id}: checked on ${entry.checked_at.slice(0, 10)}, which is too long ago`);
  };
  for (const [id, value] of Object.entries(inForce)) {
    const entry = assumptions[id];
    if (!entry) continue;
    if (entry.observed === null) problems.push(`${id}: the service has none of the values`);
    else if (entry.observed !== value)
      problems.push(
        `${id}: the service has ${entry.observed}, the sandbox ${value}; --assume ${id}=${entry.observed}`,
      );
    else addIfOld(id, entry);
  }
  for (const [id, entry] of Object.entries(checks))
    if (entry.verdict === "contradicted") problems.push(`${id}: ${entry.how}: ${entry.observed}`);
    else addIfOld(id, entry);
  for (const [operation, entry] of Object.entries(operations)) {
    for (const finding of entry.findings) problems.push(`${operation}: ${finding}`);
    if (entry.findings.length === 0) addIfOld(operation, entry);
  }
  const checked = [assumptions, checks, operations].flatMap((entries) => Object.keys(entries)).length;
  return checked === 0 ? ["nothing has been checked"] : problems;
}

/** Number of switchable assumptions and checks that the service confirms, and the number of all. */
interface ConfirmedShare {
  readonly confirmed: number;
  readonly total: number;
}

/** Counts what the service confirms and is not too old, of all that a run can ask. `checks` are the ids of all checks. */
export function confirmedShare(
  lock: DriftLock | null,
  inForce: InForce,
  checks: readonly string[],
  age: Age,
): ConfirmedShare {
  const assumed = Object.entries(inForce).filter(([id, value]) => {
    const entry = lock?.assumptions[id];
    return entry?.observed === value && !isOld(entry, age);
  });
  const checked = checks.filter((id) => {
    const entry = lock?.checks?.[id];
    return entry?.verdict === "confirmed" && !isOld(entry, age);
  });
  return {
    confirmed: assumed.length + checked.length,
    total: Object.keys(inForce).length + checks.length,
  };
}

/** Observations of the same subject in two locks. Null if a lock has none. */
export interface LockChange {
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns the observations in which two locks differ. Their dates are ignored. */
export function compareLocks(one: DriftLock, other: DriftLock): LockChange[] {
  const [before, after] = [observationsIn(one), observationsIn(other)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }))
    .filter((change) => change.before !== change.after);
}

function observationsIn({ assumptions, checks = {}, operations }: DriftLock): Map<string, string> {
  return new Map([
    ...Object.entries(assumptions).map(
      ([id, { observed }]) => [id, observed ?? "none of the values"] as const,
    ),
    ...Object.entries(checks).map(([id, { observed }]) => [id, observed] as const),
    ...Object.entries(operations).map(
      ([id, { findings }]) => [id, findings.length === 0 ? "same" : findings.join("; ")] as const,
    ),
  ]);
}

export const defaultMaxAgeMs = 30 * day;

/** Returns null if the file does not exist. Rejects with a FileError if it cannot be used. */
export async function readLock(file: string): Promise<DriftLock | null> {
  const text = await readTextFile(file, `the lock file ${file}`).catch((error: FileError) => {
    if (error.isMissing) return null;
    throw error;
  });
  if (text === null) return null;
  return parseLock(text).catch((error: Error) => {
    throw new FileError(`${file} is not a lock file of standin drift: ${error.message}`);
  });
}

/**
 * Reads when the assumptions were checked against the service. If `file` is null, they never were. A file that cannot be used
 * causes a warning and counts as missing.
 */
export async function readValidations(
  file: string | null,
  warn: (message: string) => void,
): Promise<FindValidation> {
  const lock =
    file === null
      ? null
      : await readLock(file).catch((error: Error) => {
          warn(error.message);
          return null;
        });
  const now = realNow();
  return (id) => {
    const entry = lock && Object.hasOwn(lock.assumptions, id) ? lock.assumptions[id] : undefined;
    if (!entry) return null;
    const { checked_at, observed } = entry;
    return { checked_at, age: formatDaysAgo(now - (fromIso(checked_at) ?? now)), observed };
  };
}
