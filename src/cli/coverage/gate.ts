/** Judges coverage and conduct, for the reports of commands. */
import { InvalidArgumentError } from "commander";
import { formatCoverage } from "../../client/account/format.js";
import type { ConductReport } from "../../client/account/types.js";
import { type CoverageKind, type CoverageView, coverageKinds, type Share } from "../../control/coverage.js";
import { printError } from "../errors.js";
import { type FlagsOf, flagTable } from "../flags.js";
import { formatCount, formatPercent, isStepSummary, stderrColors, stepSummary } from "../output/print.js";
import {
  outputs,
  type Report,
  type ReportFlags,
  type ReportRow,
  type ReportSection,
  type ReportTargets,
} from "../output/report.js";

/** How a run treats findings of conduct. */
export const conductModes = ["warn", "fail", "off"] as const;

export const gateOptions = flagTable(null, [
  [
    "--min-coverage <percentages>",
    "fail if less is exercised, such as operations=40,outcomes=20; also transitions and events",
    { parse: parseMinimums, env: "STANDIN_MIN_COVERAGE" },
  ],
  ["--summary <file>", "earlier name of --markdown", { isHidden: true }],
  outputs.junit,
  outputs.markdown,
]);

/** `conduct` and `html` are options of some of the commands; `summary` is false for no summary at all. */
export type GateFlags = Omit<FlagsOf<typeof gateOptions>, "summary"> &
  ReportFlags & { conduct?: (typeof conductModes)[number]; summary?: string | false };

interface Gated {
  coverage: CoverageView;
  /** Findings of conduct. Null if they are not asked for. */
  conduct: ConductReport["findings"] | null;
  /** Rows that come before the rows of the coverage. */
  rows: readonly ReportRow[];
  /** Why there is nothing to judge. Null if there is something. */
  untried: string | null;
}

/** Returns whether the flags ask for a judgement in addition to a report. */
export const isGated = ({ minCoverage, conduct }: GateFlags): boolean =>
  minCoverage !== undefined || conduct === "fail";

/** Judges coverage and conduct. */
export function judgeCoverage(
  { coverage, conduct, rows, untried }: Gated,
  { minCoverage = {}, conduct: mode }: GateFlags,
): Pick<Report, "title" | "outcome" | "reasons" | "rows" | "sections"> {
  const judged = judge(coverage, minCoverage);
  const missed = judged.filter(({ isMissed }) => isMissed).map(formatMissed);
  // A share of nothing is neither enough nor too little.
  const problems =
    missed.length === 0 || untried ? [] : [`the coverage of the service is too low: ${missed.join("; ")}`];
  if (mode === "fail" && conduct && conduct.length > 0)
    problems.push(
      `the client broke ${formatCount(conduct.length, "rule")} of conduct: ${conduct.map(formatRule).join("; ")}`,
    );
  const ofTrial: ReportRow[] = untried
    ? [{ group: "coverage", name: "something was tried", verdict: "failed", text: untried }]
    : [];
  return {
    title: "standin",
    outcome: problems.length > 0 ? "failed" : untried ? "notTried" : "passed",
    reasons: untried ? [...problems, untried] : problems,
    rows: [
      ...rows,
      ...ofTrial,
      ...judged.flatMap((share) => toCoverageRow(share)),
      ...(conduct ?? []).map((finding) => toConductRow(finding, mode)),
    ],
    sections: [coverageSection(coverage, judged), ...(conduct ? [conductSection(conduct)] : [])],
  };
}

/** Returns where the report goes: where the flags say, and to the summary of the GitHub job. */
export function reportTargets({ summary, ...flags }: GateFlags): ReportTargets {
  if (typeof summary === "string") printError("--summary FILE is called --markdown FILE since version 0.3");
  const { markdown = summary || undefined } = flags;
  return { ...flags, markdown: summary === false ? [markdown ?? []].flat() : summaryFiles(markdown) };
}

/** Returns the file of the coverage report, if it was asked for. */
export const coverageFile = (
  file: string | undefined,
  coverage: CoverageView,
): NonNullable<Report["files"]> => ({
  "the coverage report": { file, content: () => `${JSON.stringify(coverage, null, 2)}\n` },
});

/** Returns the files of the summary: the requested file, and the file of the GitHub job. */
function summaryFiles(summary: string | undefined): string[] {
  const ofJob = stepSummary();
  if (summary === undefined) return ofJob ? [ofJob] : [];
  return ofJob && !isStepSummary(summary) ? [summary, ofJob] : [summary];
}

function toCoverageRow(judged: JudgedShare): ReportRow[] {
  const { kind, minimum, isMissed } = judged;
  if (minimum === null) return [];
  const row = { group: "coverage", name: `${kind}: at least ${minimum}%` };
  return [
    isMissed ? { ...row, verdict: "failed", text: formatMissed(judged) } : { ...row, verdict: "passed" },
  ];
}

const toRow = ({ kind, share, minimum, isMissed }: JudgedShare): string[] => [
  kind,
  `${share.exercised} of ${share.total}`,
  formatShare(share),
  minimum === null ? "" : `${minimum}%${isMissed ? " (missed)" : ""}`,
];

/** Returns a table of the shares, with a folded list of the uncovered parts. */
function coverageSection(coverage: CoverageView, judged: readonly JudgedShare[]): ReportSection {
  const [, ...uncovered] = formatCoverage(coverage).split("\n");
  return {
    level: 3,
    heading: "Coverage of the service",
    headings: ["", "exercised", "share", "minimum"],
    rows: judged.map(toRow),
    folded: uncovered.length === 0 ? undefined : { summary: "What is uncovered", lines: uncovered },
  };
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

/** Returns the row of a finding, which fails only where findings fail the run. */
const toConductRow = (finding: ReportedFinding, mode = "warn"): ReportRow => ({
  group: "conduct",
  name: `${finding.title}: ${finding.about}`,
  verdict: mode === "fail" ? "failed" : "note",
  text: `${formatOccasions(finding)} ${finding.right}`,
});

const conductSection = (findings: readonly ReportedFinding[]): ReportSection => ({
  level: 3,
  heading: "Conduct of the client",
  ...(findings.length === 0
    ? { before: ["Nothing to report."] }
    : {
        headings: ["what", "where", "how", "right"],
        rows: findings.map((finding) => [
          `${finding.title} (\`${finding.rule}\`)`,
          finding.about,
          formatOccasions(finding),
          finding.right,
        ]),
      }),
});
