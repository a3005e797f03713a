/** What `standin verify` found: for people, for CI services, and for the summary of a run. */
import { writeFile } from "node:fs/promises";
import type { InteractionResult } from "../../pact/verify/interaction-results.js";
import type { PactReport } from "../../pact/verify/verify-pacts.js";
import { colors } from "../colors.js";
import { CommandFailure } from "../control-api.js";
import { type JunitCase, junit } from "../junit.js";
import { count, oneLine } from "../table.js";

export function describe({ interactions, warnings, failures }: PactReport): string {
  const lines: string[] = [];
  let pact = "";
  for (const one of interactions) {
    const named = `${one.consumer} ${colors.dim(one.source)}`;
    if (named !== pact) lines.push(...(pact === "" ? [] : [""]), colors.bold(named));
    pact = named;
    lines.push(...sayInteraction(one));
  }
  for (const warning of warnings) lines.push("", `${colors.yellow("warning")} ${oneLine(warning)}`);
  for (const failure of failures) lines.push("", `${colors.red("failure")} ${oneLine(failure)}`);
  return [...lines, "", summary(interactions)].join("\n").replace(/^\n/, "");
}

const marks = {
  passed: () => colors.green("✓"),
  failed: () => colors.red("✗"),
  pending: () => colors.yellow("pending"),
};

function sayInteraction({ result, description, states, problems }: InteractionResult): string[] {
  const mark = marks[result]();
  const given = states.length === 0 ? "" : colors.dim(` given ${states.join(" and ")}`);
  return [`  ${mark} ${oneLine(description)}${given}`, ...problems.flatMap(sayProblem)];
}

/** What differs, and below it what the contract or the service says to that. */
function sayProblem(problem: string): string[] {
  const [what = "", ...notes] = oneLine(problem).split(/; (?=the (?:contract|service) )| (?=\(hint: )/);
  return [`      ${what}`, ...notes.map((note) => `        ${colors.dim(note)}`)];
}

function summary(interactions: readonly InteractionResult[]): string {
  if (interactions.length === 0) return "No interaction was verified, which is a failure.";
  const passed = interactions.filter(({ result }) => result === "passed").length;
  const pacts = new Set(interactions.map(({ source, consumer }) => `${source} ${consumer}`)).size;
  const seconds = interactions.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1_000;
  return `${passed} of ${count(interactions.length, "interaction")} of ${count(pacts, "pact")} verified, ${seconds.toFixed(1)} s.`;
}

const toCase = ({
  consumer,
  description,
  states,
  result,
  problems,
  duration_ms,
}: InteractionResult): JunitCase => ({
  group: consumer,
  name: [description, ...states].join(", given "),
  seconds: duration_ms / 1_000,
  ...(result === "failed" ? { failure: problems.join("\n") } : {}),
  ...(result === "pending" ? { skipped: problems.join("\n") } : {}),
});

/** No interaction at all is a failure that CI services must see. */
const nothing: JunitCase = { group: "pacts", name: "interactions", seconds: 0, failure: "there are none" };

const cell = (text: string): string => oneLine(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");

const symbols = { passed: "✅", failed: "❌", pending: "⏳" };

function markdown({ interactions, failures }: PactReport): string {
  const rows = interactions.map(({ result, consumer, description, states, problems }) => {
    const cells = [symbols[result], consumer, description, states.join("; ")].map(cell);
    return `| ${[...cells, problems.map(cell).join("<br>")].join(" | ")} |`;
  });
  return [
    `## Pacts: ${summary(interactions)}`,
    "",
    "| | consumer | interaction | given | what is wrong |",
    "|---|---|---|---|---|",
    ...rows,
    ...failures.flatMap((failure) => ["", cell(failure)]),
    "",
  ].join("\n");
}

export async function writeReports(
  report: PactReport,
  files: { junit?: string; markdown?: string },
): Promise<void> {
  const beside = report.failures.map((failure) => ({ group: "pacts", name: "beside", seconds: 0, failure }));
  const cases = [
    ...(report.interactions.length === 0 ? [nothing] : report.interactions.map(toCase)),
    ...beside,
  ];
  const reports = [
    [files.junit, () => junit("pacts", cases)],
    [files.markdown, () => markdown(report)],
  ] as const;
  for (const [file, text] of reports) {
    if (file === undefined) continue;
    await writeFile(file, text()).catch((error: Error) => {
      throw new CommandFailure(`the report cannot be written to ${file}: ${error.message}`);
    });
  }
}
