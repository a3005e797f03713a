/** Opens a PDF with pdf.js; what it cannot open is refused in words that say why. */
import { Unreadable } from "../engine.js";
import { mostPixels, weigh } from "./weigh.js";

export type PdfJs = typeof import("unpdf/pdfjs");
export type PdfFile = Awaited<ReturnType<PdfJs["getDocument"]>["promise"]>;
export type PdfPage = Awaited<ReturnType<PdfFile["getPage"]>>;

const mostPages = 500;

/** Node 20 lacks it, and pdf.js without it loses fonts and pictures in silence. */
if (!("transferToFixedLength" in ArrayBuffer.prototype))
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    value(this: ArrayBuffer, length = this.byteLength) {
      return this.slice(0, length);
    },
  });

let library: Promise<PdfJs> | null = null;
export const pdfJs = (): Promise<PdfJs> => {
  library ??= import("unpdf/pdfjs");
  return library;
};

/** A trailer's key, each of whose letters may be written as its code. */
const encryption = new RegExp(
  `/${[..."Encrypt"].map((letter) => `(?:${letter}|#${letter.charCodeAt(0).toString(16)})`).join("")}(?=[\\s()<>[\\]{}/%])`,
  "i",
);

/** Rejects with Unreadable. Whoever opens a file closes it, with `loadingTask.destroy()`. */
export async function open(bytes: Uint8Array): Promise<PdfFile> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) throw new Unreadable("it is empty; send a PDF with at least one page");
  // Readers look for it in the first kilobyte.
  if (file.subarray(0, 1024).indexOf("%PDF-") < 0)
    throw new Unreadable("it is not a PDF; send a file that begins with %PDF-");
  // What is encrypted cannot be weighed.
  if (encryption.test(file.toString("latin1")))
    throw new Unreadable("it is encrypted; save it without a password, and send that");
  weigh(file);
  const { getDocument } = await pdfJs();
  const loading = getDocument({
    // pdf.js takes what it is given for its own.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    fontExtraProperties: true,
    isEvalSupported: false,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: mostPixels,
    useSystemFonts: false,
    verbosity: 0,
  });
  const pdf = await loading.promise.catch(async () => {
    await loading.destroy();
    throw new Unreadable(reasonFor(file));
  });
  if (pdf.numPages > mostPages) {
    await loading.destroy();
    throw new Unreadable(`it has ${pdf.numPages} pages, more than ${mostPages}; send it in parts`);
  }
  return pdf;
}

function reasonFor(file: Buffer): string {
  if (file.subarray(-2048).indexOf("%%EOF") < 0)
    return "it is cut short, its end is missing; send the whole file";
  return "it is damaged beyond repair; save or export it again, and send that";
}
