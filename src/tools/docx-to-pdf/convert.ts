/**
 * DOCX to PDF: with the LibreOffice on PATH where there is one; else the document's XML is read as it stands and laid
 * out by pdfmake, in fonts that show Nigerian names.
 */
import { fromIso } from "../../world/time/time.js";
import { type Engine, UnreadableFileError } from "../engine.js";
import { Anchors } from "./anchors.js";
import { readBlocks } from "./blocks.js";
import { Fonts } from "./fonts.js";
import { Images } from "./images.js";
import { convertWithLibreOffice } from "./libreoffice.js";
import type { Node } from "./nodes.js";
import { Notes } from "./notes.js";
import { Numbering } from "./numbering.js";
import { bodyOf, Package } from "./package.js";
import { withMargin } from "./paragraphs.js";
import { type About, print, startPdf } from "./print.js";
import { type Section, Sections } from "./sections.js";
import { placeOf, type Story, storyOf } from "./story.js";
import { Styles } from "./styles.js";
import { child, textOf, type XmlElement } from "./xml.js";

/** Two thousand pages of three thousand letters. */
const mostLetters = 6_000_000;

export interface DocxOptions {
  libreoffice: "auto" | "off";
}

/** What is no document is refused here, whoever would convert it. */
export const docxToPdf: Engine<DocxOptions> = async (bytes, { libreoffice }) => {
  const file = new Package(bytes);
  const body = bodyOf(file);
  refuseTooLong(body);
  const converted = libreoffice === "auto" ? await convertWithLibreOffice(bytes) : null;
  return converted ?? draw(file, body);
};

async function draw(file: Package, body: XmlElement): Promise<Uint8Array> {
  const notes = new Notes(file);
  const images = await loadImages(file, notes);
  const pdf = startPdf(aboutOf(file), images.files);
  const styles = new Styles(file);
  const anchors = new Anchors(body);
  const numbering = new Numbering(file, styles);
  const sources = { styles, numbering, fonts: new Fonts(pdf), images, notes, anchors };

  const story = storyOf(sources, file.relationsOf(file.main));
  const sections = new Sections(file, sources);
  sections.read(body, story);
  addNotes(sections.done, story);
  anchors.settle();
  return print(pdf, sections.done);
}

function refuseTooLong(body: XmlElement): void {
  if (textOf(body).length > mostLetters)
    throw new UnreadableFileError(
      `the document has more than ${mostLetters} letters, about 2000 pages; send it in smaller parts`,
    );
}

/** Of every part that may show pictures. */
async function loadImages(file: Package, notes: Notes): Promise<Images> {
  const images = new Images();
  const relations = file.relationsOf(file.main);
  await images.load(file, relations);
  for (const path of notes.paths) await images.load(file, file.relationsOf(path));
  for (const { type, target, isExternal } of relations.values())
    if ((type === "header" || type === "footer") && !isExternal)
      await images.load(file, file.relationsOf(target));
  return images;
}

function aboutOf(file: Package): About {
  const core = file.related("core-properties", "");
  const changed = textOf(child(core, "dcterms:modified")) || textOf(child(core, "dcterms:created"));
  return {
    title: textOf(child(core, "dc:title")).trim(),
    author: textOf(child(core, "dc:creator")).trim(),
    changedAt: fromIso(changed) ?? 0,
  };
}

/** Below the last section's text, under a short line. */
function addNotes(sections: readonly Section[], story: Story): void {
  const last = sections.at(-1);
  if (!last) return;
  const { pageSize, pageMargins } = last;
  const width = pageSize.width - pageMargins.left - pageMargins.right;
  const height = pageSize.height - pageMargins.top - pageMargins.bottom - 20;
  const nodes: Node[] = [];
  for (const note of story.notes.referred()) {
    const own = { ...storyOf(story, note.relations), noteMark: note.mark };
    const blocks = readBlocks(note.element, placeOf(own, width, height));
    const first = blocks.find((one) => "text" in one);
    if (first && "text" in first) first.id = story.anchors?.placeId(note.id) ?? note.id;
    nodes.push(...blocks);
  }
  const [first] = nodes;
  if (!first) return;
  withMargin(first)[1] += 4;
  last.section.push(
    { canvas: [{ type: "line", x1: 0, y1: 0, x2: 144, y2: 0, lineWidth: 0.5 }], margin: [0, 12, 0, 0] },
    ...nodes,
  );
}
