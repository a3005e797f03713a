// @ts-check
/**
 * Runs in a worker thread: folds a journal into its account's document, so that the main thread never waits for
 * large files. The document is replaced by a rename; only then does the folded journal go.
 */
import { existsSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { JSONFilePreset } from "lowdb/node";

/** @type {{ folder: string, document: string, folding: string }} */
const { folder, document, folding } = workerData;
const journal = join(folder, folding);

if (existsSync(journal)) {
  const database = await JSONFilePreset(
    join(folder, document),
    /** @type {Record<string, Record<string, unknown>>} */ ({}),
  );
  let tables = database.data;
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
  database.data = tables;
  await database.write();
  const file = await open(join(folder, document));
  await file.datasync();
  await file.close();
  await rm(journal);
}
parentPort?.postMessage("done");
