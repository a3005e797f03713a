// @ts-check
/** An account's journal: a line per commit, `[[table,id,record],…,checksum]`. The table `*` stands for all that was there. */
import { readSealedLines } from "./lines.js";

/** @typedef {import("./document.js").TableReader} TableReader */

/**
 * Applies the commits of a journal.
 * @param {string} path
 * @param {TableReader} reader
 * @param {(line: number, length: number) => void} onCutOff
 */
export const readJournal = (path, reader, onCutOff) =>
  readSealedLines(
    path,
    (entry) => {
      if (!entry.every(isChange)) return false;
      for (const [table, id, record] of entry) {
        if (table === "*") reader.clear();
        else reader.load(table, id, record === null ? null : JSON.stringify(record));
      }
      return true;
    },
    onCutOff,
  );

/** @type {(value: unknown) => value is [table: string, id: string, record: unknown]} */
const isChange = (value) => Array.isArray(value) && value.length === 3;
