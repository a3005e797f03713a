/** Reads an account's folder: the document, and the commits of the journal since. */
import { existsSync, truncateSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inTurns } from "../../time/turns.js";
import { DamagedDocument, openDocument } from "./document.js";
import {
  applyJournal,
  DamagedLine,
  type DocumentPlace,
  formatHead,
  type JournalEnd,
  type TableReader,
} from "./journal.js";
import { StoreError } from "./store.js";
import { replaceFile } from "./sync.js";
import { ownTable } from "./table.js";

export const documentFile = "state.json";
export const journalFile = "journal.ndjson";

export interface AccountReading {
  folder: string;
  reader: TableReader;
  /** Length in bytes of the part of the journal that is read. Default: all of it. */
  length?: number | undefined;
  warn(message: string): void;
  /** Throws if this process may not write to the folder. */
  check(): void;
}

/** End of the journal of an account that was read. */
export type AccountEnd = Pick<JournalEnd, "incarnation" | "sequence" | "due" | "length">;

/**
 * Hands everything that is stored to the reader, and drops a commit that was cut off. Returns null if the folder holds no
 * account: a process may have ended before it completed the first line. Throws a StoreError with file and line if something
 * is damaged.
 */
export async function readAccount(reading: AccountReading): Promise<AccountEnd | null> {
  const { folder, reader } = reading;
  const document = await readDocument(folder);
  const records = ownRecordsReader(reader);
  for (const [table, rows] of document?.tables ?? [])
    for (const [id, text] of rows) records.load(table, id, text);
  const end = await readJournal({ ...reading, reader: records }, document);
  if (!document && !end) return null;
  const isMissing = document ? document.incarnation === "" : end?.continues;
  const missing = ownRecords.filter((id) => !records.found.has(id));
  if (isMissing) missing.push("incarnation");
  if (missing.length > 0)
    throw damaged(folder, documentFile, "was removed or is incomplete", `no ${missing.join(", no ")}`);
  if (!document) return end;
  if (!end) throw damaged(folder, journalFile, "was removed");
  return end.sequence < document.sequence ? restartJournal(reading, document) : end;
}

/** Restarts a journal that ends before its document: a power failure may have lost lines that the document contains. */
function restartJournal({ folder, check }: AccountReading, place: DocumentPlace): AccountEnd {
  const { incarnation, sequence } = place;
  check();
  // The account counts as due, because its due time may be lost.
  const head = formatHead(incarnation, sequence, 0);
  replaceFile(join(folder, journalFile), head, true);
  return { incarnation, sequence, due: 0, length: head.length };
}

async function readDocument(folder: string) {
  const path = join(folder, documentFile);
  if (!existsSync(path)) return null;
  const database = openDocument(path);
  try {
    await database.read();
    return database.data;
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    throw damaged(folder, documentFile, "is damaged", error.message);
  }
}

async function readJournal(
  { folder, reader, length, warn, check }: AccountReading,
  document: Awaited<ReturnType<typeof readDocument>>,
): Promise<JournalEnd | null> {
  const path = join(folder, journalFile);
  if (!existsSync(path)) return null;
  const place = document && document.incarnation !== "" ? document : null;
  const bytes = (await readFile(path)).subarray(0, length);
  try {
    const end = await inTurns(applyJournal(bytes, place, reader));
    // A journal that continues a document is never created without its first line.
    if (!end && document) throw new DamagedLine(1, "was removed");
    if (end ? end.cutOff !== null : bytes.length > 0) {
      check();
      warn(`${path}, line ${end?.cutOff ?? 1}, was cut off while it was written and is dropped`);
      truncateSync(path, end?.length ?? 0);
    }
    return end;
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    throw damaged(folder, `${journalFile}, line ${error.line},`, error.message);
  }
}

/** Records that the first line of every account contains. */
const ownRecords = ["identity", "settings", "wallet"];

/** Returns a reader that also collects the ids of the account's own records. */
function ownRecordsReader(reader: TableReader): TableReader & { found: Set<string> } {
  const found = new Set<string>();
  return {
    found,
    load(table, id, text) {
      if (table === ownTable.name && text?.startsWith("{")) found.add(id);
      reader.load(table, id, text);
    },
    clear() {
      found.clear();
      reader.clear();
    },
  };
}

const advice = "repair it, or move this account's folder away to start it afresh";

/** Returns the error of a file in an account's folder. Its message for clients lacks the folder and the details. */
export const damaged = (folder: string, file: string, problem: string, details = ""): StoreError =>
  new StoreError(
    `${join(folder, file)} ${problem}${details && ` (${details})`}; ${advice}`,
    `${file} of this account ${problem}; ${advice}`,
  );
