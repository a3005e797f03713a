/** Formats findings of conduct for terminals, JUnit and Markdown. */
import type { ConductReport } from "../../client/account/types.js";
import type { JunitCase } from "../output/junit.js";
import { stderrColors } from "../output/print.js";
import { formatCount, formatMarkdownTable } from "../output/table.js";

type ReportedFinding = ConductReport["findings"][number];

export const formatRule = ({ rule, about }: ReportedFinding): string => `${rule} (${about})`;

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
export function toConductCase(finding: ReportedFinding, mode = "warn"): JunitCase {
  const text = `${formatOccasions(finding)} ${finding.right}`;
  const outcome = mode === "fail" ? { failure: text } : { output: text };
  return { group: "conduct", name: `${finding.title}: ${finding.about}`, seconds: 0, ...outcome };
}

export function formatConductMarkdown(findings: readonly ReportedFinding[]): string {
  if (findings.length === 0) return "### Conduct of the client\n\nNothing to report.\n";
  const rows = findings.map((finding) => [
    `${finding.title} (\`${finding.rule}\`)`,
    finding.about,
    formatOccasions(finding),
    finding.right,
  ]);
  return `### Conduct of the client\n\n${formatMarkdownTable(["what", "where", "how", "right"], rows)}\n`;
}
