// @ts-check
/**
 * Files of JSON lines. Each line is an array that ends with a checksum of this and all previous lines, so that a line
 * that was changed, removed or added is detected. Leading lines without checksums, from earlier versions, are accepted.
 * JavaScript, because the worker thread that folds journals reads the same lines.
 */
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Number of bytes read and processed in one turn of the event loop. */
const chunkBytes = 64 * 1024;
const lineFeed = 10;
/** Number of characters in `,"0123abcd"]`. */
const sealLength = 12;
const sealForm = /^,"([0-9a-f]{8})"\]$/;

/** A line differs from what was written. `line` is its number, from 1. */
export class DamagedLine extends Error {
  /**
   * @param {number} line
   * @param {string} message
   */
  constructor(line, message) {
    super(message);
    this.line = line;
  }
}

/**
 * Seals lines of JSON arrays, each of which ends in a line feed.
 * @param {readonly string[]} lines
 * @param {number} checksum of the preceding line, or 0 at the start of a file
 * @returns {{ bytes: Buffer, checksum: number }}
 */
export function seal(lines, checksum) {
  // Leaves room for each checksum, which is computed over the bytes of the line afterwards.
  const bytes = Buffer.from(lines.map((line) => `${line.slice(0, -2)},"00000000"]\n`).join(""), "utf8");
  let sum = checksum;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    sum = crc32(bytes.subarray(start, end - sealLength), sum);
    bytes.write(sum.toString(16).padStart(8, "0"), end - sealLength + 2, "latin1");
    start = end + 1;
  }
  return { bytes, checksum: sum };
}

/**
 * Returns the checksum that a line carries, or null.
 * @param {Buffer} line without its line feed
 */
export function checksumOf(line) {
  const found = sealForm.exec(line.toString("latin1", Math.max(0, line.length - sealLength)));
  return found ? Number.parseInt(/** @type {string} */ (found[1]), 16) : null;
}

/**
 * Reads the lines of a file, many at a time. The last one lacks its line feed if it was cut off.
 * @param {string} path
 * @returns {AsyncGenerator<{ line: Buffer, isWhole: boolean }[]>}
 */
export async function* readLines(path) {
  const file = await open(path, "r");
  try {
    /** @type {Buffer[]} */
    let begun = [];
    for (;;) {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes) });
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      const lines = [];
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        const rest = bytes.subarray(start, end);
        lines.push({ line: begun.length > 0 ? Buffer.concat([...begun, rest]) : rest, isWhole: true });
        begun = [];
        start = end + 1;
      }
      if (start < bytes.length) begun.push(bytes.subarray(start));
      if (lines.length > 0) yield lines;
    }
    if (begun.length > 0) yield [{ line: Buffer.concat(begun), isWhole: false }];
  } finally {
    await file.close();
  }
}

/**
 * Reads the entries of sealed lines and verifies their checksums. Throws a DamagedLine; entries that were cut off at the
 * end of the file are reported to `onCutOff` instead.
 * @param {string} path
 * @param {(entry: unknown[]) => boolean | "begun"} take returns false for an invalid entry, and `begun` for one
 * that is complete only together with the next
 * @param {(line: number, length: number) => void} onCutOff gets the line's number and the length of the file's complete part
 * @returns {Promise<{ length: number, checksum: number }>} the end of the complete part of the file
 */
export async function readSealedLines(path, take, onCutOff) {
  let whole = { length: 0, checksum: 0 };
  let { length, checksum } = whole;
  let isSealed = false;
  let number = 0;
  /** @type {number | null} */
  let broken = null;
  for await (const lines of readLines(path)) {
    for (const { line, isWhole } of lines) {
      number++;
      // Only the last line of a file can have been cut off.
      if (broken !== null) throw new DamagedLine(broken, "is damaged");
      const entry = isWhole ? parseArray(line) : null;
      if (entry === null) {
        broken = number;
        continue;
      }
      const own = checksumOf(line);
      if (own !== null) {
        const expected = crc32(line.subarray(0, line.length - sealLength), checksum);
        if (own !== expected)
          throw new DamagedLine(number, "is damaged: its checksum does not fit it and the lines before");
        checksum = own;
        isSealed = true;
        entry.pop();
      } else if (isSealed) throw new DamagedLine(number, "is damaged: it has no checksum");
      const taken = take(entry);
      if (!taken) throw new DamagedLine(number, "is damaged");
      length += line.length + 1;
      if (taken === true) whole = { length, checksum };
    }
  }
  if (broken !== null || length > whole.length) onCutOff(broken ?? number, whole.length);
  return whole;
}

/**
 * @param {Buffer} line
 * @returns {unknown[] | null}
 */
function parseArray(line) {
  try {
    const entry = JSON.parse(line.toString("utf8"));
    return Array.isArray(entry) ? entry : null;
  } catch {
    return null;
  }
}
