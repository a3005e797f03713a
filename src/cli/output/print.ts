/** Prints results on stdout, and colours them for terminals. */

import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import picocolors from "picocolors";
import { describeFileError } from "../../contract/read-file.js";
import { CommandError } from "../errors.js";
import { type FlagsOf, flagTable } from "../flags.js";

/**
 * NO_COLOR takes precedence (no-color.org), then FORCE_COLOR (force-color.org), then whether the stream is a terminal.
 * picocolors alone would also colour pipes if CI is set.
 */
function hasColors({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && TERM !== "dumb";
}

export const colors = picocolors.createColors(hasColors(process.stdout));
export const stderrColors = picocolors.createColors(hasColors(process.stderr));

/** The option with which a command prints its result as JSON, below a heading of --help. */
export const jsonOption = (description: string, heading: string | null = null) =>
  flagTable(heading, [["--json", description]]);

export type JsonFlag = FlagsOf<ReturnType<typeof jsonOption>>;

/** Prints text or the bytes of a file on stdout as they are, without a line break at their end. */
export const print = (text: string | Uint8Array): void => void process.stdout.write(text);

/** Prints `value` as one JSON document with --json, otherwise as text. */
export function printResult<T>({ json }: JsonFlag, value: T, format: (value: T) => string): void {
  print(`${json ? JSON.stringify(value) : format(value)}\n`);
}

/** Formats rows below headings, with aligned columns two spaces apart. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(toOneLine));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => (row[column] ?? "").length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [colors.dim(line(headings)), ...cells.map(line)].join("\n");
}

/** Replaces line breaks and control characters, which could manipulate the terminal, with spaces. */
export const toOneLine = (text: string): string => text.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, " ").trim();

/** Formats a percentage, rounded down to a tenth, so that a share below a minimum never looks like the minimum. */
export const formatPercent = (percent: number): string => `${Math.floor(percent * 10) / 10}%`;

/** Formats an amount with its noun: `1 message`, `2 messages`. */
export const formatCount = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${amount} ${amount === 1 ? noun : plural}`;

/** Returns the file that a command writes to, or undefined for stdout, which `-` stands for as well. */
export const outputFile = (file: string | undefined): string | undefined => (file === "-" ? undefined : file);

/** Writes a file into a folder that exists. Rejects with a CommandError. */
export const writeOutputFile = (name: string, file: string, content: string | Uint8Array): Promise<void> =>
  refusable(name, file, writeFile(file, content));

/** Writes a file, and makes the folder that it is in. Rejects with a CommandError. */
export async function writeInFolder(name: string, file: string, content: string | Uint8Array): Promise<void> {
  await refusable(name, file, mkdir(dirname(file), { recursive: true }));
  await writeOutputFile(name, file, content);
}

/**
 * Writes Markdown, and makes the folder that it is in. The summary of a GitHub job is appended to, since it has the output of
 * earlier commands. Rejects with a CommandError.
 */
export async function writeMarkdown(name: string, file: string, markdown: string): Promise<void> {
  if (!isStepSummary(file)) return writeInFolder(name, file, markdown);
  const earlier = await readFile(file, "utf8").catch(() => "");
  // A heading right behind HTML would be shown as plain text.
  const gap = earlier === "" ? "" : earlier.endsWith("\n") ? "\n" : "\n\n";
  await refusable(name, file, appendFile(file, gap + markdown));
}

/** Returns the file that GitHub Actions shows on the page of the run, or null elsewhere. */
export const stepSummary = (): string | null => process.env.GITHUB_STEP_SUMMARY || null;

/** Returns whether a path is the path of the summary of the GitHub job. */
export function isStepSummary(file: string): boolean {
  const summary = stepSummary();
  return summary !== null && resolve(file) === resolve(summary);
}

const refusable = <T>(name: string, file: string, writing: Promise<T>): Promise<T> =>
  writing.catch((error: Error) => {
    throw new CommandError(`${name} cannot be written to ${file}: ${describeFileError(error)}`);
  });

/** Waits until files are written. Returns why some could not be written, so that the others still are. */
export async function problemsOf(...writing: readonly Promise<void>[]): Promise<string[]> {
  const results = await Promise.allSettled(writing);
  return results.flatMap((result) =>
    result.status === "rejected" ? [(result.reason as Error).message] : [],
  );
}
