/** Starts worker threads for what would make this one wait for large files. */
import { Worker } from "node:worker_threads";
import { afterTick } from "../../time/time.js";
import { DamagedDocument, type TableReader } from "./document.js";
import type { FoldedFiles } from "./fold.js";
import type { StoreMessage, StoreTask } from "./store-worker.js";

/** The built worker, also when this module runs from its source: Node cannot run TypeScript. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/bundle/store-worker.js" : "./store-worker.js",
  import.meta.url,
);

/** Runs a task until `onMessage` returns true. Rejects if the thread fails, or if the signal aborts it. */
function runInWorker(
  task: StoreTask,
  onMessage: (message: StoreMessage, worker: Worker) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const worker = new Worker(workerFile, { workerData: task });
    const stop = () => void worker.terminate();
    signal?.addEventListener("abort", stop);
    worker.on("message", (message: StoreMessage) => {
      if (!onMessage(message, worker)) return;
      resolve();
      stop();
    });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      signal?.removeEventListener("abort", stop);
      reject(new Error(`the thread ended with code ${code}`));
    });
    worker.postMessage("next");
  });
}

export const foldInWorker = (folder: string, files: FoldedFiles, signal: AbortSignal): Promise<void> =>
  runInWorker({ fold: folder, files }, (message) => message === "done", signal);

/** Reads a document that was not written by lines, because it is parsed in one piece. Rejects with a DamagedDocument. */
export async function readInWorker(path: string, reader: TableReader): Promise<void> {
  let problem: string | null = null;
  await runInWorker({ read: path }, (message, worker) => {
    if (message === "done") return true;
    if ("problem" in message) {
      problem = message.problem;
      return true;
    }
    for (const [table, id, text] of message.records) reader.load(table, id, text);
    // All messages that have arrived are handled in one turn, so the next one must not arrive in this turn.
    afterTick(() => worker.postMessage("next"));
    return false;
  });
  if (problem !== null) throw new DamagedDocument(problem);
}
