/** Prints results on stdout, and colours them for terminals. */
import picocolors from "picocolors";

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

export interface JsonFlag {
  json?: true;
}

/** Prints text on stdout as it is, without a line break at its end. */
export const print = (text: string): void => void process.stdout.write(text);

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

/** Formats a table as Markdown. The lines of a cell stand below each other; names between backticks are set as code. */
export function formatMarkdownTable(
  headings: readonly string[],
  rows: readonly (readonly (string | readonly string[])[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => [cell].flat().map(escapeMarkdown).join("<br>")));
  return [headings, headings.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Escapes what would end a cell or begin HTML. */
export const escapeMarkdown = (text: string): string =>
  toOneLine(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** Replaces line breaks and control characters, which could manipulate the terminal, with spaces. */
export const toOneLine = (text: string): string => text.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, " ").trim();

/** Formats a percentage, rounded down to a tenth, so that one below a minimum never looks like the minimum. */
export const formatPercent = (percent: number): string => `${Math.floor(percent * 10) / 10}%`;

/** Formats an amount with its noun: `1 message`, `2 messages`. */
export const formatCount = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${amount} ${amount === 1 ? noun : plural}`;
