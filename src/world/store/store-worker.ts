/** Runs in a worker thread what would make the main thread wait for large files. */
import { parentPort, workerData } from "node:worker_threads";
import { DamagedDocument, readInOnePiece } from "./document.js";
import { type FoldedFiles, foldFiles } from "./fold.js";

export type StoreTask = { fold: string; files: FoldedFiles } | { read: string };

type Loaded = readonly [table: string, id: string, text: string | null];
/** Sent to the main thread: `done` after a fold; for a document, its records in batches, and then its problem or null. */
export type StoreMessage = "done" | { records: readonly Loaded[] } | { problem: string | null };

/** Number of characters from which a batch is complete. */
const batchLength = 64 * 1024;

const task = workerData as StoreTask;
if ("fold" in task) {
  await foldFiles(task.fold, task.files);
  post("done");
} else {
  const messages = await readBatches(task.read);
  // The main thread asks for each batch, so that it has time for others between two.
  parentPort?.on("message", () => {
    const message = messages.shift();
    if (message) post(message);
  });
}

function post(message: StoreMessage): void {
  parentPort?.postMessage(message);
}

async function readBatches(path: string): Promise<StoreMessage[]> {
  const messages: StoreMessage[] = [];
  let records: Loaded[] = [];
  let length = 0;
  const load = (...loaded: Loaded) => {
    if (length >= batchLength) {
      messages.push({ records });
      [records, length] = [[], 0];
    }
    records.push(loaded);
    length += loaded[2]?.length ?? 0;
  };
  try {
    await readInOnePiece(path, { load });
    return [...messages, { records }, { problem: null }];
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    return [{ problem: error.message }];
  }
}
