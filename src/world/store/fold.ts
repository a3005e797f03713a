/**
 * Folds the journals of an account into its document. The new document is on the disk before it replaces the old one;
 * the journals are replaced or deleted afterwards. If this is interrupted, the next fold ignores what was folded.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { journalFile } from "./account-files.js";
import { type DocumentTable, readDocument, writeDocument } from "./document.js";
import { readJournal, startJournal } from "./journal.js";
import { syncFolders } from "./sync.js";

/** Names of the files of an account's folder that take part in a fold. */
export interface FoldedFiles {
  document: string;
  /** The oldest one first. */
  journals: readonly string[];
  /** Path of a file that exists as long as this process owns the data folder. */
  lock?: string;
  /** Version of the new document. Default: the one that follows from the last journal. */
  generation?: number;
}

type Tables = Map<string, Map<string, string>>;

/** Folds the journals that exist. `checkTime` is called for each record and throws to abort the fold. */
export async function foldFiles(folder: string, files: FoldedFiles, checkTime = () => {}): Promise<void> {
  const journals = files.journals.filter((name) => existsSync(join(folder, name)));
  if (journals.length === 0) return;
  const document = join(folder, files.document);
  const next = `${document}.new`;
  const checkLock = () => {
    if (files.lock !== undefined && !existsSync(files.lock))
      throw new Error("the data folder was removed or taken over by another process");
  };
  const paths = journals.map((name) => join(folder, name));
  const { tables, generation } = await readAll(document, paths, checkTime);
  const written = files.generation ?? generation;
  try {
    await writeDocument(next, written, checked(tables, checkTime));
    checkLock();
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await rename(next, document);
  await syncFolders([folder]);
  for (const name of journals) {
    checkLock();
    if (name === journalFile) startJournal(join(folder, name), written, true);
    else await rm(join(folder, name));
    await syncFolders([folder]);
  }
}

/** Reads everything, and returns the version of the document that contains it. */
async function readAll(
  document: string,
  journals: readonly string[],
  checkTime: () => void,
): Promise<{ tables: Tables; generation: number }> {
  const tables: Tables = new Map();
  const reader = {
    load(table: string, id: string, text: string | null) {
      checkTime();
      const rows = tables.get(table) ?? new Map<string, string>();
      tables.set(table, rows);
      if (text === null) rows.delete(id);
      else rows.set(id, text);
    },
    clear: () => tables.clear(),
  };
  let known = existsSync(document) ? await readDocument(document, reader) : null;
  let generation = known ?? 0;
  for (const journal of journals) {
    const end = await readJournal(journal, known, reader, (line, _length, isApplied) => {
      if (isApplied) throw new Error(`${journal} was cut off in line ${line}`);
    });
    known = end.next;
    generation = known ?? end.generation + 1;
  }
  return { tables, generation };
}

function* checked(tables: Tables, checkTime: () => void): Generator<DocumentTable> {
  for (const [table, rows] of tables) yield [table, checkedRows(rows, checkTime)];
}

function* checkedRows(
  rows: ReadonlyMap<string, string>,
  checkTime: () => void,
): Generator<readonly [id: string, text: string]> {
  for (const row of rows) {
    checkTime();
    yield row;
  }
}
