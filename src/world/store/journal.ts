/**
 * An account's journal. A line in a file is `[sequence,due,changes,checksum]`: `due` is the real time in ms at which the
 * account's earliest job is due, or null; it may be too early, but never too late. The changes are `[[table,id,record],…]`. A
 * long commit has several lines, whose changes begin with `"+"` in all but the last. A change of the table `*` deletes
 * everything.
 *
 * The first line names the incarnation, which the account keeps until its folder is deleted. Either it contains the whole
 * state, and its first change is `["*",incarnation,null]`; or it has the incarnation in place of changes: then the journal
 * continues the document at its sequence.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Change } from "./state.js";

/** Receives tables: the state of an account, or a copy of it. */
export interface TableReader {
  load(table: string, id: string, text: string | null): void;
  clear(): void;
}

/** The tables of an account: JSON texts of records, by table and id. */
export type TableTexts = Map<string, Map<string, string>>;

/** Returns a reader that fills the tables. */
export const readerInto = (tables: TableTexts): TableReader => ({
  load(table, id, text) {
    const rows = tables.get(table) ?? new Map<string, string>();
    tables.set(table, rows);
    if (text === null) rows.delete(id);
    else rows.set(id, text);
  },
  clear: () => tables.clear(),
});

/** First element of the changes of a line whose commit continues in the next line. */
const continued = "+";
/** Length in characters from which a commit is continued on another line. */
const maxLineLength = 64 * 1024;

/** Yields the changes of a commit as lines: a single one, unless the commit is long. */
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

/** Returns whether the commit continues in the next line. */
export const isContinued = (line: string): boolean => line.startsWith(`["${continued}"`);

/**
 * Applies the changes of one line. Returns `begun` if the commit continues in the next line, and null for an invalid
 * line.
 */
export function applyEntry(entry: unknown, reader: TableReader): "begun" | "whole" | null {
  if (!Array.isArray(entry)) return null;
  const isBegun = entry[0] === continued;
  const changes: unknown[] = isBegun ? entry.slice(1) : entry;
  if (!changes.every(isChange)) return null;
  for (const [table, id, record] of changes) {
    if (table === "*") reader.clear();
    else reader.load(table, id, record === null ? null : JSON.stringify(record));
  }
  return isBegun ? "begun" : "whole";
}

/** Returns whether a value is a change as lines have them. */
export const isChange = (value: unknown): value is [table: string, id: string, record: unknown] =>
  Array.isArray(value) && value.length === 3;

const lineFeed = 10;
/** Number of characters in `,"0123abcd"]`. */
export const sealLength = 12;
const sealForm = /^,"([0-9a-f]{8})"\]$/;

/** Formats a line of an account's file. The changes may end in a line feed. */
export function formatJournalLine(
  incarnation: string,
  sequence: number,
  due: number | null,
  changes: string,
): string {
  const text = `[${sequence},${due},${changes.trimEnd()}`;
  return `${text},"${formatChecksum(crc32(text, crc32(incarnation)))}"]\n`;
}

/** Formats the first line of a journal that continues the document at this sequence. */
export const formatHead = (incarnation: string, sequence: number, due: number | null): string =>
  formatJournalLine(incarnation, sequence, due, JSON.stringify(incarnation));

export const formatChecksum = (checksum: number): string => checksum.toString(16).padStart(8, "0");

/** Returns the change with which an incarnation begins. */
export const beginning = (incarnation: string): Change => ["*", incarnation, null];

/** Thrown when a line differs from what was written. `line` is its number, from 1. */
export class DamagedLine extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

const mismatch = "is damaged: its sequence or checksum does not match the line or the lines before it";

/** End of a journal that was read. */
export interface JournalEnd {
  incarnation: string;
  /** Sequence of its last whole commit. */
  sequence: number;
  due: number | null;
  /** Length of the file in bytes up to the end of that commit. */
  length: number;
  /** Whether the journal continues a document, without which it is incomplete. */
  continues: boolean;
  /** Number of the first line that was cut off, or null. */
  cutOff: number | null;
}

/** The document that a journal belongs to. */
export interface DocumentPlace {
  incarnation: string;
  sequence: number;
}

/**
 * Applies the commits of a journal that the document does not contain, a line at each step. A commit counts only if its
 * last line exists. Returns null if there is no whole line. Throws a DamagedLine.
 */
