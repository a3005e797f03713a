/** Reports coverage on stderr, as JUnit XML and as Markdown, and tells whether it is high enough. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { formatCoverage } from "../../client/account/format-coverage.js";
import type { ConductReport } from "../../client/account/types.js";
import {
  type CoverageKind,
  type CoverageView,
  coverageKinds,
  type Share,
} from "../../control/coverage-report.js";
import { CommandError, exitCodes, printError } from "../errors.js";
import { formatJunit, type JunitCase } from "../output/junit.js";
import { formatCount, formatMarkdownTable, formatPercent, stderrColors } from "../output/print.js";
import {
  isStepSummary,
  problemsOf,
  stepSummary,
  writeInFolder,
  writeMarkdown,
} from "../output/write-file.js";

/** How a run treats findings of conduct. */
export const conductModes = ["warn", "fail", "off"] as const;

export interface GateFlags {
  conduct?: (typeof conductModes)[number];
  minCoverage?: Minimums;
  junit?: string;
  /** File of the summary. */
  markdown?: string;
  /** File of the summary by its earlier name. False: no summary at all. */
  summary?: string | false;
}

/** Adds the options of the gate. */
export const withGate = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--min-coverage <percentages>",
        "fail if less is exercised, such as operations=40,outcomes=20; also transitions and events",
      )
        .env("STANDIN_MIN_COVERAGE")
        .argParser(parseMinimums as never),
    )
    .option("--junit <file>", "write the result as JUnit XML")
    .option("--markdown <file>", "write a summary as Markdown")
    .addOption(new Option("--summary <file>", "earlier name of --markdown").hideHelp());

interface Gated {
  coverage: CoverageView;
  /** Findings of conduct. Null where none are asked for. */
  conduct: ConductReport["findings"] | null;
  /** Cases of the JUnit report that come before those of the coverage. */
  cases: readonly JunitCase[];
  /** Why there is nothing to judge. Null if there is something. */
  untried: string | null;
}

/** Returns whether the flags ask for a judgement, and not for a report alone. */
export const isGated = ({ minCoverage, conduct }: GateFlags): boolean =>
  minCoverage !== undefined || conduct === "fail";

/** Writes the reports that were asked for. Returns what is wrong, as messages: what was missed or cannot be written. */
export async function reportGate(
  { coverage, conduct, cases, untried }: Gated,
  { minCoverage = {}, junit, markdown: file, summary, conduct: mode }: GateFlags,
): Promise<string[]> {
  const judged = judge(coverage, minCoverage);
  const missed = judged.filter(({ isMissed }) => isMissed).map(formatMissed);
  // A share of nothing is neither enough nor too little.
  const problems =
    missed.length === 0 || untried ? [] : [`the coverage of the service is too low: ${missed.join("; ")}`];
  if (mode === "fail" && conduct && conduct.length > 0)
    problems.push(
      `the client broke ${formatCount(conduct.length, "rule")} of conduct: ${conduct.map(formatRule).join("; ")}`,
    );
  if (junit !== undefined) {
    const ofConduct = (conduct ?? []).map((one) => toConductCase(one, mode));
    const ofTrial = untried
      ? [{ group: "coverage", name: "something was tried", seconds: 0, failure: untried }]
      : [];
    const all = [...cases, ...ofTrial, ...judged.flatMap((one) => toCase(one)), ...ofConduct];
    problems.push(
      ...(await problemsOf(writeInFolder("the JUnit report", junit, formatJunit("standin", all)))),
    );
  }
  const markdown = [formatMarkdown(coverage, judged), ...(conduct ? [formatConductMarkdown(conduct)] : [])];
  if (typeof summary === "string") printError("--summary FILE is called --markdown FILE since version 0.3");
  const asked = file ?? (summary || undefined);
  const files = summary === false ? [file ?? []].flat() : summaryFiles(asked);
  const writing = files.map((one) => writeMarkdown("the summary", one, markdown.join("\n")));
  return [...problems, ...(await problemsOf(...writing))];
}

/** Fails the command with all of its problems, or else because nothing was tried. */
export function failFor(problems: readonly string[], untried: string | null): void {
  if (problems.length > 0) throw new CommandError([...problems, ...(untried ? [untried] : [])].join("; "));
  if (untried) throw new CommandError(untried, exitCodes.notTried.code);
}

/** Returns the files of the summary: the one that was asked for, and the one of the GitHub job. */
function summaryFiles(summary: string | undefined): string[] {
  const ofJob = stepSummary();
  if (summary === undefined) return ofJob ? [ofJob] : [];
  return ofJob && !isStepSummary(summary) ? [summary, ofJob] : [summary];
}

