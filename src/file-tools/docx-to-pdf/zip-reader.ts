/**
 * Reads the zip archive of a DOCX, unpacking entries on demand and within limits. fflate does not say that an entry is
 * encrypted, cuts off without an error one that unpacks to more than it declares, and takes ten times as long as zlib.
 */
import { inflateRawSync } from "node:zlib";
import { UnreadableFileError } from "../engine.js";

const bytesPerMb = 1024 * 1024;
const maxEntries = 2_000;
/** Entries with longer paths are ignored, which also keeps paths out of error messages. */
const maxPathLength = 260;
const maxUnpackedBytes = 200 * bytesPerMb;
/** Documents compress by a factor of 50 at most. Small files are not refused for their ratio. */
const maxCompressionRatio = 200;
const minBytesForRatio = 20 * bytesPerMb;

interface Entry {
  method: number;
  start: number;
  packed: number;
  unpacked: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const maxCommentLength = 65_535;

const truncatedError = (): UnreadableFileError =>
  new UnreadableFileError(
    "the file is cut off or damaged: its zip directory is missing; send the whole DOCX",
  );
const damagedError = (name: string): UnreadableFileError =>
  new UnreadableFileError(`the file is damaged: ${name} cannot be unpacked`);
const tooLargeError = (): UnreadableFileError =>
  new UnreadableFileError(
    `the file unpacks to more than ${maxUnpackedBytes / bytesPerMb} MB or has too high a compression ratio for a document; send a smaller one`,
  );

/** Paths are case-insensitive, and some programs write backslashes. */
const normalizePath = (path: string): string => path.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

export class ZipReader {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #remaining = maxUnpackedBytes;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#readDirectory();
    const all = [...this.#entries.values()];
    const unpacked = all.reduce((sum, entry) => sum + entry.unpacked, 0);
    if (unpacked > maxUnpackedBytes) throw tooLargeError();
    if (unpacked > minBytesForRatio && unpacked > maxCompressionRatio * bytes.length) throw tooLargeError();
  }

  has(path: string): boolean {
    return this.#entries.has(normalizePath(path));
  }

  /** Returns the unpacked bytes of an entry, or null if it does not exist. */
  read(path: string): Buffer | null {
    const entry = this.#entries.get(normalizePath(path));
    if (!entry) return null;
    const unpacked = this.#unpack(path, entry);
    this.#remaining -= unpacked.length;
    if (this.#remaining < 0) throw tooLargeError();
    return unpacked;
  }

  #unpack(path: string, { method, start, packed, unpacked }: Entry): Buffer {
    const bytes = this.#bytes;
    if (start + 30 > bytes.length || bytes.readUInt32LE(start) !== localSignature) throw damagedError(path);
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    if (from + packed > bytes.length) throw damagedError(path);
    const content = bytes.subarray(from, from + packed);
    if (method === 0) return content;
    if (method !== 8) throw damagedError(path);
    try {
      // An entry that exceeds its declared size is a zip bomb or damaged.
      return inflateRawSync(content, { maxOutputLength: Math.max(1, Math.min(unpacked, this.#remaining)) });
    } catch {
      throw damagedError(path);
    }
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    const end = this.#findEnd();
    const count = bytes.readUInt16LE(end + 10);
    if (count > maxEntries)
      throw new UnreadableFileError(`the file contains more than ${maxEntries} entries`);
    let at = bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index++) {
      if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw truncatedError();
      const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
      const name = bytes.toString("utf8", at + 46, nameEnd);
      const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
      if (isEncrypted)
        throw new UnreadableFileError("the file is protected by a password; send it without one");
      if (name.length <= maxPathLength)
        this.#entries.set(normalizePath(name), {
          method: bytes.readUInt16LE(at + 10),
          packed: bytes.readUInt32LE(at + 20),
          unpacked: bytes.readUInt32LE(at + 24),
          start: bytes.readUInt32LE(at + 42),
        });
      at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  }

  #findEnd(): number {
    const bytes = this.#bytes;
    const first = Math.max(0, bytes.length - endLength - maxCommentLength);
    for (let at = bytes.length - endLength; at >= first; at--)
      if (bytes.readUInt32LE(at) === endSignature) return at;
    throw truncatedError();
  }
}
