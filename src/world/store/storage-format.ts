/** Checks the version of the data folder's layout, and whether the folder can be used. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseObject } from "../../contract/json.js";
import { decodeText } from "../../contract/read-file.js";
import { randomHex } from "../../time/random.js";
import { StoreError } from "./store.js";
import { type Durability, newEntriesOf, replaceFile, syncFoldersAtOnce } from "./sync.js";

/** Lines of journals have sequences, and name the incarnation of their account. */
const format = 3;
/** Folders of these formats are converted. */
const earlierFormats = [1, 2];

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
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file`);
    return null;
  }
  const created = createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return created ?? folder;
}

/**
 * Returns the format of the folder, or null if it is new. Throws a StoreError if another version of the program wrote
 * it in a format that this one cannot read. Must be called before anything else in the folder is read or written.
 */
export function readFormat(folder: string, version: string): number | null {
  const file = join(folder, "standin.json");
  const text = readIfExists(file);
  // A crash or a full disk may have left an empty file before the first account was created.
  if (text === null || (text === "" && isEmpty(join(folder, "accounts")))) return null;
  const { format: found, written_by: writer } = parseObject(text) ?? {};
  if (typeof found !== "number")
    throw new StoreError(
      `${file} is damaged; if standin ${version} wrote the folder, it must read {"format":${format}}`,
    );
  if (found === format || earlierFormats.includes(found)) return found;
  const by = typeof writer === "string" ? `, written by standin ${writer}` : "";
  throw new StoreError(
    `${file} says format ${found}${by}, and this is standin ${version}, which reads formats ${earlierFormats.join(" and ")}, and writes format ${format}; use the version that wrote the folder, or choose another folder with --data`,
  );
}

/** Writes the current format into a folder that is new or was converted. Returns whether it was new. */
export function checkFormat(folder: string, durability: Durability, version: string): boolean {
  const found = readFormat(folder, version);
  const text = `${JSON.stringify({ format, written_by: version })}\n`;
  if (found !== format) writeFile(join(folder, "standin.json"), text, durability);
  return found === null;
}

/** Returns whether a folder must be converted before it is used, or a conversion was interrupted. */
export const needsConversion = (folder: string, found: number | null): boolean =>
  (found !== null && found !== format) || existsSync(join(folder, convertedFolder));

/** Folder of the accounts as a conversion writes them. */
export const convertedFolder = "accounts.new";

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

function readIfExists(file: string): string | null {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return null;
    throw new StoreError(
      `${file} cannot be read (${(error as Error).message}); choose another folder with --data`,
    );
  }
}

/** Returns the random seed of the data folder, which is made with its first use. */
export function readSeed(folder: string, durability: Durability): string {
  const file = join(folder, "seed");
  const kept = readIfExists(file)?.trim();
  if (kept) return kept;
  const seed = randomHex(32);
  writeFile(file, `${seed}\n`, durability);
  return seed;
}

function writeFile(file: string, text: string, durability: Durability): void {
  try {
    replaceFile(file, text, durability === "power");
  } catch (error) {
    throw new StoreError(
      `the data folder ${dirname(file)} cannot be written (${(error as Error).message}); choose another with --data`,
    );
  }
}
