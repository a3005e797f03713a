/**
 * Inserts batches of lines, one after the other, with only the driver. Arguments: URL of the database, lines in a
 * batch, characters in a line, ms. Prints the lines a second.
 */
import { createBareTable, lineOf } from "./bare-table.mjs";

const [url, lines, length, ms] = process.argv.slice(2);
const table = await createBareTable(url, "bare_loop");
const batch = new Array(Math.round(Number(lines))).fill(lineOf(Number(length)));
let count = 0;
const started = performance.now();
for (; performance.now() - started < Number(ms); count += batch.length) await table.insert(batch);
process.stdout.write(String((count / (performance.now() - started)) * 1_000));
await table.end();
