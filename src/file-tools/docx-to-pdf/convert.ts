/** Converts DOCX to PDF: the document's XML is read directly and laid out by Typst, in fonts that cover Nigerian names. */
import { fromIso, toDate } from "../../time/time.js";
import { ConversionReport, type Engine, UnreadableFileError } from "../engine.js";
import { DocxPackage, readDocumentBody } from "./docx-package.js";
import { Images } from "./drawings.js";
import { Fonts, placeholderFont, placeholderName } from "./fonts.js";
import type { DocumentBlock, DocumentData, Section } from "./nodes.js";
import { Numbering } from "./numbering.js";
import { readBlocks, SectionReader } from "./sections.js";
import { createStory, type DocxStory, Notes, readBookmarks, topLevelContext } from "./story.js";
import { isOn, Styles } from "./styles.js";
import { TextItems } from "./text-items.js";
import { isLarge, loadTypst, renderPdf } from "./typst.js";
import { child, textOf, type XmlElement } from "./xml.js";

/** 2,000 pages of 3,000 letters. */
const maxLetters = 6_000_000;
const maxPages = 2_000;

export const docxToPdf: Engine<Record<string, never>> = async (
  bytes,
  _options,
  report = new ConversionReport(),
) => {
  const file = new DocxPackage(bytes);
  const body = readDocumentBody(file);
  checkLength(body);
  const notes = new Notes(file);
  const images = await loadImages(file, notes);
  const styles = new Styles(file);
  const bookmarks = readBookmarks(body);
  const numbering = new Numbering(file, styles);
  const fonts = new Fonts((await loadTypst()).fonts);
  const texts = new TextItems(fonts);
  const parts = { styles, numbering, texts, images, notes, bookmarks, report, readBlocks };

  const story = createStory(parts, "body", file.relationshipsOf(file.mainPath));
  const sections = new SectionReader(file, story);
  sections.read(body);
  sections.sections.at(-1)?.blocks.push(...readEndnotes(sections.sections, story));
  const data: DocumentData = {
    ...readProperties(file),
    looks: texts.looks,
    placeholder: placeholderName,
    "has-even-pages": isOn(file.readRelated("settings"), "w:evenAndOddHeaders") ?? false,
    "max-pages": maxPages,
    sections: sections.sections,
  };
  // Typst cannot be used again if it runs out of memory.
  report.endsThread = true;
  const pdf = await renderPdf(
    data,
    images.files,
    fonts.missing.size > 0 ? placeholderFont(fonts.missing) : null,
  );
  report.endsThread = await isLarge();
  return pdf;
};

function checkLength(body: XmlElement): void {
  if (textOf(body).length > maxLetters)
    throw new UnreadableFileError(
      `the document has more than ${maxLetters} letters, about 2000 pages; send it in smaller parts`,
    );
}

/** Loads the pictures of every part that may contain some. */
async function loadImages(file: DocxPackage, notes: Notes): Promise<Images> {
  const relationships = file.relationshipsOf(file.mainPath);
  const parts = [relationships, ...notes.paths.map((path) => file.relationshipsOf(path))];
  for (const { type, target, isExternal } of relationships.values())
    if ((type === "header" || type === "footer") && !isExternal) parts.push(file.relationshipsOf(target));
  const images = new Images();
  await images.load(file, parts);
  return images;
}

function readProperties(file: DocxPackage): Pick<DocumentData, "title" | "author" | "date"> {
  const core = file.readRelated("core-properties", "");
  const text = (name: string): string => textOf(child(core, name)).trim();
  const changedAt = fromIso(text("dcterms:modified") || text("dcterms:created"));
  return {
    title: text("dc:title"),
    author: text("dc:creator"),
    date: changedAt === null ? null : dateParts(toDate(changedAt).toISOString()),
  };
}

/** Returns the parts of a time, or null for a year that Typst does not know. */
function dateParts(iso: string): DocumentData["date"] {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(iso)?.slice(1).map(Number);
  if (!parts || parts[0] === 0) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return { year, month, day, hour, minute, second };
}

/** Reads the endnotes, which follow the last section below a short line. */
function readEndnotes(sections: readonly Section[], story: DocxStory): DocumentBlock[] {
  const last = sections.at(-1);
  const notes = story.notes.referenced("endnote");
  if (!last || notes.length === 0) return [];
  const blocks = notes.flatMap((note) => {
    const own = createStory(story, "note", note.relationships, note.mark);
    const context = topLevelContext(
      own,
      last.width - last.left - last.right,
      last.height - last.top - last.bottom,
    );
    const read = readBlocks(note.element, context);
    const first = read.find((block) => block.kind === "paragraph");
    if (first) first.targets.push(note.name);
    return read;
  });
  return [{ kind: "rule" }, ...blocks];
}
