/** Starts the worker that folds one account's journal into its document. */
import { Worker } from "node:worker_threads";
import { documentFile, foldingFile } from "./account-files.js";

export function foldJournal(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./compactor.js", import.meta.url), {
      workerData: { folder, document: documentFile, folding: foldingFile },
    });
    worker.once("message", () => resolve());
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the compactor ended with code ${code}`)));
  });
}
