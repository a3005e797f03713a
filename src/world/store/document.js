// @ts-check
/**
 * An account's document `state.json`: a JSON object of tables, `{"table":{"id":record}}`, with one record per line. It is
 * written and read by lines, so that its size is not limited by that of a string. JavaScript, because the worker thread
 * that folds journals uses it.
 */
import { open } from "node:fs/promises";
import { readLines } from "./lines.js";

/** Receives tables: the state of an account, or a copy of it. */
/** @typedef {{ load(table: string, id: string, text: string | null): void, clear(): void }} TableReader */

/** Number of characters written at a time. */
const chunkLength = 1024 * 1024;

/**
 * Writes the tables, whose records are JSON texts, and waits until they are on the disk.
 * @param {string} path
 * @param {Iterable<[table: string, rows: Iterable<[id: string, text: string | null]>]>} tables
 */
export async function writeDocument(path, tables) {
  const file = await open(path, "w", 0o600);
  try {
    let text = "{";
    let comma = "";
    for (const [table, rows] of tables) {
      text += `${comma}\n  ${JSON.stringify(table)}: {`;
      comma = "";
      for (const [id, record] of rows) {
        if (record === null) continue;
        text += `${comma}\n    ${JSON.stringify(id)}: ${record}`;
        comma = ",";
        if (text.length < chunkLength) continue;
        await file.appendFile(text);
        text = "";
      }
      text += "\n  }";
      comma = ",";
    }
    await file.appendFile(`${text}\n}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads a document. Returns a description of its damage, or null if there is none. A document that was written by an
 * earlier version, or edited by hand, is not written by lines. `readOther` reads those.
 * @param {string} path
 * @param {TableReader} reader
 * @param {(path: string, reader: TableReader) => Promise<string | null>} readOther
 * @returns {Promise<string | null>}
 */
export async function readDocument(path, reader, readOther = readInOnePiece) {
  if (await readByLines(path, reader)) return null;
  reader.clear();
  return readOther(path, reader);
}

/**
 * Reads a document of any format, which takes as long as parsing all of it. Returns a description of its damage, or null.
 * @param {string} path
 * @param {Pick<TableReader, "load">} reader
 * @returns {Promise<string | null>}
 */
export async function readInOnePiece(path, reader) {
  const { JSONFile } = await import("lowdb/node");
  let tables;
  try {
    // lowdb's preset would keep everything in memory if NODE_ENV is test.
    tables = await new JSONFile(path).read();
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
  if (!isObject(tables) || !Object.values(tables).every(isObject)) return "it holds no tables";
  for (const [table, records] of Object.entries(tables))
    for (const [id, record] of Object.entries(Object(records)))
      reader.load(table, id, JSON.stringify(record));
  return null;
}

/** How a document that was written by lines begins: with the name of a table on the second line. */
const start = '{\n  "';

const tableForm = /^ {2}("(?:[^"\\]|\\.)*"): \{$/;
const recordForm = /^ {4}("(?:[^"\\]|\\.)*"): /;

/**
 * Returns false for a document that was not written by lines.
 * @param {string} path
 * @param {TableReader} reader
 */
async function readByLines(path, reader) {
  // The whole document may be a single line, which would be read to its end.
  if (!(await beginsWith(path, start))) return false;
  /** @type {string | null} */
  let table = null;
  let last = "";
  for await (const lines of readLines(path)) {
    for (const { line } of lines) {
      const text = line.toString("utf8");
      const found = table === null ? null : recordForm.exec(text);
      if (table !== null && found) {
        const record = text.slice(found[0].length, text.endsWith(",") ? -1 : undefined);
        if (!isJson(record)) return false;
        reader.load(table, JSON.parse(/** @type {string} */ (found[1])), record);
      } else if (tableForm.test(text)) table = JSON.parse(/** @type {string} */ (tableForm.exec(text)?.[1]));
      else if (text === "  }" || text === "  },") table = null;
      else if (text !== "{" && text !== "}") return false;
      last = text;
    }
  }
  return last === "}";
}

/**
 * @param {string} path
 * @param {string} text
 */
async function beginsWith(path, text) {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(text.length) });
    return buffer.toString("latin1", 0, bytesRead) === text;
  } finally {
    await file.close();
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @type {(value: unknown) => value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
