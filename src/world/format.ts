/** The version of the folder's layout, and whether the folder can be used at all. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "./store.js";

const format = 1;

export function prepareFolder(folder: string): void {
  try {
    mkdirSync(join(folder, "accounts"), { recursive: true });
  } catch (error) {
    throw new StoreError(
      `the data folder ${folder} cannot be made (${(error as Error).message}); choose another with --data`,
    );
  }
}

/** Writes the version into a new folder; refuses one that a later version wrote. */
export function checkFormat(folder: string): void {
  const file = join(folder, "standin.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    try {
      writeFileSync(file, `${JSON.stringify({ format })}\n`);
    } catch (error) {
      throw new StoreError(
        `the data folder ${folder} cannot be written (${(error as Error).message}); choose another with --data`,
      );
    }
    return;
  }
  const found = (JSON.parse(text) as { format?: unknown }).format;
  if (found !== format) {
    throw new StoreError(`${file} says format ${String(found)}, and this version reads format ${format}`);
  }
}
