/** Reads an account's folder: the document, the journal that is being folded into it, and the journal since. */
import { existsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../contract/json.js";
import { readDocument } from "./document.js";
import { readInWorker } from "./foreign-document.js";
import { readJournal } from "./journal.js";
import { DamagedLine } from "./lines.js";
import type { State } from "./state.js";
import { StoreError } from "./store.js";
import { ownTable } from "./table.js";

export const documentFile = "state.json";
export const journalFile = "journal.ndjson";
/** Journal of a compaction that is in progress or was interrupted. It is read before the current one. */
export const foldingFile = "journal.folding.ndjson";

export const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** End of a file of lines: its length in bytes, and the checksum of its last line. */
export interface FileEnd {
  length: number;
  checksum: number;
}

/**
 * Fills the state and returns the end of the journal. Throws a StoreError with file and line if something is damaged.
 * `check` throws if this process may not write to the folder.
 */
export async function readAccount(
  folder: string,
  state: State,
  warn: (message: string) => void,
  check = () => {},
): Promise<FileEnd> {
  for (;;) {
    const document = join(folder, documentFile);
    const problem = existsSync(document) ? await readDocument(document, state, readInWorker) : null;
    if (problem !== null) throw damaged(folder, documentFile, "is damaged", problem);
    const folding = await readWhole(folder, foldingFile, state, warn, check);
    const end = folding && (await readWhole(folder, journalFile, state, warn, check));
    if (end) {
      if (existsSync(document) || state.recordCount > 0) checkOwnRecords(folder, state);
      return end;
    }
    state.clear();
  }
}

/** Records that the first line of every account contains. */
const ownRecords = ["identity", "settings", "wallet"];

/** Throws a StoreError if the account's own records are missing, as when its document was removed or emptied. */
function checkOwnRecords(folder: string, state: State): void {
  const missing = ownRecords.filter((id) => !isObject(state.get(ownTable, id)));
  if (missing.length > 0)
    throw damaged(folder, documentFile, "was removed or is incomplete", `no ${missing.join(", no ")}`);
}

const advice = "repair it, or move this account's folder away to start it afresh";

/** Returns the error of a file in an account's folder. Its message for clients lacks the folder and the details. */
const damaged = (folder: string, file: string, problem: string, details = ""): StoreError =>
  new StoreError(
    `${join(folder, file)} ${problem}${details && ` (${details})`}; ${advice}`,
    `${file} of this account ${problem}; ${advice}`,
  );

/** Reads a journal and drops a commit that was cut off. Returns null if part of that commit has already been applied. */
async function readWhole(
  folder: string,
  name: string,
  state: State,
  warn: (message: string) => void,
  check: () => void,
): Promise<FileEnd | null> {
  const file = join(folder, name);
  if (!existsSync(file)) return { length: 0, checksum: 0 };
  let isSpoilt = false;
  try {
    const end = await readJournal(file, state, (line, length, isApplied) => {
      check();
      warn(`${file}, line ${line}, was cut off while it was written and is dropped`);
      truncateSync(file, length);
      isSpoilt = isApplied;
    });
    return isSpoilt ? null : end;
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    throw damaged(folder, `${name}, line ${error.line},`, error.message);
  }
}
