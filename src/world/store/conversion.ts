/**
 * Converts data folders of versions before 0.3. Their documents have a version, which counts how often journals were
 * folded into them; a journal says which version it continues, and the checksum of each line covers all lines before
 * it. The original accounts are kept beside the converted ones.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { parseObject } from "../../contract/json.js";
import { decodeText } from "../../contract/read-file.js";
import { randomHex } from "../../time/random.js";
import { openDocument } from "./document.js";
import { incarnationBytes } from "./file-log.js";
import {
  applyEntry,
  checksumOf,
  DamagedLine,
  formatHead,
  isChange,
  parseLine,
  readerInto,
  sealLength,
  type TableReader,
  type TableTexts,
} from "./journal.js";
import { documentFile, journalFile } from "./read-account.js";
import { convertedFolder } from "./storage-format.js";
import { StoreError } from "./store.js";
import { replaceFile, syncFoldersAtOnce } from "./sync.js";

/** Folder of the original accounts. */
const keptFolder = "accounts-0.2";
/** Journal that was being folded into the document. */
const foldingFile = "journal.folding.ndjson";
const sealForm = /^\{\n {2}"sealed": "(\d+) ([0-9a-f]{8})"/;

export interface FolderConversion {
  folder: string;
  /** Throws if this process does not own the folder any more. Called for each account. */
  check(): void;
  /** Writes the current format into the folder, so that earlier versions refuse it. */
  noteFormat(): void;
  warn(message: string): void;
}

/**
 * Converts every account, or completes a conversion that was interrupted. Until the format is written, no file that
 * earlier versions read is changed.
 */
export async function convertFolder({ folder, check, noteFormat, warn }: FolderConversion): Promise<void> {
  const [accounts, converted, kept] = ["accounts", convertedFolder, keptFolder].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const { format } = parseObject(decodeText(readFileSync(join(folder, "standin.json")))) ?? {};
  try {
    if (format === 1 || format === 2) {
      if (existsSync(kept))
        throw new Error(`${kept} has the accounts of an earlier conversion; move it away`);
      warn(
        `${folder} is converted to the format of this version; its accounts as they were are kept in ${kept}`,
      );
      rmSync(converted, { recursive: true, force: true });
      mkdirSync(converted, { mode: 0o700 });
      for (const id of readdirSync(accounts)) {
        check();
        await convertAccount(join(accounts, id), join(converted, id), warn);
      }
      syncFoldersAtOnce([converted, folder]);
      check();
      noteFormat();
    }
    if (existsSync(kept)) rmdirSync(accounts);
    else renameSync(accounts, kept);
    renameSync(converted, accounts);
    rmSync(join(folder, "due.ndjson"), { force: true });
    syncFoldersAtOnce([folder]);
  } catch (error) {
    const { message } = error as Error;
    throw new StoreError(
      `the data folder ${folder} cannot be converted to the format of this version (${message}); its accounts are as they were`,
    );
  }
}

/** Converts an account. A damaged one is copied as it is, so that its requests are refused. */
async function convertAccount(from: string, to: string, warn: (message: string) => void): Promise<void> {
  const tables: TableTexts = new Map();
  try {
    readTables(from, tables);
  } catch (error) {
    warn(`${from}: ${(error as Error).message}; this account is not converted, and its requests are refused`);
    return cpSync(from, to, { recursive: true });
  }
  // A process that ended before it completed the first line leaves a folder without an account.
  if (tables.size === 0) return;
  mkdirSync(to, { mode: 0o700 });
  const incarnation = randomHex(incarnationBytes);
  const document = openDocument(join(to, documentFile));
  document.data = { incarnation, sequence: 0, tables };
  await document.write();
  // An account with jobs counts as due, and is looked at once.
  const due = tables.get("jobs")?.size ? 0 : null;
  replaceFile(join(to, journalFile), formatHead(incarnation, 0, due), true);
  const requests = "requests.ndjson";
  if (existsSync(join(from, requests))) cpSync(join(from, requests), join(to, requests));
}

/** Reads document and journals. Throws if something is damaged. */
function readTables(folder: string, tables: TableTexts): void {
  const reader = readerInto(tables);
  const document = join(folder, documentFile);
  /** Version of the document that the next journal continues, or null if it is not known. */
  let known = existsSync(document) ? readSealed(document, reader) : null;
  let isApplied = false;
  for (const name of [foldingFile, journalFile]) {
    if (existsSync(join(folder, name))) {
      const journal = readJournal(join(folder, name), known, reader);
      known = journal.next;
      isApplied ||= !journal.isFolded;
    } else if (name === journalFile && known !== null && !isApplied)
      throw new Error(`${journalFile} was removed`);
  }
  const missing = ["identity", "settings", "wallet"].filter((id) => !tables.get("account")?.has(id));
  if (tables.size > 0 && missing.length > 0) throw new Error(`it has no ${missing.join(", no ")}`);
}

/** Returns the version of the document, or null if a person has edited it. */
function readSealed(path: string, reader: TableReader): number | null {
  const bytes = readFileSync(path);
  const [head = "", version, expected = ""] = sealForm.exec(bytes.toString("latin1", 0, 64)) ?? [];
  const isDamaged =
    version !== undefined &&
    crc32(bytes.subarray(head.length), crc32(version)) !== Number.parseInt(expected, 16);
  const { sealed, ...rows } = parseObject(bytes.toString("utf8")) ?? { account: null };
  if (isDamaged || (sealed !== undefined && version === undefined) || rows.account === null)
    throw new Error(`${documentFile} is damaged`);
  for (const [table, records] of Object.entries(rows as Record<string, object>))
    for (const [id, record] of Object.entries(records)) reader.load(table, id, JSON.stringify(record));
  return version === undefined ? null : Number(version);
}

/** Applies a journal, unless the document contains it. Returns the version that the next journal continues. */
function readJournal(
  path: string,
  document: number | null,
  reader: TableReader,
): { next: number | null; isFolded: boolean } {
  const text = readFileSync(path);
  const lines: Buffer[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    lines.push(text.subarray(start, end === -1 ? undefined : end));
    start = end === -1 ? text.length : end + 1;
  }
  let [checksum, isSealed, isFolded] = [0, false, false];
  let next: number | null = null;
  let begun: unknown[][] = [];
  for (const [i, line] of lines.entries()) {
    const isLast = i === lines.length - 1;
    const entry = isLast && text.at(-1) !== 10 ? null : parseLine(line);
    // A line that was cut off was never acknowledged.
    if (entry === null && isLast && (i > 0 || !document)) break;
    const own = checksumOf(line);
    const isRight = own === null ? !isSealed : own === crc32(line.subarray(0, -sealLength), checksum);
    if (entry === null || !isRight) throw new DamagedLine(i + 1, `${path}, line ${i + 1}, is damaged`);
    if (own !== null) {
      [checksum, isSealed] = [own, true];
      entry.pop();
    }
    if (i === 0) {
      const generation = entry[0] === "continues" ? Number(entry[1]) : null;
      if (generation !== null) next = generation + 1;
      if (document !== null && (generation ?? 0) > document)
        throw new DamagedLine(1, `${path} continues version ${generation} of ${documentFile}`);
      const replacesAll = entry.find(isChange)?.[0] === "*";
      const continued = generation ?? (replacesAll ? (document ?? 0) : 0);
      isFolded = document !== null && continued < document;
      if (generation !== null) continue;
    }
    if (isFolded) continue;
    begun.push(entry);
    if (entry[0] === "+") continue;
    for (const part of begun)
      if (applyEntry(part, reader) === null)
        throw new DamagedLine(i + 1, `${path}, line ${i + 1}, is damaged`);
    begun = [];
  }
  return { next: isFolded ? document : next, isFolded };
}
