/** Prints results on stdout, writes them to files, and colours them for terminals. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import picocolors from "picocolors";
import { CommandError } from "../errors.js";

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

/** Writes a file that the user asked for. Error messages call it `name`. */
/** Writes a file, and makes the folder that it is in. */
export async function writeInFolder(name: string, file: string, content: string): Promise<void> {
  // If the folder cannot be made, the writing of the file says why.
  await mkdir(dirname(file), { recursive: true }).catch(() => {});
  await writeOutputFile(name, file, content);
}

export async function writeOutputFile(name: string, file: string, content: string): Promise<void> {
  await writeFile(file, content).catch((error: Error) => {
    throw new CommandError(`${name} cannot be written to ${file}: ${error.message}`);
  });
}
