/** Reads the parts and relationships of a DOCX. Other file types are refused with their name. */

import { posix } from "node:path";
import { type UnzipFileFilter, type Unzipped, unzipSync } from "fflate";
import { UnreadableFileError } from "../engine.js";
import { children, parseXml, type XmlElement } from "./xml.js";

const bytesPerMb = 1024 * 1024;
const maxEntries = 2_000;
/** Maximum length of a path. Entries with longer paths are ignored, which also keeps them out of error messages. */
const maxPathLength = 260;
const maxUnpackedBytes = 200 * bytesPerMb;
/** Maximum compression ratio. Documents compress by a factor of 50 at most. Small files are not refused for their ratio. */
const maxCompressionRatio = 200;
const minBytesForRatio = 20 * bytesPerMb;

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

/** Normalizes a path: paths are case-insensitive, and some programs write backslashes. */
const normalizePath = (path: string): string => path.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** The entries of a zip archive, which are unpacked on demand and within limits. */
class Archive {
  readonly #bytes: Uint8Array;
  readonly #names = new Map<string, string>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    // The flags of the first entry.
    if (((bytes[6] ?? 0) & 1) === 1)
      throw new UnreadableFileError("the file is protected by a password; send it without one");
    let unpacked = 0;
    let entries = 0;
    this.#unzip(truncatedError(), ({ name, originalSize }) => {
      if (++entries > maxEntries)
        throw new UnreadableFileError(`the file contains more than ${maxEntries} entries`);
      if (name.length <= maxPathLength) this.#names.set(normalizePath(name), name);
      unpacked += originalSize;
      return false;
    });
    const isDense = unpacked > minBytesForRatio && unpacked > maxCompressionRatio * bytes.length;
    if (isDense || unpacked > maxUnpackedBytes) throw tooLargeError();
  }

  has(path: string): boolean {
    return this.#names.has(normalizePath(path));
  }

  /** Returns the unpacked bytes of an entry, up to the length that it declares, or null if it does not exist. */
  read(path: string): Uint8Array | null {
    const own = this.#names.get(normalizePath(path));
    if (own === undefined) return null;
    return this.#unzip(damagedError(path), ({ name }) => name === own)[own] ?? null;
  }

  #unzip(failure: UnreadableFileError, filter: UnzipFileFilter): Unzipped {
    try {
      return unzipSync(this.#bytes, { filter });
    } catch (error) {
      throw error instanceof UnreadableFileError ? error : failure;
    }
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
function checkZipContents(archive: Archive): void {
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
  readonly #archive: Archive;
  readonly #relationships = new Map<string, Relationships>();
  /** Path of the main document part. */
  readonly mainPath: string;

  constructor(readBytes: Uint8Array) {
    checkSignature(readBytes);
    this.#archive = new Archive(readBytes);
    checkZipContents(this.#archive);
    this.mainPath = this.#targetOf("", "officeDocument") ?? "word/document.xml";
    if (!this.#archive.has(this.mainPath))
      throw new UnreadableFileError(
        `the file is not a complete DOCX: its document part (${this.mainPath.slice(0, 80)}) is missing`,
      );
  }

  bytes(path: string): Uint8Array | null {
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
    // A path that is resolved from the root cannot leave the archive.
    const path = target.startsWith("/") ? target : posix.join("/", folder, target);
    relationships.set(attributes.Id ?? "", {
      type: attributes.Type?.split("/").at(-1) ?? "",
      target: isExternal ? target : posix.normalize(path).slice(1),
      isExternal,
    });
  }
  return relationships;
}

/** Returns the body element of the main part. Some programs write several bodies, whose contents are joined. */
export function readDocumentBody(file: DocxPackage): XmlElement {
  const root = file.readPart(file.mainPath);
  const [body, ...others] = root?.name === "document" ? children(root, "body") : [];
  if (body) body.children.push(...others.flatMap((other) => other.children));
  else throw new UnreadableFileError("the file is not a DOCX: its main part is not a Word document");
  return body;
}
