// @ts-check
/**
 * Runs in a worker thread: folds a journal into its account's document, so that the main thread never waits for
 * large files. The new document is on the disk before it takes the old one's name; only then does the journal go.
 */
import { existsSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { JSONFile } from "lowdb/node";

/** @typedef {Record<string, Record<string, unknown>>} Tables */

/** @type {{ folder: string, document: string, folding: string }} */
const { folder, document, folding } = workerData;
const journal = join(folder, folding);
const old = join(folder, document);
const next = `${old}.new`;

if (existsSync(journal)) {
  // Not lowdb's preset: it keeps everything in memory where NODE_ENV is test.
  /** @type {Tables} */
  let tables = (await new JSONFile(old).read()) ?? {};
  for (const line of (await readFile(journal, "utf8")).split("\n")) {
    if (line === "") continue;
    for (const [table, id, record] of JSON.parse(line)) {
      if (table === "*") {
        tables = {};
        continue;
      }
      tables[table] ??= {};
      const records = tables[table];
      if (record === null) delete records[id];
      else records[id] = record;
    }
  }
  await new JSONFile(next).write(tables);
  const file = await open(next, "r+");
  await file.sync();
  await file.close();
  await rename(next, old);
  await rm(journal);
}
parentPort?.postMessage("done");
