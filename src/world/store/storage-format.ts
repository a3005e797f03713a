/** Checks the version of the data folder's layout, and whether the folder can be used. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreError } from "./store.js";

const format = 1;

export function prepareFolder(folder: string): void {
  try {
    createFolder(join(folder, "accounts"));
  } catch (error) {
    throw new StoreError(
      `the data folder ${folder} cannot be created (${(error as Error).message}); choose another with --data, or keep the state in memory with --memory`,
    );
  }
}

/** Creates a folder and its parents. Node's recursive mkdir never returns if mkdir fails with ENOENT, as in /proc. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Writes the version into a new folder, and refuses a folder of a later version. Returns whether the folder is new. */
export function checkFormat(folder: string): boolean {
  const file = join(folder, "standin.json");
  const text = readIfExists(file);
  // A crash or a full disk may have left an empty file before the first account was created.
  if (text === null || (text === "" && readdirSync(join(folder, "accounts")).length === 0)) {
    writeFormat(folder, file);
    return true;
  }
  const found = formatIn(text);
  if (found === format) return false;
  throw new StoreError(
    found === null
      ? `${file} is damaged; if version ${format} wrote the folder, it must read {"format":${format}}`
      : `${file} says format ${found}, and this version reads format ${format}; choose another folder with --data`,
  );
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StoreError(
      `${file} cannot be read (${(error as Error).message}); choose another folder with --data`,
    );
  }
}

function writeFormat(folder: string, file: string): void {
  const next = `${file}.new`;
  try {
    writeFileSync(next, `${JSON.stringify({ format })}\n`, { mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new StoreError(
      `the data folder ${folder} cannot be written (${(error as Error).message}); choose another with --data`,
    );
  }
}

function formatIn(text: string): number | null {
  try {
    const found = (JSON.parse(text) as { format?: unknown } | null)?.format;
    return typeof found === "number" ? found : null;
  } catch {
    return null;
  }
}
