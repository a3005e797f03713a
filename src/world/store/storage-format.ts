/** Checks the version of the data folder's layout, and whether the folder can be used. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomHex } from "../../time/random.js";
import type { Durability } from "./line-file.js";
import { StoreError } from "./store.js";
import { newEntriesOf, syncFoldersAtOnce } from "./sync.js";

const format = 1;

/** Creates the folder if it does not exist. With durability `power`, its name is on the disk afterwards. */
export function prepareFolder(folder: string, durability: Durability): void {
  const accounts = join(folder, "accounts");
  try {
    const created = createFolder(accounts);
    if (created !== null && durability === "power") syncFoldersAtOnce(newEntriesOf(accounts, created));
  } catch (error) {
    throw new StoreError(
      `the data folder ${folder} cannot be created (${(error as Error).message}); choose another with --data, or keep the state in memory with --memory`,
    );
  }
}

/**
 * Creates a folder and its parents. Returns the first that was created, or null if all existed. Node's recursive mkdir
 * never returns if mkdir fails with ENOENT, as in /proc.
 */
function createFolder(folder: string): string | null {
  if (existsSync(folder)) return null;
  const created = createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return created ?? folder;
}

/** Writes the version into a new folder, and refuses a folder of a later version. Returns whether the folder is new. */
export function checkFormat(folder: string, durability: Durability): boolean {
  const file = join(folder, "standin.json");
  const text = readIfExists(file);
  // A crash or a full disk may have left an empty file before the first account was created.
  if (text === null || (text === "" && readdirSync(join(folder, "accounts")).length === 0)) {
    writeFormat(folder, file, durability);
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

function writeFormat(folder: string, file: string, durability: Durability): void {
  replaceFile(folder, file, `${JSON.stringify({ format })}\n`, durability);
}

/** Returns the random seed of the data folder, which is made with its first use. */
export function readSeed(folder: string, durability: Durability): string {
  const file = join(folder, "seed");
  const kept = readIfExists(file)?.trim();
  if (kept) return kept;
  const seed = randomHex(32);
  replaceFile(folder, file, `${seed}\n`, durability);
  return seed;
}

function replaceFile(folder: string, file: string, text: string, durability: Durability): void {
  const next = `${file}.new`;
  const isSynced = durability === "power";
  try {
    writeFileSync(next, text, { mode: 0o600, flush: isSynced });
    renameSync(next, file);
    if (isSynced) syncFoldersAtOnce([folder]);
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
