/** The zip that a DOCX is, within bounds: nothing is unpacked before it is asked for, and never more than was allowed. */
import { inflateRawSync } from "node:zlib";
import { UnreadableFileError } from "../engine.js";

const MB = 1024 * 1024;
const mostEntries = 2_000;
/** No part's path is longer; a longer one is passed over, and is in no message. */
const longestName = 260;
const mostUnpacked = 200 * MB;
/** Documents shrink to a fiftieth at best; only bombs that are large as well are refused for their ratio. */
const highestRatio = 200;
const ratioMattersFrom = 20 * MB;

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
const longestComment = 65_535;

const cut = (): UnreadableFileError =>
  new UnreadableFileError("the file was cut or damaged: its zip directory is missing; send the whole DOCX");
const damaged = (name: string): UnreadableFileError =>
  new UnreadableFileError(`the file is damaged: ${name} cannot be unpacked`);
const tooLarge = (): UnreadableFileError =>
  new UnreadableFileError(
    `the file unpacks to more than ${mostUnpacked / MB} MB or is packed tighter than any document; send a smaller one`,
  );

/** Part names are compared without case; some writers use backslashes. */
const nameOf = (path: string): string => path.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

export class Archive {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #left = mostUnpacked;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#readDirectory();
    const all = [...this.#entries.values()];
    const unpacked = all.reduce((sum, entry) => sum + entry.unpacked, 0);
    if (unpacked > mostUnpacked) throw tooLarge();
    if (unpacked > ratioMattersFrom && unpacked > highestRatio * bytes.length) throw tooLarge();
  }

  has(path: string): boolean {
    return this.#entries.has(nameOf(path));
  }

  /** The unpacked bytes; null when there is no such entry. */
  read(path: string): Buffer | null {
    const entry = this.#entries.get(nameOf(path));
    if (!entry) return null;
    const unpacked = this.#unpack(path, entry);
    this.#left -= unpacked.length;
    if (this.#left < 0) throw tooLarge();
    return unpacked;
  }

  #unpack(path: string, { method, start, packed, unpacked }: Entry): Buffer {
    const bytes = this.#bytes;
    if (start + 30 > bytes.length || bytes.readUInt32LE(start) !== localSignature) throw damaged(path);
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    if (from + packed > bytes.length) throw damaged(path);
    const content = bytes.subarray(from, from + packed);
    if (method === 0) return content;
    if (method !== 8) throw damaged(path);
    try {
      // What unpacks to more than its entry says is a bomb, or broken.
      return inflateRawSync(content, { maxOutputLength: Math.max(1, Math.min(unpacked, this.#left)) });
    } catch {
      throw damaged(path);
    }
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    const end = this.#findEnd();
    const count = bytes.readUInt16LE(end + 10);
    if (count > mostEntries) throw new UnreadableFileError(`the file holds more than ${mostEntries} entries`);
    let at = bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index++) {
      if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw cut();
      const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
      const name = bytes.toString("utf8", at + 46, nameEnd);
      const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
      if (isEncrypted)
        throw new UnreadableFileError("the file is protected by a password; send it without one");
      if (name.length <= longestName)
        this.#entries.set(nameOf(name), {
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
    const first = Math.max(0, bytes.length - endLength - longestComment);
    for (let at = bytes.length - endLength; at >= first; at--)
      if (bytes.readUInt32LE(at) === endSignature) return at;
    throw cut();
  }
}
