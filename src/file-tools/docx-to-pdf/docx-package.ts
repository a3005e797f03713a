/** Reads the parts and relationships of a DOCX. Other file types are refused with their name. */

import { posix } from "node:path";
import { inflateRawSync } from "node:zlib";
import { UnreadableFileError } from "../engine.js";
import { children, parseXml, type XmlElement } from "./xml.js";

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

/**
 * Unpacks the entries of a zip archive on demand and within limits. fflate does not report encrypted entries, silently cuts
 * off entries that unpack to more than they declare, and takes ten times as long as zlib.
 */
class ZipReader {
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

interface Relationship {
  /** The last segment of the type URI, such as image, hyperlink or header. */
  type: string;
  /** Path of a part, or an external URL. */
  target: string;
  isExternal: boolean;
}

export type Relationships = ReadonlyMap<string, Relationship>;

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text;

const oleSignature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** Refuses files that are not a zip archive. */
function checkSignature(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new UnreadableFileError("the file is empty; send a DOCX");
  if (startsWith(bytes, oleSignature)) {
    const isEncrypted = Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le"));
    throw new UnreadableFileError(
      isEncrypted
        ? "the file is protected by a password; save it without one"
        : "the file is an old binary Office file such as .doc; save it as .docx",
    );
  }
  if (startsWith(bytes, "%PDF")) throw new UnreadableFileError("the file is a PDF, not a DOCX");
  if (startsWith(bytes, "{\\rtf"))
    throw new UnreadableFileError("the file is RTF, not a DOCX; save it as .docx");
  if (!startsWith(bytes, "PK")) throw new UnreadableFileError("the file is not a zip archive, so not a DOCX");
}

/** Refuses zip archives that are not a DOCX. */
function checkZipContents(archive: ZipReader): void {
  if (archive.has("xl/workbook.xml"))
    throw new UnreadableFileError("the file is a spreadsheet (XLSX), not a DOCX");
  if (archive.has("ppt/presentation.xml"))
    throw new UnreadableFileError("the file is a presentation (PPTX), not a DOCX");
  if (archive.has("mimetype") && archive.has("content.xml"))
    throw new UnreadableFileError("the file is an OpenDocument file (ODT, ODS …); save it as .docx");
  if (!archive.has("_rels/.rels") && !archive.has("word/document.xml"))
    throw new UnreadableFileError("the file is a zip archive but not a DOCX: it has no document part");
}

export class DocxPackage {
  readonly #archive: ZipReader;
  readonly #relationships = new Map<string, Relationships>();
  /** Path of the main document part. */
  readonly mainPath: string;

  constructor(readBytes: Uint8Array) {
    checkSignature(readBytes);
    this.#archive = new ZipReader(readBytes);
    checkZipContents(this.#archive);
    this.mainPath = this.#targetOf("", "officeDocument") ?? "word/document.xml";
    if (!this.#archive.has(this.mainPath))
      throw new UnreadableFileError(
        `the file is not a complete DOCX: its document part (${this.mainPath.slice(0, 80)}) is missing`,
      );
  }

  bytes(path: string): Buffer | null {
    return this.#archive.read(path);
  }

  readPart(path: string): XmlElement | undefined {
    const bytes = this.#archive.read(path);
    return bytes ? parseXml(bytes, path) : undefined;
  }

  /** Reads the first part of a type that a part refers to, such as its styles. `from` is "" for the package itself. */
  readRelated(type: string, from = this.mainPath): XmlElement | undefined {
    const path = this.#targetOf(from, type);
    return path === undefined ? undefined : this.readPart(path);
  }

  /** Returns the path of the first part of a type that the main part refers to. */
  pathOf(type: string): string | undefined {
    return this.#targetOf(this.mainPath, type);
  }

  relationshipsOf(path: string): Relationships {
    let relationships = this.#relationships.get(path);
    if (!relationships) {
      const file = posix.join(posix.dirname(path), "_rels", `${posix.basename(path)}.rels`);
      relationships = parseRelationships(this.readPart(file), posix.dirname(path));
      this.#relationships.set(path, relationships);
    }
    return relationships;
  }

  #targetOf(from: string, type: string): string | undefined {
    for (const relationship of this.relationshipsOf(from).values())
      if (relationship.type === type && !relationship.isExternal) return relationship.target;
    return undefined;
  }
}

function parseRelationships(root: XmlElement | undefined, folder: string): Relationships {
  const relationships = new Map<string, Relationship>();
  for (const { attributes } of children(root, "Relationship")) {
    const isExternal = attributes.TargetMode === "External";
    const target = attributes.Target ?? "";
    // Resolved from the root, a path cannot leave the archive.
    const path = target.startsWith("/") ? target : posix.join("/", folder, target);
    relationships.set(attributes.Id ?? "", {
      type: attributes.Type?.split("/").at(-1) ?? "",
      target: isExternal ? target : posix.normalize(path).slice(1),
      isExternal,
    });
  }
  return relationships;
}

/** Returns the body element of the main part, with the contents of further bodies, which some programs write. */
export function readDocumentBody(file: DocxPackage): XmlElement {
  const root = file.readPart(file.mainPath);
  const [body, ...others] = root?.name === "w:document" ? children(root, "w:body") : [];
  if (body) body.children.push(...others.flatMap((other) => other.children));
  else throw new UnreadableFileError("the file is not a DOCX: its main part is not a Word document");
  return body;
}