function toCase(judged: JudgedShare): JunitCase[] {
  const { kind, minimum, isMissed } = judged;
  if (minimum === null) return [];
  const name = `${kind}: at least ${minimum}%`;
  return [{ group: "coverage", name, seconds: 0, ...(isMissed ? { failure: formatMissed(judged) } : {}) }];
}

const toRow = ({ kind, share, minimum, isMissed }: JudgedShare): string[] => [
  kind,
  `${share.exercised} of ${share.total}`,
  formatShare(share),
  minimum === null ? "" : `${minimum}%${isMissed ? " (missed)" : ""}`,
];

/** Formats the summary as Markdown: a table of the shares, and what is uncovered in a part to open. */
function formatMarkdown(coverage: CoverageView, judged: readonly JudgedShare[]): string {
  const [, ...uncovered] = formatCoverage(coverage).split("\n");
  const details =
    uncovered.length === 0
      ? []
      : [
          "<details><summary>What is uncovered</summary>",
          "",
          "```",
          ...uncovered,
          "```",
          "",
          "</details>",
          "",
        ];
  return [
    "### Coverage of the service",
    "",
    formatMarkdownTable(["", "exercised", "share", "minimum"], judged.map(toRow)),
    "",
    ...details,
  ].join("\n");
}

/** Percentages by kind. */
type Minimums = Partial<Record<CoverageKind, number>>;

const example = "operations=40,outcomes=20";

const isKind = (text: string): text is CoverageKind => (coverageKinds as readonly string[]).includes(text);

/** Parses `operations=40,outcomes=20`. Adds to the minimums of earlier flags. */
function parseMinimums(text: string, previous: Minimums = {}): Minimums {
  const minimums = { ...previous };
  for (const pair of text.split(",")) {
    const [, kind = "", percent] = /^\s*(\w+)=(\d{1,3}(?:\.\d+)?)%?\s*$/.exec(pair) ?? [];
    if (!isKind(kind) || Number(percent) > 100) {
      const kinds = coverageKinds.join(", ");
      throw new InvalidArgumentError(`It must be percentages of ${kinds}, such as ${example}.`);
    }
    minimums[kind] = Number(percent);
  }
  return minimums;
}

const percentOf = ({ exercised, total }: Share): number => (total === 0 ? 0 : (100 * exercised) / total);

const formatShare = (share: Share): string => formatPercent(percentOf(share));

interface JudgedShare {
  kind: CoverageKind;
  share: Share;
  /** Percentage. Null if none was asked for. */
  minimum: number | null;
  isMissed: boolean;
}

export const judge = ({ summary }: CoverageView, minimums: Minimums): JudgedShare[] =>
  coverageKinds.map((kind) => {
    const { [kind]: minimum = null } = minimums;
    const { [kind]: share } = summary;
    return { kind, share, minimum, isMissed: minimum !== null && percentOf(share) < minimum };
  });

/** Formats what was missed: "outcomes 1% (3 of 294), at least 20%". */
const formatMissed = ({ kind, share, minimum }: JudgedShare): string =>
  `${kind} ${formatShare(share)} (${share.exercised} of ${share.total}), at least ${minimum}%`;

type ReportedFinding = ConductReport["findings"][number];

const formatRule = ({ rule, about }: ReportedFinding): string => `${rule} (${about})`;

const formatOccasions = ({ happened, count }: ReportedFinding): string =>
  count === 1 ? happened : `${happened} (${formatCount(count, "time")})`;

/** Formats a finding in four lines: what, how it happened, why it matters, and what would be right. */
export const formatFinding = (finding: ReportedFinding): string =>
  [
    `${stderrColors.bold(`Conduct: ${finding.title}`)} [${finding.rule}]`,
    `  ${finding.about}: ${formatOccasions(finding)} ${finding.reason}`,
    `  Right: ${finding.right}`,
    `  Proof: ${finding.evidence.join(", ")}`,
  ].join("\n");

/** Returns a finding as a test case, which fails only where findings fail the run. */
function toConductCase(finding: ReportedFinding, mode = "warn"): JunitCase {
  const text = `${formatOccasions(finding)} ${finding.right}`;
  const outcome = mode === "fail" ? { failure: text } : { output: text };
  return { group: "conduct", name: `${finding.title}: ${finding.about}`, seconds: 0, ...outcome };
}

function formatConductMarkdown(findings: readonly ReportedFinding[]): string {
  if (findings.length === 0) return "### Conduct of the client\n\nNothing to report.\n";
  const rows = findings.map((finding) => [
    `${finding.title} (\`${finding.rule}\`)`,
    finding.about,
    formatOccasions(finding),
    finding.right,
  ]);
  return `### Conduct of the client\n\n${formatMarkdownTable(["what", "where", "how", "right"], rows)}\n`;
}
