/** What `standin assumptions --vary` says at its end: on which guesses a client depends. */

import { colors } from "../colors.js";
import type { CapturedRun } from "../exec/captured-run.js";
import { count, table } from "../table.js";
import type { Variation } from "./variations.js";

export interface Varied extends Variation {
  /** `depends`: the command fails under the alternative alone. */
  readonly result: "same" | "depends" | "not touched" | "not run";
  /** Called in the run with the defaults, and shaped by the assumption. */
  readonly operations: readonly string[];
  readonly run: CapturedRun | null;
}

const shownLines = 20;
/** More operations than these are counted. */
const namedOperations = 3;

export const lastLines = (output: string): string[] => output.trimEnd().split("\n").slice(-shownLines);

export function sayEnd({ timedOut, signal, code }: CapturedRun): string {
  if (timedOut) return "a timeout";
  return signal ? `signal ${signal}` : `exit code ${code}`;
}

const dependsOn = (results: readonly Varied[]): string[] => [
  ...new Set(results.filter(({ result }) => result === "depends").map(({ assumption }) => assumption)),
];

export function describe(results: readonly Varied[]): string {
  const rows = results.map(({ assumption, inForce, alternative, result, operations, run }) => [
    assumption,
    inForce,
    alternative,
    result === "depends" && run ? `depends: ${sayEnd(run)}` : result,
    sayOperations(operations),
  ]);
  const headings = ["assumption", "in force", "alternative", "result", "touched by"];
  return `${table(headings, rows)}\n\n${sayVerdict(results)}`;
}

function sayOperations(operations: readonly string[]): string {
  if (operations.length === 0) return "-";
  const more = operations.length - namedOperations;
  const named = operations.slice(0, namedOperations).join(", ");
  return more > 0 ? `${named} and ${count(more, "other")}` : named;
}

function sayVerdict(results: readonly Varied[]): string {
  const guesses = dependsOn(results);
  const untouched = results.filter(({ result }) => result === "not touched").length;
  const skipped =
    untouched > 0 ? ` ${count(untouched, "alternative")} not touched; --all runs them too.` : "";
  return guesses.length === 0
    ? `${colors.green("The command depends on none of these guesses.")}${skipped}`
    : `${colors.red(`The command depends on ${count(guesses.length, "guess", "guesses")}: ${guesses.join(", ")}.`)}${skipped}`;
}

export const toJson = (command: readonly string[], usual: CapturedRun, results: readonly Varied[]): string =>
  JSON.stringify({
    command,
    duration_ms: usual.durationMs,
    depends_on: dependsOn(results),
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
