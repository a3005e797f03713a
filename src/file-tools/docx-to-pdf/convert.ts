/** Converts DOCX to PDF: the document's XML is read directly and laid out by Typst, in fonts that cover Nigerian names. */
import { fromIso, toDate } from "../../time/time.js";
import { ConversionReport, type Engine, UnreadableFileError } from "../engine.js";
import { DocxPackage, readDocumentBody } from "./docx-package.js";
import { Numbering } from "./numbering.js";
import { Images } from "./pictures.js";
import { writeSections } from "./sections.js";
import { createStory, Notes } from "./story.js";
import { Styles } from "./styles.js";
import { template } from "./template.js";
import { quote, TextWriter } from "./text.js";
import { isLarge, loadTypst, maxPages, renderPdf } from "./typst.js";
import { child, textOf, type XmlElement } from "./xml.js";

/** Maximum number of letters: 2,000 pages of 3,000 letters. */
const maxLetters = 6_000_000;

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
  const numbering = new Numbering(file, styles);
  const text = new TextWriter((await loadTypst()).fonts);
  const parts = { styles, numbering, text, images, notes, report };
  const story = createStory(parts, "body", file.relationshipsOf(file.mainPath));
  const sections = writeSections(file, body, story);
  const source = `#let max-pages = ${maxPages}\n${writeProperties(file)}${template}${text.definitions}${sections}`;
  // Typst cannot be used again if it runs out of memory.
  report.endsThread = true;
  const pdf = await renderPdf(source, images.files, text.missing);
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

function writeProperties(file: DocxPackage): string {
  const core = file.readRelated("core-properties", "");
  const text = (name: string): string => textOf(child(core, name)).trim();
  const [title, author] = [text("title"), text("creator")];
  const changedAt = fromIso(text("modified") || text("created"));
  const date = changedAt === null ? null : writeDate(toDate(changedAt).toISOString());
  const properties = [
    ...(title ? [`title: ${quote(title)}`] : []),
    ...(author ? [`author: ${quote(author)}`] : []),
    `date: ${date ?? "none"}`,
  ];
  return `#set document(${properties.join(", ")})\n`;
}

/** Writes a time. Returns null for a year that Typst does not support. */
function writeDate(iso: string): string | null {
  const names = ["year", "month", "day", "hour", "minute", "second"];
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(iso)?.slice(1).map(Number);
  return parts?.[0] ? `datetime(${names.map((name, at) => `${name}: ${parts[at]}`).join(", ")})` : null;
}
