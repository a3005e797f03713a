/** Draws pages of a PDF as pictures, with PDFium. */
import type { PDFiumDocument } from "@hyzyla/pdfium";
import sharp from "sharp";
import type { PdfFile } from "./open-pdf.js";
import type { PagePicture } from "./page-model.js";

const pointsPerInch = 72;
const dotsPerInch = 150;
/** Maximum number of pixels. Larger pages are drawn at a lower resolution. */
const maxDrawnPixels = 8_000_000;

/** Draws pages of one file, which PDFium opens when the first is drawn. */
export class PageDrawer {
  readonly #pdf: PdfFile;
  #document: Promise<PDFiumDocument | null> | null = null;

  constructor(pdf: PdfFile) {
    this.#pdf = pdf;
  }

  /**
   * Returns a picture of a page, given its number from 1 and its size in points, or null if the page is blank or PDFium
   * cannot draw it.
   */
  async draw(
    number: number,
    { width, height }: { width: number; height: number },
  ): Promise<Pick<PagePicture, "data" | "type"> | null> {
    this.#document ??= this.#open();
    const document = await this.#document;
    const scale = Math.min(dotsPerInch / pointsPerInch, Math.sqrt(maxDrawnPixels / (width * height)));
    const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
    const drawn = await renderPage(document, number, size).catch(() => null);
    if (!drawn) return null;
    const pixels = new Uint32Array(drawn.buffer, drawn.byteOffset, drawn.byteLength / 4);
    if (pixels.every((pixel) => pixel === pixels[0])) return null;
    const picture = sharp(Buffer.from(drawn.buffer, drawn.byteOffset, drawn.byteLength), {
      raw: { ...size, channels: 4 },
    }).removeAlpha();
    return { data: new Uint8Array(await picture.png().toBuffer()), type: "png" };
  }

  async #open(): Promise<PDFiumDocument | null> {
    const { PDFiumLibrary } = await import("@hyzyla/pdfium");
    // The memory of an instance never shrinks. It is released with the instance, which is used for one file.
    const pdfium = await PDFiumLibrary.init();
    return pdfium.loadDocument(await this.#pdf.getData()).catch(() => null);
  }
}

/**
 * Draws a page with the fields of its form. Returns red, green, blue and alpha of each pixel, or undefined if the file could
 * not be opened.
 */
const renderPage = async (
  document: PDFiumDocument | null,
  number: number,
  size: { width: number; height: number },
): Promise<Uint8Array | undefined> =>
  (await document?.getPage(number - 1).render({ ...size, renderFormFields: true }))?.data;
