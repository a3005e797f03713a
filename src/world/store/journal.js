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
      const isContinued = entry[0] === continued;
      if (isContinued) entry.shift();
      if (!entry.every(isChange)) return false;
      for (const [table, id, record] of entry) {
        if (table === "*") reader.clear();
        else reader.load(table, id, record === null ? null : JSON.stringify(record));
      }
      isBegun = isContinued;
      return isContinued ? "begun" : true;
    },
    (line, length) => onCutOff(line, length, isBegun),
  );
}

/** @type {(value: unknown) => value is [table: string, id: string, record: unknown]} */
const isChange = (value) => Array.isArray(value) && value.length === 3;
