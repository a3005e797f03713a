/** Reads the parts and relationships of a DOCX. Other file types are refused with their name. */
import { posix } from "node:path";
import { UnreadableFileError } from "../engine.js";
import { children, parseXml, type XmlElement } from "./xml.js";
import { ZipReader } from "./zip-reader.js";

export interface Relationship {
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
