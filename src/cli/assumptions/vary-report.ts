/** The report of `standin assumptions --vary`. */
import { type CapturedRun, formatExit, lastLines } from "../exec/captured-run.js";
import { colors } from "../output/print.js";
import { formatCount, formatTable } from "../output/table.js";
import type { Variation } from "./variations.js";

export interface VariationResult extends Variation {
  /** `depends`: the command fails with the alternative. */
  readonly result: "same" | "depends" | "not touched" | "not run";
  /** Operations that the first run called and that the assumption affects. */
  readonly operations: readonly string[];
  readonly run: CapturedRun | null;
}

const namedOperations = 3;

const dependencies = (results: readonly VariationResult[]): string[] => [
  ...new Set(results.filter(({ result }) => result === "depends").map(({ assumption }) => assumption)),
];

export function formatVariations(results: readonly VariationResult[]): string {
  const rows = results.map(({ assumption, inForce, alternative, result, operations, run }) => [
    assumption,
    inForce,
    alternative,
    result === "depends" && run ? `depends: ${formatExit(run)}` : result,
    formatOperations(operations),
  ]);
  const headings = ["assumption", "value", "alternative", "result", "operations"];
  return `${formatTable(headings, rows)}\n\n${formatVerdict(results)}`;
}

function formatOperations(operations: readonly string[]): string {
  if (operations.length === 0) return "-";
  const others = operations.length - namedOperations;
  const named = operations.slice(0, namedOperations).join(", ");
  return others > 0 ? `${named} and ${formatCount(others, "other")}` : named;
}

function formatVerdict(results: readonly VariationResult[]): string {
  const found = dependencies(results);
  const untouched = results.filter(({ result }) => result === "not touched").length;
  const skipped =
    untouched > 0 ? ` ${formatCount(untouched, "alternative")} not touched; --all runs them too.` : "";
  if (results.every(({ run }) => run === null)) return `Nothing was tried.${skipped}`;
  return found.length === 0
    ? `${colors.green("The command depends on none of these assumptions.")}${skipped}`
    : `${colors.red(`The command depends on ${formatCount(found.length, "assumption")}: ${found.join(", ")}.`)}${skipped}`;
}

export const variationsReport = (
  command: readonly string[],
  firstRun: CapturedRun,
  results: readonly VariationResult[],
) => ({
  command,
  duration_ms: firstRun.durationMs,
  depends_on: dependencies(results),
  results: results.map(({ assumption, inForce, alternative, result, operations, run }) => ({
    assumption,
    in_force: inForce,
    alternative,
    result: result.replace(" ", "_"),
    operations,
    exit_code: run?.code ?? null,
    signal: run?.signal ?? null,
    timed_out: run?.timedOut ?? false,
    duration_ms: run?.durationMs ?? null,
    output: run && result === "depends" ? lastLines(run.output) : null,
  })),
});
