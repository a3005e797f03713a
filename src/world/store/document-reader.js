// @ts-check
/**
 * Runs in a worker thread: parses an account's document that was not written by lines, and hands over its records one
 * batch at a time, whenever the main thread asks for the next.
 */
import { parentPort, workerData } from "node:worker_threads";
import { readInOnePiece } from "./document.js";

/** @typedef {[table: string, id: string, text: string | null]} Loaded */
/** @typedef {{ records: Loaded[] } | { problem: string | null }} DocumentMessage */

/** Number of characters from which a batch is complete. */
const batchLength = 64 * 1024;

/** @type {DocumentMessage[]} */
const messages = [];
/** @type {Loaded[]} */
let records = [];
let length = 0;

const problem = await readInOnePiece(workerData, {
  load(table, id, text) {
    records.push([table, id, text]);
    length += text?.length ?? 0;
    if (length < batchLength) return;
    messages.push({ records });
    records = [];
    length = 0;
  },
});
messages.push({ records }, { problem });
let sent = 0;
parentPort?.on("message", () => parentPort?.postMessage(messages[sent++]));
