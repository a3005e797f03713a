/** Rows under short headings, columns aligned, two spaces between them. */
import { colors } from "./colors.js";

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
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

/** Texts that people wrote may hold line breaks, and control characters that would steer the reader's terminal. */
export const oneLine = (text: string): string => text.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, " ").trim();

/** `1 message`, `2 messages`. */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${amount} ${amount === 1 ? noun : plural}`;
