/** Formats the report of `standin verify` for terminals, as Markdown and as JUnit cases. */
import type { InteractionResult } from "../../pact/verify/interaction-results.js";
import type { PactReport } from "../../pact/verify/verify-pacts.js";
import { colors, formatCount, toOneLine } from "../output/print.js";
import type { Report, ReportRow } from "../output/report.js";

function formatPactReport({ interactions, warnings, failures, untried }: PactReport): string {
  const lines: string[] = [];
  let pact = "";
  for (const interaction of interactions) {
    const heading = `${interaction.consumer} ${colors.dim(interaction.source)}`;
    if (heading !== pact) lines.push(...(pact === "" ? [] : [""]), colors.bold(heading));
    pact = heading;
    lines.push(...formatInteraction(interaction));
  }
  for (const warning of warnings) lines.push("", `${colors.yellow("warning")} ${toOneLine(warning)}`);
  for (const failure of failures) lines.push("", `${colors.red("failure")} ${toOneLine(failure)}`);
  for (const reason of untried) lines.push("", `${colors.yellow("not tried")} ${toOneLine(reason)}`);
  return [...lines, "", formatSummary(interactions)].join("\n").replace(/^\n/, "");
}

const marks = {
  passed: colors.green("✓"),
  failed: colors.red("✗"),
  pending: colors.yellow("pending"),
};

function formatInteraction({ result, description, states, problems }: InteractionResult): string[] {
  const given = states.length === 0 ? "" : colors.dim(` given ${states.join(" and ")}`);
  return [`  ${marks[result]} ${toOneLine(description)}${given}`, ...problems.flatMap(formatProblem)];
}

/** Formats a difference and, below it, the explanation from the contract or the service. */
function formatProblem(problem: string): string[] {
  const [difference = "", ...notes] = toOneLine(problem).split(
    /; (?=the (?:contract|service) )| (?=\(hint: )/,
  );
  return [`      ${difference}`, ...notes.map((note) => `        ${colors.dim(note)}`)];
}

function formatSummary(interactions: readonly InteractionResult[]): string {
  if (interactions.length === 0) return "Nothing was tried: no interaction was verified.";
  const passed = interactions.filter(({ result }) => result === "passed").length;
  const pacts = new Set(interactions.map(({ source, consumer }) => `${source} ${consumer}`)).size;
  const seconds = interactions.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1_000;
  return `${passed} of ${formatCount(interactions.length, "interaction")} of ${formatCount(pacts, "pact")} verified, ${seconds.toFixed(1)} s.`;
}

const toRow = ({
  consumer,
  description,
  states,
  result,
  problems,
  duration_ms,
}: InteractionResult): ReportRow => ({
  group: consumer,
  name: [description, ...states].join(", given "),
  seconds: duration_ms / 1_000,
  ...(result === "passed"
    ? { verdict: "passed" }
    : { verdict: result === "failed" ? "failed" : "skipped", text: problems.join("\n") }),
});

const symbols = { passed: "✅", failed: "❌", pending: "⏳" };

/** Returns the report of a verification, in which something has failed or only was not tried. */
export function toPactReport(report: PactReport, hasFailed: boolean): Report {
  const { interactions, failures, untried, passed } = report;
  return {
    title: "pacts",
    outcome: passed ? "passed" : hasFailed ? "failed" : "notTried",
    rows: [
      ...interactions.map(toRow),
      // CI services must report what was not tried as a failure.
      ...[...failures, ...untried].map(
        (text): ReportRow => ({ group: "pacts", name: "run", verdict: "failed", text }),
      ),
    ],
    sections: [
      {
        heading: `Pacts: ${formatSummary(interactions)}`,
        headings: ["", "consumer", "interaction", "given", "problems"],
        rows: interactions.map(({ result, consumer, description, states, problems }) => [
          symbols[result],
          consumer,
          description,
          states.join("; "),
          problems,
        ]),
        after: [...failures, ...untried],
      },
    ],
    document: report,
    text: () => formatPactReport(report),
  };
}
