/** Pages to bytes. The same document gives the same bytes: no clock, no chance. */
import { toDate } from "../../world/time/time.js";
import { UnreadableFileError } from "../engine.js";
import { fontFiles } from "./fonts.js";
import { Layout } from "./layout.js";
import { keepLetters } from "./letters.js";
import { placeMarks } from "./marks.js";
import { type Font, type Pdf, PdfDocument } from "./pdfmake.js";
import { FrameRenderer } from "./picture-frame.js";
import type { Section } from "./sections.js";

export interface About {
  title: string;
  author: string;
  /** When the document was changed, ms; 0 when it does not say. */
  changedAt: number;
}

const mostPages = 2_000;

class MarkedDocument extends PdfDocument {
  override provideFont(family: string, bold: boolean, italics: boolean): Font {
    const font = super.provideFont(family, bold, italics);
    placeMarks(font.font);
    keepLetters(font);
    return font;
  }
}

/** The PDF to be: fonts can be asked before anything is laid out. */
export function startPdf({ title, author, changedAt }: About, images: object): Pdf {
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
  return new MarkedDocument(fontFiles(), images, {}, {}, options);
}

const defaultStyle = { preserveLeadingSpaces: true };

export async function print(pdf: Pdf, sections: readonly Section[]): Promise<Uint8Array> {
  const layout = new Layout(
    { width: 595.28, height: 841.89 },
    { left: 72, top: 72, right: 72, bottom: 72 },
    null,
  );
  const pages = layout.layoutDocument({ stack: sections }, pdf, {}, defaultStyle);
  if (pages.length > mostPages)
    throw new UnreadableFileError(`the document has more than ${mostPages} pages`);
  new FrameRenderer(pdf).renderPages(pages);
  const chunks: Buffer[] = [];
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once("end", resolve).once("error", reject));
  pdf.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}
