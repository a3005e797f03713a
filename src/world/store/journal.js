// @ts-check
/**
 * An account's journal: a line per commit, `[[table,id,record],…,checksum]`. A long commit has several lines, all but the
 * last of which begin with `"+"`. A change of the table `*` deletes everything.
 */
import { readSealedLines } from "./lines.js";

/** @typedef {import("./document.js").TableReader} TableReader */

/** First element of a line that is continued in the next. */
export const continued = "+";

/**
 * Applies the commits of a journal as they are read. If the last commit is incomplete, calls `onCutOff` with whether part
 * of it has been applied.
 * @param {string} path
 * @param {TableReader} reader
 * @param {(line: number, length: number, isApplied: boolean) => void} onCutOff
 */
export function readJournal(path, reader, onCutOff) {
  let isBegun = false;
  return readSealedLines(
    path,
    (entry) => {
      const applied = applyEntry(entry, reader);
      if (applied === null) return false;
      isBegun = applied === "begun";
      return isBegun ? "begun" : true;
    },
    (line, length) => onCutOff(line, length, isBegun),
  );
}

/**
 * Applies the changes of one line. Returns `begun` if the commit goes on in the next line, and null for an invalid line.
 * @param {unknown} entry
 * @param {TableReader} reader
 * @returns {"begun" | "whole" | null}
 */
export function applyEntry(entry, reader) {
  if (!Array.isArray(entry)) return null;
  const isContinued = entry[0] === continued;
  const changes = isContinued ? entry.slice(1) : entry;
  if (!changes.every(isChange)) return null;
  for (const [table, id, record] of changes) {
    if (table === "*") reader.clear();
    else reader.load(table, id, record === null ? null : JSON.stringify(record));
  }
  return isContinued ? "begun" : "whole";
}

/** @type {(value: unknown) => value is [table: string, id: string, record: unknown]} */
const isChange = (value) => Array.isArray(value) && value.length === 3;
