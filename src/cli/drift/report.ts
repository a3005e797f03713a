/** Formats the plan and the report of `standin drift` for terminals, as Markdown and as JUnit cases. */
import type { CheckFinding, DriftCheckResult } from "../../drift/checks/check.js";
import { formatDeviation } from "../../drift/compare/deviations.js";
import type { DriftPlan } from "../../drift/plan-drift.js";
import type { Estimate } from "../../drift/plan-scenario.js";
import type { ProbeResult, ProbeVerdict } from "../../drift/probes/run-probes.js";
import type { DriftReport, OperationResult } from "../../drift/run-drift.js";
import { colors, formatCount, formatTable } from "../output/print.js";
import type { Report, ReportRow, ReportSection } from "../output/report.js";

interface About {
  readonly against: string;
  readonly paceMs: number;
}

/** Formats what a run will call and cost. `brief` leaves out the lists. */
export function formatPlan(plan: DriftPlan, { against, paceMs }: About, { brief = false } = {}): string {
  const { calls, cost, probes, checks, untried, scenarios, undrivable } = plan;
  const summary =
    `Up to ${formatCount(calls, "call")} to ${against}: ${formatCount(probes.length, "probe")}, ` +
    `${formatCount(checks.length, "check")} and ${formatCount(scenarios.length, "scenario")}, played twice. ` +
    `Cost at list price: up to NGN ${cost}; test keys cause no real charge. Time: about ${secondsOf(plan, paceMs)} s.`;
  if (brief) return summary;
  const groups = plan.groups.map((group) => [
    group.group,
    `${group.calls}`,
    `NGN ${group.cost}`,
    `${secondsOf(group, paceMs)} s`,
  ]);
  const rows = undrivable.map(({ scenario, at, reason }) => [scenario, at, reason]);
  return [
    summary,
    "",
    formatTable(["group", "calls", "cost", "time"], groups),
    "",
    `Probes: ${probes.join(", ") || "none"}`,
    `Checks: ${
      countBy(checks, ({ kind }) => kind)
        .map(([kind, count]) => `${count} of ${kind}`)
        .join(", ") || "none"
    }`,
    `Scenarios: ${scenarios.map(({ name }) => name).join(", ") || "none"}`,
    ...countBy(untried, ({ reason }) => reason).map(
      ([reason, count]) => `Not tried: ${formatCount(count, "check")} (${reason}); --json lists all checks`,
    ),
    ...(rows.length === 0 ? [] : ["", "Not drivable:", formatTable(["scenario", "step", "reason"], rows)]),
  ].join("\n");
}

/** Estimates how long the calls and waits of a plan take, in seconds. */
const secondsOf = ({ calls, passesMs }: Estimate, paceMs: number): number =>
  Math.ceil((calls * paceMs + passesMs) / 1_000);

const paint: Readonly<Record<ProbeVerdict | OperationResult["verdict"], (text: string) => string>> = {
  confirmed: colors.green,
  same: colors.green,
  contradicted: colors.red,
  neither: colors.red,
  differs: colors.red,
  "not testable": colors.yellow,
  "could not check": colors.yellow,
};

const describeProbe = ({ verdict, in_force, observed, flag, reason, evidence }: ProbeResult): string => {
  if (verdict === "confirmed") return in_force;
  if (flag !== null) return `${in_force}, the service has ${observed}: ${flag}`;
  return reason ?? `not ${in_force}: ${evidence.join("; ")}`;
};

function formatReport(report: DriftReport): string {
  const { assumptions, checks, findings, operations, noise, not_drivable, calls, against } = report;
  const ofChecks = [
    ...findings.map(({ check, problem }) => `  ${colors.red("contradicted   ")} ${check}  ${problem}`),
    ...checks
      .filter(({ verdict }) => verdict === "could not check")
      .map(({ check, reason }) => `  ${colors.yellow("could not check")} ${check}  ${reason}`),
    ...verdictCounts(checks).map((line) => `  ${line}`),
  ];
  const lines = assumptions.map(
    (probe) =>
      `  ${paint[probe.verdict](probe.verdict.padEnd(15))} ${probe.assumption}  ${describeProbe(probe)}`,
  );
  const ofOperations = operations.flatMap(({ operation, verdict, compared, findings, reasons }) => [
    `  ${paint[verdict](verdict.padEnd(15))} ${operation}  ${formatCount(compared, "reply", "replies")}`,
    ...findings.map((finding) => `${" ".repeat(18)}${formatDeviation(finding)}`),
    ...reasons.map((reason) => `${" ".repeat(18)}${colors.dim(reason)}`),
  ]);
  const ofNoise = noise.map(({ operation, at, problem }) => `  ${operation}  ${at} ${problem}`);
  return [
    ...formatPart("Assumptions", lines),
    ...formatPart("Errors, limits, money, states and webhooks", checks.length === 0 ? [] : ofChecks),
    ...formatPart("Operations", ofOperations),
    ...formatPart("Noise, seen in one of two runs", ofNoise),
    ...(not_drivable.length === 0
      ? []
      : [colors.dim(`${formatCount(not_drivable.length, "step")} not drivable; --dry-run lists them.`)]),
    `${formatVerdict(report)} ${formatCount(calls, "call")} to ${against}.`,
  ].join("\n");
}

const formatPart = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [colors.bold(title), ...lines, ""];

/** Counts items by a name, in the order in which the names first occur. */
function countBy<T>(items: readonly T[], nameOf: (item: T) => string): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return [...counts];
}

