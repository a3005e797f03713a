/** Reads an account's folder: the document, the journal that is being folded into it, and the journal since. */
import { existsSync, statSync, truncateSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../json.js";
import type { State, Tables } from "./state.js";
import { StoreError } from "./store.js";

export const documentFile = "state.json";
export const journalFile = "journal.ndjson";
/** The journal of a compaction that is under way, or was cut off: read before the current one. */
export const foldingFile = "journal.folding.ndjson";

export const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** Fills the state; throws a StoreError that names file and line where something is damaged. */
export async function readAccount(
  folder: string,
  state: State,
  warn: (message: string) => void,
): Promise<void> {
  await readDocument(join(folder, documentFile), state);
  for (const name of [foldingFile, journalFile]) await readJournal(join(folder, name), state, warn);
}

async function readDocument(file: string, state: State): Promise<void> {
  if (!existsSync(file)) return;
  const { JSONFile } = await import("lowdb/node");
  let tables: unknown;
  try {
    // Not the preset: it keeps everything in memory where NODE_ENV is test.
    tables = await new JSONFile(file).read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new StoreError(`${file} is damaged (${error.message}); ${advice}`);
  }
  if (!isTables(tables)) throw new StoreError(`${file} is damaged (it holds no tables); ${advice}`);
  for (const [table, records] of Object.entries(tables)) {
    for (const [id, record] of Object.entries(records)) state.load(table, id, JSON.stringify(record));
  }
}

const isTables = (value: unknown): value is Tables => isObject(value) && Object.values(value).every(isObject);

const advice = "mend it, or move this account's folder away to start it afresh";

async function readJournal(file: string, state: State, warn: (message: string) => void): Promise<void> {
  if (!existsSync(file)) return;
  const bytes = await readFile(file);
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    const last = end === -1 || end === bytes.length - 1;
    const changes = end === -1 ? null : parseLine(bytes.toString("utf8", start, end));
    if (changes === null) {
      if (!last) throw new StoreError(`${file}, line ${line}, is damaged; ${advice}`);
      warn(`${file}, line ${line}, was cut off while it was written and is dropped`);
      truncateSync(file, start);
      return;
    }
    for (const [table, id, record] of changes) {
      if (table === "*") state.clear();
      else state.load(table, id, record === null ? null : JSON.stringify(record));
    }
    start = end + 1;
  }
}

function parseLine(text: string): [string, string, unknown][] | null {
  try {
    const changes: unknown = JSON.parse(text);
    return Array.isArray(changes) && changes.every((change) => Array.isArray(change) && change.length === 3)
      ? (changes as [string, string, unknown][])
      : null;
  } catch {
    return null;
  }
}
