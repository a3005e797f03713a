/**
 * An account's document `state.json`: a JSON object of tables, `{"table":{"id":record}}`, with one record per line. It is
 * written and read by lines, so that the longest string does not limit its size. Its first member holds its version, which
 * counts how often journals were folded into it, and a checksum: without that member, a person may edit the document.
 */
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { isObject, parseJson } from "../../contract/json.js";
import { readLines } from "./lines.js";

/** Receives tables: the state of an account, or a copy of it. */
export interface TableReader {
  load(table: string, id: string, text: string | null): void;
  clear(): void;
}

/** A table and its records, which are JSON texts. */
export type DocumentTable = readonly [
  table: string,
  rows: Iterable<readonly [id: string, text: string | null]>,
];

/** Number of characters written at a time. */
const chunkLength = 1024 * 1024;

/** A document differs from what was written. */
export class DamagedDocument extends Error {}

/** Name of the member with the version of the document and the checksum of all that follows. */
const sealName = "sealed";
const sealForm = new RegExp(`^ {2}"${sealName}": "(\\d+) ([0-9a-f]{8})"(,?)$`);
const changed = `it was changed; if that was on purpose, remove its member "${sealName}"`;

const toHex = (checksum: number): string => checksum.toString(16).padStart(8, "0");

/** Writes the tables and waits until they are on the disk. `generation` is the version of the document. */
export async function writeDocument(
  path: string,
  generation: number,
  tables: Iterable<DocumentTable>,
): Promise<void> {
  const file = await open(path, "w", 0o600);
  const head = `{\n  "${sealName}": "${generation} `;
  let checksum = crc32(String(generation));
  let text = "";
  const write = async () => {
    checksum = crc32(text, checksum);
    await file.appendFile(text);
    text = "";
  };
  try {
    await file.appendFile(`${head}${toHex(0)}"`);
    for (const [table, rows] of tables) {
      text += `,\n  ${JSON.stringify(table)}: {`;
      let comma = "";
      for (const [id, record] of rows) {
        if (record === null) continue;
        text += `${comma}\n    ${JSON.stringify(id)}: ${record}`;
        comma = ",";
        if (text.length >= chunkLength) await write();
      }
      text += "\n  }";
    }
    text += "\n}\n";
    await write();
    await file.write(toHex(checksum), head.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads a document and returns its version, or null if it has none: then it was written by an earlier version, or edited by
 * hand, and may not be written by lines. Throws a DamagedDocument.
 */
export async function readDocument(path: string, reader: TableReader): Promise<number | null> {
  const read = await readByLines(path, reader);
  if (read) return read.generation;
  reader.clear();
  await readInOnePiece(path, reader);
  return null;
}

/** Reads a document of any format, which takes as long as parsing all of it. */
async function readInOnePiece(path: string, reader: TableReader): Promise<void> {
  const { JSONFile } = await import("lowdb/node");
  let tables: unknown;
  try {
    // lowdb's preset would keep everything in memory if NODE_ENV is test.
    tables = await new JSONFile(path).read();
  } catch (error) {
    throw error instanceof SyntaxError ? new DamagedDocument(error.message) : error;
  }
  if (!isObject(tables) || !Object.values(tables).every(isObject))
    throw new DamagedDocument(isObject(tables) && sealName in tables ? changed : "it holds no tables");
  for (const [table, records] of Object.entries(tables))
    for (const [id, record] of Object.entries(records as object))
      reader.load(table, id, JSON.stringify(record));
}

/** How a document that was written by lines begins: with the name of a member on the second line. */
const start = '{\n  "';

const tableForm = /^ {2}("(?:[^"\\]|\\.)*"): \{$/;
const recordForm = /^ {4}("(?:[^"\\]|\\.)*"): /;

/** Returns the document's version. Returns null instead if it was not written by lines. */
async function readByLines(path: string, reader: TableReader): Promise<{ generation: number | null } | null> {
  // The whole document may be a single line, which would be read to its end.
  if (!(await beginsWith(path, start))) return null;
  const lines = new DocumentLines(reader);
  for await (const chunk of readLines(path)) {
    for (const { line } of chunk) {
      if (lines.take(line)) continue;
      if (lines.generation === null) return null;
      throw new DamagedDocument(changed);
    }
  }
  if (!lines.isComplete && lines.generation === null) return null;
  if (!lines.isComplete) throw new DamagedDocument(changed);
  return lines;
}

class DocumentLines {
  /** Version of the document, or null if it is not sealed. */
  generation: number | null = null;
  /** Checksum that the document must have. */
  #expected = "";
  #checksum = 0;
  #table: string | null = null;
  #count = 0;
  #last = "";

  constructor(readonly reader: TableReader) {}

  get isComplete(): boolean {
    return this.#last === "}" && (this.generation === null || this.#expected === toHex(this.#checksum));
  }

  /** Takes the next line. Returns false if it has another form than the lines of a document. */
  take(line: Buffer): boolean {
    const text = line.toString("utf8");
    const seal = this.#count++ === 1 ? sealForm.exec(text) : null;
    if (seal) {
      const [, generation = "", expected = "", comma = ""] = seal;
      this.generation = Number(generation);
      this.#expected = expected;
      this.#checksum = crc32(`${comma}\n`, crc32(generation));
      return true;
    }
    if (this.generation !== null) this.#checksum = crc32("\n", crc32(line, this.#checksum));
    this.#last = text;
    if (this.#table !== null) {
      const [lead = "", id] = recordForm.exec(text) ?? [];
      if (id !== undefined)
        return this.#load(this.#table, id, text.slice(lead.length, text.endsWith(",") ? -1 : undefined));
    }
    const table = parseJson(tableForm.exec(text)?.[1]);
    if (typeof table === "string") this.#table = table;
    else if (text === "  }" || text === "  },") this.#table = null;
    else return text === "{" || text === "}";
    return true;
  }

  /** Loads a record. One of a document that may have been edited is written as the sandbox writes it. */
  #load(table: string, id: string, text: string): boolean {
    const key = parseJson(id);
    const record = this.generation === null ? JSON.stringify(parseJson(text)) : text;
    if (typeof key !== "string" || record === undefined) return false;
    this.reader.load(table, key, record);
    return true;
  }
}

async function beginsWith(path: string, text: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(text.length) });
    return buffer.toString("latin1", 0, bytesRead) === text;
  } finally {
    await file.close();
  }
}
