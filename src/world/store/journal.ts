/**
 * An account's journal: a line per commit, `[[table,id,record],…,checksum]`. A long commit has several lines, all but the
 * last of which begin with `"+"`. A change of the table `*` deletes everything. The first line, `["continues",3,checksum]`,
 * says which version of the document the journal continues. The first journal of an account has none.
 */
import { readFileSync, statSync } from "node:fs";
import type { TableReader } from "./document.js";
import { DamagedLine, type FileEnd, readSealedLines, seal } from "./lines.js";
import type { Change } from "./state.js";
import { replaceFile } from "./sync.js";

/** First element of a line that is continued in the next. */
const continued = "+";
/** First element of the line with which a journal begins unless it is the first of its account. */
const continues = "continues";
/** Maximum length of that line in bytes. */
const maxFirstLineLength = 64;
/** Length in characters from which a commit is continued on another line. */
const maxLineLength = 64 * 1024;

/** Yields the lines of a commit before they are sealed: a single one, unless the commit is long. */
export function* commitLines(changes: Iterable<Change>): Generator<string> {
  let line = "";
  for (const change of changes) {
    if (line.length >= maxLineLength) {
      yield `["${continued}"${line}]\n`;
      line = "";
    }
    line += `,["${change[0]}",${JSON.stringify(change[1])},${change[2] ?? "null"}]`;
  }
  yield `[${line.slice(1)}]\n`;
}

/** The end of a journal that was read, and its place among the versions of the document. */
export interface JournalEnd extends FileEnd {
  /** Version of the document that the journal continues. */
  generation: number;
  /** Version of the document that the next journal continues, or null if this one does not say. */
  next: number | null;
  /** Whether the document contains the journal already. It was not applied then. */
  isFolded: boolean;
}

/**
 * Applies the commits of a journal as they are read. `document` is the version of the document that the journal must
 * continue, or null if it is not known. If the last commit is incomplete, calls `onCutOff` with whether part of it has been
 * applied. Throws a DamagedLine.
 */
export async function readJournal(
  path: string,
  document: number | null,
  reader: TableReader,
  onCutOff: (line: number, length: number, isApplied: boolean) => void,
): Promise<JournalEnd> {
  let [isFirst, isBegun, isFolded] = [true, false, false];
  let generation = document ?? 0;
  let next: number | null = null;
  const take = (entry: unknown[]) => {
    if (isFirst) {
      isFirst = false;
      if (entry[0] === continues) {
        generation = Number(entry[1]);
        next = generation + 1;
        if (document !== null && generation > document)
          throw new DamagedLine(
            1,
            `continues version ${generation} of the document, which has version ${document}`,
          );
      }
      // A journal without a first line of this kind is the first of its account, or replaces everything.
      const continuedVersion = next === null && !replacesAll(entry) ? 0 : generation;
      isFolded = document !== null && continuedVersion < document;
      if (next !== null) return true;
    }
    if (isFolded) return true;
    const applied = applyEntry(entry, reader);
    isBegun = applied === "begun";
    return isBegun ? "begun" : applied !== null;
  };
  const end = await readSealedLines(path, take, (line, length) => {
    if (!isFirst || !document) onCutOff(line, length, isBegun);
  });
  // A journal that continues a document is never created without its first line.
  if (isFirst && document) throw new DamagedLine(1, "was removed");
  return {
    ...end,
    ...(isFolded ? { generation: document ?? 0, next: document } : { generation, next }),
    isFolded,
  };
}

/** Returns whether a journal with this first entry deletes everything that was there before. */
const replacesAll = (entry: unknown[]): boolean => entry.find(isChange)?.[0] === "*";

/** Returns whether a journal has no commits, but only the line that says which version of the document it continues. */
export function isJustBegun(path: string): boolean {
  const { size } = statSync(path);
  if (size > maxFirstLineLength) return false;
  const text = readFileSync(path, "latin1");
  return text.startsWith(`["${continues}",`) && text.indexOf("\n") === size - 1;
}

/** Starts a journal that continues this version of the document. `put` puts the file in place. Returns its end. */
export function startJournal(path: string, generation: number, isSynced: boolean, put?: () => void): FileEnd {
  const { bytes, checksum } = seal([`["${continues}",${generation}]\n`], 0);
  replaceFile(path, bytes, isSynced, put);
  return { length: bytes.length, checksum };
}

/**
 * Applies the changes of one line. Returns `begun` if the commit goes on in the next line, and null for an invalid line.
 */
export function applyEntry(entry: unknown, reader: TableReader): "begun" | "whole" | null {
  if (!Array.isArray(entry)) return null;
  const isContinued = entry[0] === continued;
  const changes: unknown[] = isContinued ? entry.slice(1) : entry;
  if (!changes.every(isChange)) return null;
  for (const [table, id, record] of changes) {
    if (table === "*") reader.clear();
    else reader.load(table, id, record === null ? null : JSON.stringify(record));
  }
  return isContinued ? "begun" : "whole";
}

const isChange = (value: unknown): value is [table: string, id: string, record: unknown] =>
  Array.isArray(value) && value.length === 3;
