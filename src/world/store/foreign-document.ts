/** Reads documents that were not written by lines in a worker thread, because they are parsed in one piece. */
import { Worker } from "node:worker_threads";
import { afterTick } from "../../time/time.js";
import type { TableReader } from "./document.js";
import type { DocumentMessage } from "./document-reader.js";

/** Fills the reader. Returns a description of the document's damage, or null if there is none. */
export function readInWorker(path: string, reader: TableReader): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./document-reader.js", import.meta.url), { workerData: path });
    const askForNext = () => worker.postMessage(null);
    worker.on("message", (message: DocumentMessage) => {
      if ("problem" in message) {
        resolve(message.problem);
        void worker.terminate();
        return;
      }
      for (const [table, id, text] of message.records) reader.load(table, id, text);
      // All messages that have arrived are handled in one turn, so the next one must not arrive in this turn.
      afterTick(askForNext);
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread that reads ${path} ended with code ${code}`)));
    askForNext();
  });
}
