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
  const found = formatIn(text);
  if (found === format) return;
  throw new StoreError(
    found === null
      ? `${file} is damaged; if version ${format} wrote the folder, it must read {"format":${format}}`
      : `${file} says format ${found}, and this version reads format ${format}; choose another folder with --data`,
  );
}

function formatIn(text: string): number | null {
  try {
    const found = (JSON.parse(text) as { format?: unknown } | null)?.format;
    return typeof found === "number" ? found : null;
  } catch {
    return null;
  }
}
