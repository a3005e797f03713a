/** Makes checks on both sides, and reports the errors, limits, prices, webhooks and states in which the service differs. */
import { statusSwitchOf } from "../../contract/error-body.js";
import { type ErrorCode, errors } from "../../contract/errors.js";
import type { SwitchId } from "../../service/assumptions.js";
import type { Group } from "../groups.js";
import { type DriftSide, verdictOn } from "../side.js";
import { type CheckKind, commonFacts, type DriftCheck, type Facts } from "./check.js";

export interface DriftCheckResult {
  readonly check: string;
  readonly kind: CheckKind;
  readonly group: Group;
  readonly about: string;
  readonly verdict: "confirmed" | "contradicted" | "not testable" | "could not check";
  /** Value that the service shows, such as `tries 5`. Null without a verdict. */
  readonly observed: string | null;
  /** Why there is no verdict. */
  readonly reason: string | null;
}

export interface CheckFinding {
  /** Check, such as `limit.phone.tries`; `error.` and a code or a part if several refusals differ in the same way. */
  readonly check: string;
  readonly kind: CheckKind;
  readonly problem: string;
  /** Operations that show it. */
  readonly operations: readonly string[];
}

export interface CheckReport {
  readonly results: readonly DriftCheckResult[];
  readonly findings: readonly CheckFinding[];
}

interface Difference {
  readonly check: DriftCheck;
  readonly fact: string;
  readonly ours: Facts[string];
  readonly theirs: Facts[string];
}

export interface CheckRun {
  readonly checks: readonly DriftCheck[];
  readonly ours: DriftSide;
  readonly theirs: DriftSide;
  /** Assumptions where the service matches none of our values. Whatever they decide is not compared again. */
  readonly unexplained: ReadonlySet<SwitchId>;
}

const toResult = (
  { id, kind, group, about }: DriftCheck,
  verdict: DriftCheckResult["verdict"],
  observed: string | null,
  reason: string | null = null,
): DriftCheckResult => ({ check: id, kind, group, about, verdict, observed, reason });

/** Returns the result of a check that was not made. */
export const untestable = (check: DriftCheck, reason: string): DriftCheckResult =>
  toResult(check, "not testable", null, reason);

export async function runChecks({ checks, ours, theirs, unexplained }: CheckRun): Promise<CheckReport> {
  const results: DriftCheckResult[] = [];
  const differences: Difference[] = [];
  for (const check of checks) {
    const result = (verdict: DriftCheckResult["verdict"], observed: string | null, reason?: string) =>
      void results.push(toResult(check, verdict, observed, reason));
    try {
      const expected = check.expected ?? (await check.observe(ours));
      const seen = await check.observe(theirs);
      const found = differencesIn(check, expected, seen, unexplained);
      if (found.length === 0) {
        result("confirmed", formatFacts(seen));
        continue;
      }
      const again = differencesIn(check, expected, await check.observe(theirs), unexplained);
      const lasting = found.filter((difference) => again.some((other) => isSame(difference, other)));
      differences.push(...lasting);
      if (lasting.length === 0) result("could not check", null, "two tries showed different things");
      else result("contradicted", formatFacts(seen));
    } catch (error) {
      const { verdict, reason } = verdictOn(error);
      result(verdict, null, reason);
    }
  }
  return { results, findings: toFindings(differences) };
}

const isSame = (one: Difference, other: Difference): boolean =>
  one.fact === other.fact && one.theirs === other.theirs;

function differencesIn(
  check: DriftCheck,
  expected: Facts,
  seen: Facts,
  unexplained: ReadonlySet<SwitchId>,
): Difference[] {
  const all = Object.keys({ ...expected, ...seen }).flatMap((fact): Difference[] => {
    const [ours = null, theirs = null] = [expected[fact], seen[fact]];
    return ours === null || theirs === null || ours === theirs ? [] : [{ check, fact, ours, theirs }];
  });
  if (check.kind !== "error") return all;
  // A refusal that differs in one thing often differs in others because of it.
  const [first] = all;
  return first && !isExplained(first, unexplained) ? [first] : [];
}

/** Returns whether the verdict on an assumption already covers the difference of a refusal. */
function isExplained({ ours }: Difference, unexplained: ReadonlySet<SwitchId>): boolean {
  if (unexplained.has("errors.body")) return true;
  const [, code = ""] = String(ours).split(" ");
  const decidedBy = Object.hasOwn(errors, code) ? statusSwitchOf(code as ErrorCode) : null;
  return decidedBy !== null && unexplained.has(decidedBy);
}

/** Merges equal differences of refusals into one finding: a renamed error differs wherever it occurs. */
function toFindings(differences: readonly Difference[]): CheckFinding[] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = keyOf(difference);
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [Difference];
    const operations = [...new Set(group.flatMap(({ check }) => check.operations))];
    const { kind } = first.check;
    return kind === "error"
      ? { check: nameOf(first), kind, problem: formatError(group, operations), operations }
      : { check: first.check.id, kind, problem: formatDifferences(group), operations };
  });
}

function keyOf({ check, fact, ours, theirs }: Difference): string {
  if (check.kind !== "error") return check.id;
  if (fact === "param" || fact === "type") return fact;
  return [fact, ours, theirs].join("\n");
}

function nameOf({ fact, ours }: Difference): string {
  if (fact !== "answer") return `error.${fact}`;
  const [status = "", code = status] = String(ours).split(" ");
  return `error.${code}`;
}

function formatError(group: readonly Difference[], operations: readonly string[]): string {
  const [difference] = group as [Difference];
  const [first = "", ...more] = operations;
  const who = more.length === 0 ? first : `${first} and ${more.length} more`;
  return `${who}: ${formatDifference(difference)}, to ${difference.check.about}`;
}

const formatDifferences = (group: readonly Difference[]): string =>
  `${(group as [Difference])[0].check.about}: ${group.map(formatDifference).join(", ")}`;

const formatDifference = ({ fact, ours, theirs }: Difference): string =>
  `${formatName(fact)} ${formatFact(theirs)} (sandbox: ${formatFact(ours)})`;

const formatName = (fact: string): string =>
  commonFacts[fact as keyof typeof commonFacts] ?? fact.replaceAll("_", " ");

function formatFact(value: Facts[string]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "none" : String(value);
}

const formatFacts = (facts: Facts): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([fact, value]) => `${formatName(fact)} ${formatFact(value)}`)
    .join(", ");
