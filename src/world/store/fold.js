// @ts-check
/**
 * Folds the journals of an account into its document. The new document is on the disk before it replaces the old one;
 * the journals are deleted afterwards. If this is interrupted, applying the journals again changes nothing.
 */
import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readDocument, writeDocument } from "./document.js";
import { readJournal } from "./journal.js";

/** @typedef {Map<string, Map<string, string>>} Tables */

/**
 * Folds the journals that exist.
 * @param {string} folder
 * @param {{ document: string, journals: readonly string[], lock?: string }} files file names, the oldest journal first, and the path of a file that
 * exists as long as this process owns the folder
 * @param {() => void} checkTime called for each record; throws to abort the fold
 */
export async function fold(folder, files, checkTime = () => {}) {
  const journals = files.journals.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (journals.length === 0) return;
  const document = join(folder, files.document);
  const next = `${document}.new`;
  const checkLock = () => {
    if (files.lock !== undefined && !existsSync(files.lock))
      throw new Error("the data folder was removed or taken over by another process");
  };
  try {
    await writeDocument(next, checked(await readAll(document, journals, checkTime), checkTime));
    checkLock();
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await rename(next, document);
  await syncFolder(folder);
  for (const journal of journals) {
    checkLock();
    await rm(journal);
    // An older journal that came back after a power failure must not be applied without the newer one.
    if (journals.length > 1) await syncFolder(folder);
  }
}

/**
 * @param {string} document
 * @param {readonly string[]} journals
 * @param {() => void} checkTime
 * @returns {Promise<Tables>}
 */
async function readAll(document, journals, checkTime) {
  /** @type {Tables} */
  const tables = new Map();
  const reader = {
    /** @type {(table: string, id: string, text: string | null) => void} */
    load(table, id, text) {
      checkTime();
      const rows = tables.get(table) ?? new Map();
      tables.set(table, rows);
      if (text === null) rows.delete(id);
      else rows.set(id, text);
    },
    clear: () => tables.clear(),
  };
  const problem = existsSync(document) ? await readDocument(document, reader) : null;
  if (problem !== null) throw new Error(`${document} is damaged: ${problem}`);
  for (const journal of journals)
    await readJournal(journal, reader, (line, _length, isApplied) => {
      if (isApplied) throw new Error(`${journal} was cut off in line ${line}`);
    });
  return tables;
}

/**
 * @param {Tables} tables
 * @param {() => void} checkTime
 * @returns {Generator<[table: string, rows: Iterable<[id: string, text: string]>]>}
 */
function* checked(tables, checkTime) {
  for (const [table, rows] of tables) yield [table, checkedRows(rows, checkTime)];
}

/**
 * @param {Map<string, string>} rows
 * @param {() => void} checkTime
 */
function* checkedRows(rows, checkTime) {
  for (const row of rows) {
    checkTime();
    yield row;
  }
}

/**
 * Waits until the disk has the new name. Windows does not support this, and does not need it.
 * @param {string} folder
 */
async function syncFolder(folder) {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
