/** Reads an account's folder: the document, the journal that is being folded into it, and the journal since. */
import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../contract/json.js";
import { documentFile, foldingFile, journalFile } from "./account-files.js";
import { DamagedDocument, readDocument } from "./document.js";
import { type JournalEnd, readJournal, startJournal } from "./journal.js";
import { DamagedLine, emptyFile, type FileEnd } from "./lines.js";
import type { State } from "./state.js";
import { StoreError } from "./store.js";
import { ownTable } from "./table.js";

export interface AccountReading {
  folder: string;
  state: State;
  /** Whether a new journal must be on the disk before it is used. */
  isSynced: boolean;
  warn(message: string): void;
  /** Throws if this process may not write to the folder. */
  check(): void;
}

/** The end of an account's journal, and the version of the document that it continues. */
export type AccountEnd = FileEnd & Pick<JournalEnd, "generation">;

/** Fills the state. Throws a StoreError with file and line if something is damaged. */
export async function readAccount(reading: AccountReading): Promise<AccountEnd> {
  for (;;) {
    const end = await readFiles(reading);
    if (end) return end;
    reading.state.clear();
  }
}

/** Returns null if part of a commit that was cut off has been applied, so that everything must be read again. */
async function readFiles(reading: AccountReading): Promise<AccountEnd | null> {
  const { folder, state } = reading;
  const document = join(folder, documentFile);
  const known = existsSync(document) ? await readSealed(reading) : null;
  const folding = existsSync(join(folder, foldingFile))
    ? await readWhole(reading, foldingFile, known)
    : undefined;
  if (folding === null) return null;
  const next = folding ? folding.next : known;
  const journal = existsSync(join(folder, journalFile))
    ? await readWhole(reading, journalFile, next)
    : undefined;
  if (journal === null) return null;
  const isApplied = folding !== undefined && !folding.isFolded;
  if (journal === undefined && known !== null && !isApplied)
    throw damaged(folder, journalFile, "was removed");
  if (existsSync(document) || state.recordCount > 0) checkOwnRecords(folder, state);
  if (journal && !journal.isFolded) return journal;
  if (journal === undefined && !isApplied) return { ...emptyFile, generation: 0 };
  // The process ended before it had started the journal that continues what is there.
  const generation = journal?.generation ?? folding?.next ?? 1;
  reading.check();
  return { ...startJournal(join(folder, journalFile), generation, reading.isSynced), generation };
}

async function readSealed({ folder, state }: AccountReading): Promise<number | null> {
  try {
    return await readDocument(join(folder, documentFile), state);
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    throw damaged(folder, documentFile, "is damaged", error.message);
  }
}

/** Reads a journal and drops a commit that was cut off. Returns null if part of that commit has already been applied. */
async function readWhole(
  { folder, state, warn, check }: AccountReading,
  name: string,
  document: number | null,
): Promise<JournalEnd | null> {
  const file = join(folder, name);
  let isSpoilt = false;
  try {
    const end = await readJournal(file, document, state, (line, length, isApplied) => {
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
