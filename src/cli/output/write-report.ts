/** Writes the reports of a run. One that cannot be written is told, and does not keep the others from being written. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a report whose folder is created. Returns why that failed, or nothing. */
export const writeReport = (what: string, file: string, content: string): Promise<string[]> =>
  problemsOf(what, file, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  });

/** Runs what writes a report. Returns why that failed, or nothing. */
export async function problemsOf(what: string, file: string, run: () => Promise<unknown>): Promise<string[]> {
  try {
    await run();
    return [];
  } catch (error) {
    return [`${what} cannot be written to ${file}: ${(error as Error).message}`];
  }
}
