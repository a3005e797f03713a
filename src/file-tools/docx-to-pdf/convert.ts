/**
 * Converts DOCX to PDF with LibreOffice if it is on the PATH. Otherwise the document's XML is read directly and laid out
 * by pdfmake, in fonts that cover Nigerian names.
 */
import { fromIso } from "../../time/time.js";
import { ConversionReport } from "../conversion-report.js";
import { type Engine, UnreadableFileError } from "../engine.js";
import { readBlocks } from "./blocks.js";
import { DocxPackage, readDocumentBody } from "./docx-package.js";
import { Fonts } from "./fonts.js";
import { Images } from "./images.js";
import { convertWithLibreOffice } from "./libreoffice.js";
import { LinkTargets } from "./link-targets.js";
import type { PdfNode } from "./nodes.js";
import { Notes } from "./notes.js";
import { Numbering } from "./numbering.js";
import { ensureMargin } from "./paragraphs.js";
import { createPdf, type PdfInfo, renderPdf } from "./render-pdf.js";
import { type PageSection, SectionReader } from "./sections.js";
import { createStory, type DocxStory, topLevelContext } from "./story.js";
import { Styles } from "./styles.js";
import { child, textOf, type XmlElement } from "./xml.js";

/** 2,000 pages of 3,000 letters. */
const maxLetters = 6_000_000;

export interface DocxOptions {
  libreoffice: "auto" | "off";
}

/** Validates the document even if LibreOffice converts it. */
export const docxToPdf: Engine<DocxOptions> = async (bytes, { libreoffice }, report) => {
  const file = new DocxPackage(bytes);
  const body = readDocumentBody(file);
  checkLength(body);
  const converted = libreoffice === "auto" ? await convertWithLibreOffice(bytes) : null;
  return converted ?? convertBuiltIn(file, body, report);
};

async function convertBuiltIn(
  file: DocxPackage,
  body: XmlElement,
  report = new ConversionReport(),
): Promise<Uint8Array> {
  const notes = new Notes(file);
  const images = await loadImages(file, notes);
  const pdf = createPdf(readPdfInfo(file), images.files);
  const styles = new Styles(file);
  const linkTargets = new LinkTargets(body);
  const numbering = new Numbering(file, styles);
  const parts = { styles, numbering, fonts: new Fonts(pdf), images, notes, linkTargets, report };

  const story = createStory(parts, file.relationshipsOf(file.mainPath));
  const sections = new SectionReader(file, parts, pdf);
  sections.read(body, story);
  appendNotes(sections.sections, story);
  linkTargets.removeBrokenLinks();
  return renderPdf(pdf, sections.sections);
}

function checkLength(body: XmlElement): void {
  if (textOf(body).length > maxLetters)
    throw new UnreadableFileError(
      `the document has more than ${maxLetters} letters, about 2000 pages; send it in smaller parts`,
    );
}

/** Loads the pictures of every part that may contain some. */
async function loadImages(file: DocxPackage, notes: Notes): Promise<Images> {
  const images = new Images();
  const relationships = file.relationshipsOf(file.mainPath);
  await images.load(file, relationships);
  for (const path of notes.paths) await images.load(file, file.relationshipsOf(path));
  for (const { type, target, isExternal } of relationships.values())
    if ((type === "header" || type === "footer") && !isExternal)
      await images.load(file, file.relationshipsOf(target));
  return images;
}

function readPdfInfo(file: DocxPackage): PdfInfo {
  const core = file.readRelated("core-properties", "");
  const changed = textOf(child(core, "dcterms:modified")) || textOf(child(core, "dcterms:created"));
  return {
    title: textOf(child(core, "dc:title")).trim(),
    author: textOf(child(core, "dc:creator")).trim(),
    changedAt: fromIso(changed) ?? 0,
  };
}

/** Appends footnotes and endnotes after the last section, below a short line. */
function appendNotes(sections: readonly PageSection[], story: DocxStory): void {
  const last = sections.at(-1);
  if (!last) return;
  const { pageSize, pageMargins } = last;
  const width = pageSize.width - pageMargins.left - pageMargins.right;
  const height = pageSize.height - pageMargins.top - pageMargins.bottom - 20;
  const nodes: PdfNode[] = [];
  for (const note of story.notes.referenced()) {
    const own = { ...createStory(story, note.relationships), noteMark: note.mark };
    const blocks = readBlocks(note.element, topLevelContext(own, width, height));
    const first = blocks.find((one) => "text" in one);
    if (first && "text" in first) first.id = story.linkTargets?.addId(note.id) ?? note.id;
    nodes.push(...blocks);
  }
  const [first] = nodes;
  if (!first) return;
  ensureMargin(first)[1] += 4;
  last.section.push(
    { canvas: [{ type: "line", x1: 0, y1: 0, x2: 144, y2: 0, lineWidth: 0.5 }], margin: [0, 12, 0, 0] },
    ...nodes,
  );
}
