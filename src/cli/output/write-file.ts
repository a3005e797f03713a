/** Writes the files that a user asked for. Error messages call a file by its `name`. */
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describeFileError } from "../../contract/read-file.js";
import { CommandError } from "../errors.js";

/** Writes a file into a folder that exists. Rejects with a CommandError. */
export const writeOutputFile = (name: string, file: string, content: string | Uint8Array): Promise<void> =>
  refusable(name, file, writeFile(file, content));

/** Writes a file, and makes the folder that it is in. Rejects with a CommandError. */
export async function writeInFolder(name: string, file: string, content: string | Uint8Array): Promise<void> {
  await refusable(name, file, mkdir(dirname(file), { recursive: true }));
  await writeOutputFile(name, file, content);
}

/**
 * Writes Markdown, and makes the folder that it is in. The summary of a GitHub job is appended to, since it holds what
 * earlier commands have written. Rejects with a CommandError.
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

/** Returns whether a path is that of the summary of the GitHub job. */
export function isStepSummary(file: string): boolean {
  const summary = stepSummary();
  return summary !== null && resolve(file) === resolve(summary);
}

const refusable = <T>(name: string, file: string, writing: Promise<T>): Promise<T> =>
  writing.catch((error: Error) => {
    throw new CommandError(`${name} cannot be written to ${file}: ${describeFileError(error)}`);
  });

/** Waits until files are written. Returns why any of them could not be, so that the others are written all the same. */
export async function problemsOf(...writing: readonly Promise<void>[]): Promise<string[]> {
  const results = await Promise.allSettled(writing);
  return results.flatMap((result) =>
    result.status === "rejected" ? [(result.reason as Error).message] : [],
  );
}
