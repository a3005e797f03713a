/**
 * Files of JSON lines. Each line is an array that ends with a checksum of this and all previous lines, so that a line
 * that was changed, removed or added is detected. Leading lines without checksums, from earlier versions, are accepted.
 */
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Number of bytes read and processed in one turn of the event loop. */
const chunkBytes = 64 * 1024;
const lineFeed = 10;
/** Number of characters in `,"0123abcd"]`. */
const sealLength = 12;
const sealForm = /^,"([0-9a-f]{8})"\]$/;

/** End of a file of lines: its length in bytes, and the checksum of its last line. */
export interface FileEnd {
  length: number;
  checksum: number;
}

export const emptyFile: FileEnd = { length: 0, checksum: 0 };

/** A line differs from what was written. `line` is its number, from 1. */
export class DamagedLine extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Seals lines of JSON arrays, each of which ends in a line feed. `checksum` belongs to the preceding line, or is 0 at the start
 * of a file.
 */
export function seal(lines: readonly string[], checksum: number): { bytes: Buffer; checksum: number } {
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

/** Returns the checksum that a line without its line feed carries, or null. */
export function checksumOf(line: Buffer): number | null {
  const found = sealForm.exec(line.toString("latin1", Math.max(0, line.length - sealLength)));
  return found ? Number.parseInt(found[1] as string, 16) : null;
}

interface Line {
  /** Without its line feed. */
  line: Buffer;
  isWhole: boolean;
}

/** Reads the lines of a file, many at a time. The last one lacks its line feed if it was cut off. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const file = await open(path, "r");
  try {
    let begun: Buffer[] = [];
    for (;;) {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes) });
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      const lines: Line[] = [];
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
 * Reads the entries of sealed lines, verifies their checksums, and returns the end of the file's complete part. Throws a
 * DamagedLine; entries that were cut off at the end of the file are reported to `onCutOff` instead.
 */
export async function readSealedLines(
  path: string,
  /** Returns false for an invalid entry, and `begun` for one that is complete only together with the next. */
  take: (entry: unknown[]) => boolean | "begun",
  /** Gets the line's number and the length of the file's complete part. */
  onCutOff: (line: number, length: number) => void,
): Promise<FileEnd> {
  let whole = emptyFile;
  let { length, checksum } = whole;
  let isSealed = false;
  let number = 0;
  let broken: number | null = null;
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

function parseArray(line: Buffer): unknown[] | null {
  try {
    const entry: unknown = JSON.parse(line.toString("utf8"));
    return Array.isArray(entry) ? entry : null;
  } catch {
    return null;
  }
}
