// @ts-check
/**
 * Runs in a worker thread: folds a journal into its account's document, so that the main thread never waits for large
 * files. The new document is on the disk before it takes the old one's name; only then does the journal go.
 */
import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { readDocument, writeDocument } from "./document.js";
import { readJournal } from "./journal.js";

/** @type {{ folder: string, document: string, folding: string }} */
const { folder, document, folding } = workerData;
const journal = join(folder, folding);
const old = join(folder, document);
const next = `${old}.new`;

/** @type {Map<string, Map<string, string>>} */
const tables = new Map();
const reader = {
  /** @type {(table: string, id: string, text: string | null) => void} */
  load(table, id, text) {
    const rows = tables.get(table) ?? new Map();
    tables.set(table, rows);
    if (text === null) rows.delete(id);
    else rows.set(id, text);
  },
  clear: () => tables.clear(),
};

if (existsSync(journal)) {
  const problem = existsSync(old) ? await readDocument(old, reader) : null;
  if (problem !== null) throw new Error(`${old} is damaged: ${problem}`);
  await readJournal(journal, reader, () => {});
  await writeDocument(next, tables);
  await rename(next, old);
  await syncFolder();
  await rm(journal);
}
parentPort?.postMessage("done");

/** Makes the new name safe. Windows cannot do this, and need not. */
async function syncFolder() {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