export function* applyJournal(
  bytes: Buffer,
  document: DocumentPlace | null,
  reader: TableReader,
): Generator<void, JournalEnd | null> {
  let end: JournalEnd | null = null;
  let [incarnation, sequence, number] = ["", 0, 0];
  let continues = false;
  let begun: unknown[] = [];
  let broken: number | null = null;
  for (let start = 0; start < bytes.length; ) {
    const lineEnd = bytes.indexOf(lineFeed, start);
    const line = bytes.subarray(start, lineEnd === -1 ? undefined : lineEnd);
    number++;
    // Only the last line of a file can have been cut off.
    if (broken !== null) throw new DamagedLine(broken, "is damaged");
    const entry = lineEnd === -1 ? null : parseLine(line);
    start = lineEnd === -1 ? bytes.length : lineEnd + 1;
    if (entry === null) {
      broken = number;
      continue;
    }
    const own = checksumOf(line);
    if (own === null) throw new DamagedLine(number, "is damaged: it has no checksum");
    const [position, due, changes] = entry as [number, number | null, unknown];
    if (number === 1) incarnation = incarnationOf(changes) ?? "";
    const expected = crc32(line.subarray(0, line.length - sealLength), crc32(incarnation));
    if (incarnation === "" || own !== expected || (number > 1 && position !== sequence + 1))
      throw new DamagedLine(number, mismatch);
    if (number === 1 && document) checkPlace(changes, incarnation, position, document);
    else if (number > 1 && typeof changes === "string") throw new DamagedLine(number, "is damaged");
    sequence = position;
    const isHead = typeof changes === "string";
    if (isHead) continues = true;
    else begun.push(changes);
    const isWhole = isHead || (changes as unknown[])[0] !== continued;
    if (isWhole) {
      for (const part of document && position <= document.sequence ? [] : begun)
        if (applyEntry(part, reader) === null) throw new DamagedLine(number, "is damaged");
      begun = [];
      end = { incarnation, sequence, due, length: start, continues, cutOff: null };
    }
    yield;
  }
  if (end && end.length < bytes.length) end.cutOff = broken ?? number;
  return end;
}

function checkPlace(changes: unknown, incarnation: string, sequence: number, document: DocumentPlace): void {
  if (document.incarnation !== incarnation)
    throw new DamagedLine(1, `belongs to ${incarnation}, and the document to ${document.incarnation}`);
  if (typeof changes === "string" && sequence > document.sequence)
    throw new DamagedLine(1, `continues the document at ${sequence}, which ends at ${document.sequence}`);
}

/** Returns the incarnation that the first line of a journal names, or null. */
function incarnationOf(changes: unknown): string | null {
  if (typeof changes === "string") return changes;
  const first = Array.isArray(changes) ? changes.find(isChange) : undefined;
  return first?.[0] === "*" ? first[1] : null;
}

/** Returns the checksum that a line without its line feed carries, or null. */
export function checksumOf(line: Buffer): number | null {
  const found = sealForm.exec(line.toString("latin1", Math.max(0, line.length - sealLength)));
  return found ? Number.parseInt(found[1] as string, 16) : null;
}

/** Parses a line, or returns null if it is not a whole array. */
export function parseLine(line: Buffer): unknown[] | null {
  try {
    const entry: unknown = JSON.parse(line.toString("utf8"));
    return Array.isArray(entry) ? entry : null;
  } catch {
    return null;
  }
}

/** Maximum length in bytes of a journal that consists of its first line. */
const maxHeadLength = 128;
const headForm = /^\[\d+,(?:\d+|null),"[^\n]*\n$/;

/** Returns whether a journal has no commits, but only the line that says where the document ends. */
export const isJustBegun = (path: string): boolean =>
  statSync(path).size <= maxHeadLength && headForm.test(readFileSync(path, "latin1"));

/** Number of bytes at the end of a journal that are searched for its last line. */
const tailBytes = 128 * 1024;
const lastLine = /(?:^|\n)\[\d+,(\d+|null),(?!\["\+")[^\n]*\n$/;

/** Returns the due time of a journal's last line. Returns 0 if that cannot be told without reading all of it. */
export function lastDueOf(path: string): number | null {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    const from = tail.lastIndexOf(lineFeed, tail.length - 2) + 1;
    if (from === 0 && size > tail.length) return 0;
    const found = lastLine.exec(tail.toString("latin1", from));
    return found && found[1] !== "null" ? Number(found[1]) : found ? null : 0;
  } finally {
    closeSync(fd);
  }
}
