/** Formats the report on a webhook receiver, as a table with explanations and as JUnit cases. */
import type { CheckResult, CheckVerdict, ReceiverReport } from "../../receiver-check/report.js";
import { formatDuration } from "../../time/time.js";
import type { JunitCase } from "../output/junit.js";
import { colors } from "../output/print.js";
import { formatCount, formatTable, toOneLine } from "../output/table.js";

const verdictColors: Readonly<Record<CheckVerdict, (text: string) => string>> = {
  pass: colors.green,
  fail: colors.red,
  advice: colors.yellow,
  skipped: colors.dim,
};

function formatAnswers({ answered }: CheckResult): string {
  const [first, ...others] = answered;
  if (!first) return "-";
  if (others.length > 0) return answered.map(({ status }) => status ?? "nothing").join(", ");
  return first.status === null ? "nothing" : `${first.status} in ${formatDuration(first.duration_ms)}`;
}

/** Formats one table whose rows are grouped below headings. */
function formatResults(results: readonly CheckResult[]): string {
  const rows = results.map((result) => [result.id, result.sent, formatAnswers(result), result.verdict]);
  const [heading, ...lines] = formatTable(["check", "sent", "answered", "verdict"], rows).split("\n");
  const grouped = results.flatMap(({ group, verdict }, index) => {
    const line = (lines[index] ?? "").replace(/\w+$/, verdictColors[verdict]);
    return group === results[index - 1]?.group ? [line] : ["", colors.bold(group), line];
  });
  return [heading, ...grouped].join("\n");
}

function formatExplanations(title: string, results: readonly CheckResult[], verdict: CheckVerdict): string[] {
  const matching = results.filter((result) => result.verdict === verdict);
  if (matching.length === 0) return [];
  return [
    "",
    title,
    ...matching.map(({ id, says }) => `  ${verdictColors[verdict](id)}  ${toOneLine(says)}`),
  ];
}

export function formatReceiverReport({ url, seed, counts, hints, results }: ReceiverReport): string {
  const others = (["fail", "advice", "skipped"] as const).filter((verdict) => counts[verdict] > 0);
  const words = { fail: "failed", advice: "advice", skipped: "skipped" };
  const sums = [`${counts.pass} passed`, ...others.map((verdict) => `${counts[verdict]} ${words[verdict]}`)];
  const time = results.find(({ id, verdict }) => id === "time/answers" && verdict !== "fail");
  return [
    formatResults(results),
    "",
    `${formatCount(results.length, "check")} of ${url} with --seed ${seed}: ${sums.join(", ")}.`,
    ...(time ? [time.says] : []),
    ...hints,
    ...formatExplanations("Failures:", results, "fail"),
    ...formatExplanations("Advice:", results, "advice"),
    ...formatExplanations("Skipped:", results, "skipped").slice(0, 3),
  ].join("\n");
}

export const junitCases = ({ results }: ReceiverReport): JunitCase[] =>
  results.map(({ id, group, title, answered, verdict, says }) => ({
    group,
    name: `${id}: ${title}`,
    seconds: answered.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1000,
    ...(verdict === "fail" ? { failure: says } : {}),
    ...(verdict === "skipped" ? { skipped: says } : {}),
    ...(verdict === "advice" ? { output: says } : {}),
  }));
