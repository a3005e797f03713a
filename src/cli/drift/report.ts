/** Formats the plan and the report of `standin drift` for terminals, as Markdown and as JUnit cases. */
import type { DriftPlan, DriftReport, OperationResult } from "../../drift/run-drift.js";
import type { ProbeResult, Verdict } from "../../drift/verdicts.js";
import { type JunitCase, writeJunit } from "../output/junit.js";
import { colors, writeOutputFile } from "../output/print.js";
import { formatCount, formatTable } from "../output/table.js";
import type { DriftFlags } from "./flags.js";

interface About {
  readonly against: string;
  readonly paceMs: number;
}

/** Formats what a run will call and cost. `brief` leaves out the lists. */
export function formatPlan(plan: DriftPlan, { against, paceMs }: About, { brief = false } = {}): string {
  const { calls, cost, probes, scenarios, undrivable } = plan;
  const seconds = Math.ceil((calls * paceMs) / 1_000);
  const summary =
    `Up to ${formatCount(calls, "call")} to ${against}: ${formatCount(probes.length, "probe")} and ` +
    `${formatCount(scenarios.length, "scenario")}, played twice. Cost at list price: up to NGN ${cost}; ` +
    `test keys cause no real charge. Time: at least ${seconds} s.`;
  if (brief) return summary;
  const rows = undrivable.map(({ scenario, at, reason }) => [scenario, at, reason]);
  return [
    summary,
    `Probes: ${probes.join(", ") || "none"}`,
    `Scenarios: ${scenarios.map(({ name }) => name).join(", ") || "none"}`,
    ...(rows.length === 0 ? [] : ["", "Not drivable:", formatTable(["scenario", "step", "reason"], rows)]),
  ].join("\n");
}

const paint: Readonly<Record<Verdict | OperationResult["verdict"], (text: string) => string>> = {
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

export function formatReport(report: DriftReport): string {
  const { assumptions, operations, noise, not_drivable, calls, against } = report;
  const lines = assumptions.map(
    (one) => `  ${paint[one.verdict](one.verdict.padEnd(15))} ${one.assumption}  ${describeProbe(one)}`,
  );
  const ofOperations = operations.flatMap(({ operation, verdict, compared, findings, reasons }) => [
    `  ${paint[verdict](verdict.padEnd(15))} ${operation}  ${formatCount(compared, "reply", "replies")}`,
    ...findings.map(({ at, problem }) => `${" ".repeat(18)}${at} ${problem}`),
    ...reasons.map((reason) => `${" ".repeat(18)}${colors.dim(reason)}`),
  ]);
  const ofNoise = noise.map(({ operation, at, problem }) => `  ${operation}  ${at} ${problem}`);
  return [
    ...(lines.length === 0 ? [] : [colors.bold("Assumptions"), ...lines, ""]),
    ...(ofOperations.length === 0 ? [] : [colors.bold("Operations"), ...ofOperations, ""]),
    ...(ofNoise.length === 0 ? [] : [colors.bold("Noise, seen in one of two runs"), ...ofNoise, ""]),
    ...(not_drivable.length === 0
      ? []
      : [colors.dim(`${formatCount(not_drivable.length, "step")} not drivable; --dry-run lists them.`)]),
    `${formatVerdict(report)} ${formatCount(calls, "call")} to ${against}.`,
  ].join("\n");
}

const driftsIn = ({ assumptions, operations }: DriftReport): number =>
  assumptions.filter(({ verdict }) => verdict === "contradicted" || verdict === "neither").length +
  operations.reduce((sum, { findings }) => sum + findings.length, 0);

const uncheckedIn = ({ assumptions, operations }: DriftReport): number =>
  assumptions.filter(({ verdict }) => verdict === "could not check").length +
  operations.filter(({ reasons }) => reasons.length > 0).length;

function formatVerdict(report: DriftReport): string {
  const drifts = driftsIn(report);
  if (drifts > 0) return colors.red(`${formatCount(drifts, "difference")} found.`);
  const unchecked = uncheckedIn(report);
  return unchecked > 0
    ? colors.yellow(`No drift found; ${unchecked} could not be checked.`)
    : colors.green("No drift found.");
}

export function exitCodeFor(report: DriftReport): number {
  if (driftsIn(report) > 0) return 1;
  return uncheckedIn(report) > 0 ? 3 : 0;
}

function toCase(one: ProbeResult): JunitCase {
  const result =
    one.verdict === "confirmed"
      ? {}
      : one.verdict === "contradicted" || one.verdict === "neither"
        ? { failure: describeProbe(one) }
        : { skipped: `${one.verdict}: ${one.reason}` };
  return { group: "assumptions", name: one.assumption, seconds: 0, ...result };
}

function toOperationCase({ operation, verdict, findings, reasons }: OperationResult): JunitCase {
  const failure = findings.map(({ at, problem }) => `${at} ${problem}`).join("\n");
  const result =
    findings.length > 0 ? { failure } : verdict === "same" ? {} : { skipped: reasons.join("\n") };
  return { group: "operations", name: operation, seconds: 0, ...result };
}

const formatCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function formatMarkdown(report: DriftReport): string {
  const rows = report.assumptions.map((one) => [
    one.verdict,
    `\`${one.assumption}\``,
    formatCell(describeProbe(one)),
  ]);
  const ofOperations = report.operations.map(({ operation, verdict, findings, reasons }) => [
    verdict,
    `\`${operation}\``,
    [...findings.map(({ at, problem }) => `${at} ${problem}`), ...reasons].map(formatCell).join("<br>"),
  ]);
  return [
    `## Drift: ${driftsIn(report) === 0 ? "none found" : `${formatCount(driftsIn(report), "difference")} found`}`,
    "",
    `${formatCount(report.calls, "call")} to ${report.against}, ${report.checked_at}.`,
    "",
    "| verdict | what | details |",
    "|---|---|---|",
    ...[...rows, ...ofOperations].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

export async function writeReports(report: DriftReport, flags: DriftFlags): Promise<void> {
  await writeJunit(flags, "drift", [
    ...report.assumptions.map(toCase),
    ...report.operations.map(toOperationCase),
  ]);
  if (flags.markdown !== undefined)
    await writeOutputFile("the report", flags.markdown, formatMarkdown(report));
}