/** Counts the checks by verdict, and the checks that were not made by reason. */
function verdictCounts(checks: readonly DriftCheckResult[]): string[] {
  const confirmed = checks.filter(({ verdict }) => verdict === "confirmed").length;
  const untestable = checks.filter(({ verdict }) => verdict === "not testable");
  return [
    `${colors.green("confirmed      ")} ${formatCount(confirmed, "check")}`,
    ...countBy(untestable, ({ reason }) => reason ?? "").map(
      ([reason, count]) => `${colors.yellow("not testable   ")} ${formatCount(count, "check")} (${reason})`,
    ),
  ];
}

/** A difference from the sandbox: its assumption, check or operation, and what differs. */
interface Finding {
  readonly kind: CheckFinding["kind"] | "assumption" | "operation";
  /** Name of the assumption, check or operation. */
  readonly check: string;
  readonly problem: string;
  readonly operations: readonly string[];
}

/** Returns everything that a run has found: in assumptions, in checks and in replies of scenarios. */
const findingsIn = ({ assumptions, findings, operations }: DriftReport): Finding[] => [
  ...assumptions
    .filter(({ verdict }) => verdict === "contradicted" || verdict === "neither")
    .map((probe) => ({
      kind: "assumption" as const,
      check: probe.assumption,
      problem: describeProbe(probe),
      operations: [],
    })),
  ...findings,
  ...operations.flatMap(({ findings: own }) =>
    own.map(({ operation, at, problem }) => ({
      kind: "operation" as const,
      check: operation,
      problem: `${at} ${problem}`,
      operations: [operation],
    })),
  ),
];

const driftsIn = (report: DriftReport): number => findingsIn(report).length;

/** Returns "Nothing was tried" or "Nothing could be judged", or null if anything was judged. */
function describeUnjudged({ assumptions, checks, operations, calls }: DriftReport): string | null {
  const isUnjudged = [...assumptions, ...checks, ...operations].every(
    ({ verdict }) => verdict === "not testable" || verdict === "could not check",
  );
  if (!isUnjudged) return null;
  return calls === 0 ? "Nothing was tried" : "Nothing could be judged";
}

const uncheckedIn = ({ assumptions, checks, operations }: DriftReport): number =>
  checks.filter(({ verdict }) => verdict === "could not check").length +
  assumptions.filter(({ verdict }) => verdict === "could not check").length +
  operations.filter(({ reasons }) => reasons.length > 0).length;

function formatVerdict(report: DriftReport): string {
  const drifts = driftsIn(report);
  if (drifts > 0) return colors.red(`${formatCount(drifts, "difference")} found.`);
  const unchecked = uncheckedIn(report);
  const unjudged = describeUnjudged(report);
  if (unjudged !== null) return colors.yellow(`${unjudged}, so nothing is known about drift.`);
  return unchecked > 0
    ? colors.yellow(`No drift found; ${unchecked} could not be checked.`)
    : colors.green("No drift found.");
}

function outcomeOf(report: DriftReport): Report["outcome"] {
  if (driftsIn(report) > 0) return "failed";
  return describeUnjudged(report) !== null || uncheckedIn(report) > 0 ? "notTried" : "passed";
}

function toRow(probe: ProbeResult): ReportRow {
  const row = { group: "assumptions", name: probe.assumption };
  if (probe.verdict === "confirmed") return { ...row, verdict: "passed" };
  return probe.verdict === "contradicted" || probe.verdict === "neither"
    ? { ...row, verdict: "failed", text: describeProbe(probe) }
    : { ...row, verdict: "skipped", text: `${probe.verdict}: ${probe.reason}` };
}

function toCheckRow(
  { check, kind, about, verdict, observed, reason }: DriftCheckResult,
  findings: readonly CheckFinding[],
): ReportRow {
  const row = { group: kind, name: check };
  if (verdict === "confirmed") return { ...row, verdict: "passed" };
  const problem = findings.find((finding) => finding.check === check)?.problem ?? `${about}: ${observed}`;
  return verdict === "contradicted"
    ? { ...row, verdict: "failed", text: problem }
    : { ...row, verdict: "skipped", text: reason ?? verdict };
}

function toOperationRow({ operation, verdict, findings, reasons }: OperationResult): ReportRow {
  const row = { group: "operations", name: operation };
  const problems = findings.map(formatDeviation).join("\n");
  if (findings.length > 0) return { ...row, verdict: "failed", text: problems };
  return verdict === "same"
    ? { ...row, verdict: "passed" }
    : { ...row, verdict: "skipped", text: reasons.join("\n") };
}

function summarySection(report: DriftReport): ReportSection {
  const rows = report.assumptions.map((probe) => [
    probe.verdict,
    `\`${probe.assumption}\``,
    describeProbe(probe),
  ]);
  const ofChecks = report.findings.map(({ check, problem }) => ["contradicted", `\`${check}\``, problem]);
  const ofOperations = report.operations.map(({ operation, verdict, findings, reasons }) => [
    verdict,
    `\`${operation}\``,
    [...findings.map(formatDeviation), ...reasons],
  ]);
  const drifts = driftsIn(report);
  const summary =
    drifts === 0 ? (describeUnjudged(report) ?? "none found") : `${formatCount(drifts, "difference")} found`;
  return {
    heading: `Drift: ${summary.toLowerCase()}`,
    before: [`${formatCount(report.calls, "call")} to ${report.against}, ${report.checked_at}.`],
    headings: ["verdict", "what", "details"],
    rows: [...rows, ...ofChecks, ...ofOperations],
  };
}

export const toDriftReport = (report: DriftReport): Report => ({
  title: "drift",
  outcome: outcomeOf(report),
  rows: [
    ...report.assumptions.map(toRow),
    ...report.checks.map((check) => toCheckRow(check, report.findings)),
    ...report.operations.map(toOperationRow),
  ],
  sections: [summarySection(report)],
  // All findings in one list.
  document: { ...report, findings: findingsIn(report) },
  text: () => formatReport(report),
});
