/** What a check of a receiver came to: as a table with what to do about it, and as JUnit. */
import { sayDuration } from "../../receiver-check/duration.js";
import type { CheckResult, ReceiverReport, Verdict } from "../../receiver-check/report.js";
import { colors } from "../colors.js";
import type { JunitCase } from "../junit.js";
import { count, oneLine, table } from "../table.js";

const painted: Readonly<Record<Verdict, (text: string) => string>> = {
  pass: colors.green,
  fail: colors.red,
  advice: colors.yellow,
  skipped: colors.dim,
};

function answers({ answered }: CheckResult): string {
  const [only, ...more] = answered;
  if (!only) return "-";
  if (more.length > 0) return answered.map(({ status }) => status ?? "nothing").join(", ");
  return only.status === null ? "nothing" : `${only.status} in ${sayDuration(only.duration_ms)}`;
}

/** One table under one heading each, all columns of one width. */
function tableOf(results: readonly CheckResult[]): string {
  const rows = results.map((result) => [result.id, result.sent, answers(result), result.verdict]);
  const [heading, ...lines] = table(["check", "sent", "answered", "verdict"], rows).split("\n");
  const grouped = results.flatMap(({ group, verdict }, index) => {
    const line = (lines[index] ?? "").replace(/\w+$/, painted[verdict]);
    return group === results[index - 1]?.group ? [line] : ["", colors.bold(group), line];
  });
  return [heading, ...grouped].join("\n");
}

function listed(title: string, results: readonly CheckResult[], verdict: Verdict): string[] {
  const fitting = results.filter((result) => result.verdict === verdict);
  if (fitting.length === 0) return [];
  return ["", title, ...fitting.map(({ id, says }) => `  ${painted[verdict](id)}  ${oneLine(says)}`)];
}

export function describe({ url, seed, counts, hints, results }: ReceiverReport): string {
  const more = (["fail", "advice", "skipped"] as const).filter((verdict) => counts[verdict] > 0);
  const words = { fail: "failed", advice: "advice", skipped: "skipped" };
  const sums = [`${counts.pass} passed`, ...more.map((verdict) => `${counts[verdict]} ${words[verdict]}`)];
  const time = results.find(({ id, verdict }) => id === "time/answers" && verdict !== "fail");
  return [
    tableOf(results),
    "",
    `${count(results.length, "check")} of ${url} with --seed ${seed}: ${sums.join(", ")}.`,
    ...(time ? [time.says] : []),
    ...hints,
    ...listed("What is wrong:", results, "fail"),
    ...listed("What could be better:", results, "advice"),
    ...listed("What was not sent:", results, "skipped").slice(0, 3),
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
