// @ts-check
/** Runs in a worker thread: folds an account's journal, so that the main thread never waits for large files. */
import { parentPort, workerData } from "node:worker_threads";
import { fold } from "./fold.js";

/** @type {{ folder: string, files: { document: string, journals: string[], lock: string } }} */
const { folder, files } = workerData;
await fold(folder, files);
parentPort?.postMessage("done");
