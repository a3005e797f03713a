/** Renders the laid out document as PDF. The output is reproducible: it contains neither the current time nor random ids. */
import { toDate } from "../../time/time.js";
import { UnreadableFileError } from "../engine.js";
import { positionMarks } from "./combining-marks.js";
import { DocumentLayout, defaultStyle } from "./document-layout.js";
import { fontFiles } from "./fonts.js";
import { preserveText } from "./glyph-text.js";
import { type Font, type Pdf, PdfDocument } from "./pdfmake.js";
import { FrameRenderer } from "./picture-frame.js";
import type { PageSection } from "./sections.js";

export interface PdfInfo {
  title: string;
  author: string;
  /** Modification time in ms since the epoch; 0 if unknown. */
  changedAt: number;
}

const maxPages = 2_000;

class TextPdfDocument extends PdfDocument {
  override provideFont(family: string, bold: boolean, italics: boolean): Font {
    const font = super.provideFont(family, bold, italics);
    positionMarks(font.font);
    preserveText(font);
    return font;
  }
}

/** Creates the PDF document, whose fonts are needed before layout. */
export function createPdf({ title, author, changedAt }: PdfInfo, images: object): Pdf {
  const date = toDate(changedAt);
  const info = {
    Producer: "Standin",
    Creator: "Standin",
    CreationDate: date,
    ModDate: date,
    ...(title ? { Title: title } : {}),
    ...(author ? { Author: author } : {}),
  };
  const options = { pdfVersion: "1.7", autoFirstPage: false, font: null, compress: true, info };
  return new TextPdfDocument(fontFiles(), images, {}, {}, options);
}

export async function renderPdf(pdf: Pdf, sections: readonly PageSection[]): Promise<Uint8Array> {
  const layout = new DocumentLayout(
    { width: 595.28, height: 841.89 },
    { left: 72, top: 72, right: 72, bottom: 72 },
    null,
  );
  const pages = layout.layoutDocument({ stack: sections }, pdf, {}, defaultStyle);
  if (pages.length > maxPages) throw new UnreadableFileError(`the document has more than ${maxPages} pages`);
  new FrameRenderer(pdf).renderPages(pages);
  const chunks: Buffer[] = [];
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once("end", resolve).once("error", reject));
  pdf.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}
