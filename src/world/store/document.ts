/**
 * An account's document `state.json`: a JSON object of tables, `{"table":{"id":record}}`, with one record per line, behind
 * four members: a checksum of all that follows, and the place in the account's history that the document holds. A person who
 * edits it removes the checksum. It is read and written through lowdb.
 */
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { type Adapter, Low } from "lowdb";
import { isObject } from "../../contract/json.js";
import { decodeText } from "../../contract/read-file.js";
import { Turns } from "../../time/turns.js";
import { type DocumentPlace, formatChecksum, type TableTexts } from "./journal.js";
import { syncFolders } from "./sync.js";

export interface AccountDocument extends DocumentPlace {
  tables: TableTexts;
}

/** Thrown when a document differs from what was written. */
export class DamagedDocument extends Error {}

/** Number of characters written at a time. */
const chunkLength = 256 * 1024;
const checksumName = "checksum";
const start = `{\n  "${checksumName}": "`;
const startForm = new RegExp(`^${start.replace("{", "\\{")}([0-9a-f]{8})"`);
const changed = `it was changed; if that was on purpose, remove its member "${checksumName}"`;
/** Matches ids that a JavaScript object would list before all others. */
const integerForm = /^\d+$/;

/** Opens the document. `check` is called for each chunk that is written, and throws to leave the old document in place. */
export const openDocument = (path: string, check = () => {}): Low<AccountDocument> =>
  new Low(new DocumentFile(path, check), { incarnation: "", sequence: 0, tables: new Map() });

class DocumentFile implements Adapter<AccountDocument> {
  constructor(
    readonly path: string,
    readonly check: () => void,
  ) {}

  /** Returns null if there is no document. Throws a DamagedDocument. */
  async read(): Promise<AccountDocument | null> {
    const bytes = await readFile(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return null;
    });
    return bytes && parseDocument(bytes);
  }

  /** Puts the document in the place of the old one, in one step, once the disk has it. */
  async write({ incarnation, sequence, tables }: AccountDocument): Promise<void> {
    const next = `${this.path}.new`;
    const file = await open(next, "w", 0o600);
    try {
      let checksum = 0;
      await file.appendFile(`${start}${formatChecksum(0)}"`);
      const members = { incarnation, sequence };
      for (const chunk of inChunks(formatMembers(members, tables))) {
        this.check();
        checksum = crc32(chunk, checksum);
        await file.appendFile(chunk);
      }
      await file.write(formatChecksum(checksum), start.length);
      await file.sync();
      this.check();
    } catch (error) {
      await file.close();
      await rm(next, { force: true });
      throw error;
    }
    await file.close();
    await rename(next, this.path);
    await syncFolders([dirname(this.path)]);
  }
}

/** Yields everything after the checksum, in parts. */
function* formatMembers(members: DocumentPlace, tables: TableTexts): Generator<string> {
  for (const [name, value] of Object.entries(members)) yield `,\n  "${name}": ${JSON.stringify(value)}`;
  for (const [table, rows] of tables) {
    // An array keeps the order of ids that an object would sort.
    const isArray = [...rows.keys()].some((id) => integerForm.test(id));
    yield `,\n  ${JSON.stringify(table)}: ${isArray ? "[" : "{"}`;
    let comma = "";
    for (const [id, record] of rows) {
      const key = JSON.stringify(id);
      yield isArray ? `${comma}\n    [${key}, ${record}]` : `${comma}\n    ${key}: ${record}`;
      comma = ",";
    }
    yield isArray ? "\n  ]" : "\n  }";
  }
  yield "\n}\n";
}

function* inChunks(parts: Iterable<string>): Generator<string> {
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < chunkLength) continue;
    yield text;
    text = "";
  }
  yield text;
}

async function parseDocument(bytes: Buffer): Promise<AccountDocument> {
  const [head = "", expected] = startForm.exec(bytes.toString("latin1", 0, start.length + 9)) ?? [];
  if (expected !== undefined && formatChecksum(crc32(bytes.subarray(head.length))) !== expected)
    throw new DamagedDocument(changed);
  let members: unknown;
  try {
    // Only a person writes a document without a checksum, with an editor that may put a byte order mark before it.
    members = JSON.parse(expected === undefined ? decodeText(bytes) : bytes.toString("utf8"));
  } catch (error) {
    throw new DamagedDocument((error as Error).message);
  }
  if (!isObject(members)) throw new DamagedDocument("it holds no tables");
  const { checksum, incarnation = "", sequence = 0, ...rows } = members as Record<string, unknown>;
  if (checksum !== expected) throw new DamagedDocument(changed);
  if (typeof incarnation !== "string" || !Number.isInteger(sequence) || !Object.values(rows).every(isTable))
    throw new DamagedDocument("it holds no tables");
  const tables: TableTexts = new Map();
  const turns = new Turns();
  for (const [table, records] of Object.entries(rows as Record<string, object>)) {
    const texts = new Map<string, string>();
    for (const [id, record] of Array.isArray(records) ? records : Object.entries(records)) {
      texts.set(id, JSON.stringify(record));
      const over = turns.step();
      if (over) await over;
    }
    tables.set(table, texts);
  }
  return { incarnation, sequence: sequence as number, tables };
}

const isTable = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((row) => Array.isArray(row) && row.length === 2 && typeof row[0] === "string")
    : isObject(value);
