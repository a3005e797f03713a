/** A DOCX as its parts and what they refer to. Whatever else the file may be is told by name. */
import { posix } from "node:path";
import { UnreadableFileError } from "../engine.js";
import { Archive } from "./archive.js";
import { child, children, parseXml, type XmlElement } from "./xml.js";

export interface Relation {
  /** The last word of its type: image, hyperlink, header … */
  type: string;
  /** A part's path, or an address outside the file. */
  target: string;
  isExternal: boolean;
}

export type Relations = ReadonlyMap<string, Relation>;

const starts = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text;

const oleSignature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** Names of what is no zip at all. */
function refuseOtherFiles(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new UnreadableFileError("the file is empty; send a DOCX");
  if (starts(bytes, oleSignature)) {
    const isEncrypted = Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le"));
    throw new UnreadableFileError(
      isEncrypted
        ? "the file is protected by a password; save it without one"
        : "the file is an old binary Office file such as .doc; save it as .docx",
    );
  }
  if (starts(bytes, "%PDF")) throw new UnreadableFileError("the file is a PDF, not a DOCX");
  if (starts(bytes, "{\\rtf")) throw new UnreadableFileError("the file is RTF, not a DOCX; save it as .docx");
  if (!starts(bytes, "PK")) throw new UnreadableFileError("the file is no zip, so no DOCX");
}

/** Names of what is a zip, but not a DOCX. */
function refuseOtherZips(archive: Archive): void {
  if (archive.has("xl/workbook.xml"))
    throw new UnreadableFileError("the file is a spreadsheet (XLSX), not a DOCX");
  if (archive.has("ppt/presentation.xml"))
    throw new UnreadableFileError("the file is a presentation (PPTX), not a DOCX");
  if (archive.has("mimetype") && archive.has("content.xml"))
    throw new UnreadableFileError("the file is an OpenDocument file (ODT, ODS …); save it as .docx");
  if (!archive.has("_rels/.rels") && !archive.has("word/document.xml"))
    throw new UnreadableFileError("the file is a zip, but no DOCX: it has no document part");
}

export class Package {
  readonly #archive: Archive;
  readonly #relations = new Map<string, Relations>();
  /** Path of the part that holds the text. */
  readonly main: string;

  constructor(bytes: Uint8Array) {
    refuseOtherFiles(bytes);
    this.#archive = new Archive(bytes);
    refuseOtherZips(this.#archive);
    this.main = this.#byType("", "officeDocument") ?? "word/document.xml";
    if (!this.#archive.has(this.main))
      throw new UnreadableFileError(
        `the file is no whole DOCX: its document part (${this.main.slice(0, 80)}) is missing`,
      );
  }

  bytes(path: string): Buffer | null {
    return this.#archive.read(path);
  }

  part(path: string): XmlElement | undefined {
    const bytes = this.#archive.read(path);
    return bytes ? parseXml(bytes, path) : undefined;
  }

  /** The first part of the kind that a part refers to, such as its styles; "" stands for the file as a whole. */
  related(type: string, from = this.main): XmlElement | undefined {
    const path = this.#byType(from, type);
    return path === undefined ? undefined : this.part(path);
  }

  /** Path of the part of the kind that the document refers to. */
  pathOf(type: string): string | undefined {
    return this.#byType(this.main, type);
  }

  relationsOf(path: string): Relations {
    let relations = this.#relations.get(path);
    if (!relations) {
      const file = posix.join(posix.dirname(path), "_rels", `${posix.basename(path)}.rels`);
      relations = toRelations(this.part(file), posix.dirname(path));
      this.#relations.set(path, relations);
    }
    return relations;
  }

  #byType(from: string, type: string): string | undefined {
    for (const relation of this.relationsOf(from).values())
      if (relation.type === type && !relation.isExternal) return relation.target;
    return undefined;
  }
}

function toRelations(root: XmlElement | undefined, folder: string): Relations {
  const relations = new Map<string, Relation>();
  for (const { attributes } of children(root, "Relationship")) {
    const isExternal = attributes.TargetMode === "External";
    const target = attributes.Target ?? "";
    // Joined to the root, a path cannot lead out of the archive.
    const path = target.startsWith("/") ? target : posix.join("/", folder, target);
    relations.set(attributes.Id ?? "", {
      type: attributes.Type?.split("/").at(-1) ?? "",
      target: isExternal ? target : posix.normalize(path).slice(1),
      isExternal,
    });
  }
  return relations;
}

/** The element that holds the document's blocks. */
export function bodyOf(file: Package): XmlElement {
  const root = file.part(file.main);
  const body = root?.name === "w:document" ? child(root, "w:body") : undefined;
  if (!body) throw new UnreadableFileError("the file is no DOCX: its main part is no Word document");
  return body;
}
