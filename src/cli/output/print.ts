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
