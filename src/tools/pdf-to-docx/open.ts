/** Opens a PDF with pdf.js; what it cannot open is refused in words that say why. */
import { UnreadableFileError } from "../engine.js";
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
const key = [..."Encrypt"].map((letter) => {
  const code = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|#${code}|#${code.toUpperCase()})`;
});
/** Before a dictionary, a reference to one, or a comment that may hide either. */
const encryption = new RegExp(
  `/${key.join("")}[\\s\\0]*(?:<<|%|[-+.\\d]+(?:%|[\\s\\0]+[-+.\\d]+(?:%|[\\s\\0]+R)))`,
);
const encrypted = "it is encrypted; save it without a password, and send that";

/** Rejects with Unreadable. Whoever opens a file closes it, with `loadingTask.destroy()`. */
export async function open(bytes: Uint8Array): Promise<PdfFile> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) throw new UnreadableFileError("it is empty; send a PDF with at least one page");
  // Readers look for it in the first kilobyte.
  if (file.subarray(0, 1024).indexOf("%PDF-") < 0)
    throw new UnreadableFileError("it is not a PDF; send a file that begins with %PDF-");
  // What is encrypted cannot be weighed, so pdf.js is not asked first.
  if (encryption.test(file.toString("latin1"))) throw new UnreadableFileError(encrypted);
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
  const pdf = await loading.promise.catch(async (error: unknown) => {
    await loading.destroy();
    throw new UnreadableFileError(
      error instanceof Error && error.name === "PasswordException" ? encrypted : reasonFor(file),
    );
  });
  if (await isEncrypted(pdf)) {
    await loading.destroy();
    throw new UnreadableFileError(encrypted);
  }
  if (pdf.numPages > mostPages) {
    await loading.destroy();
    throw new UnreadableFileError(`it has ${pdf.numPages} pages, more than ${mostPages}; send it in parts`);
  }
  return pdf;
}

/** Also without a password. */
const isEncrypted = (pdf: PdfFile): Promise<boolean> =>
  pdf.getMetadata().then(
    ({ info }) => Boolean((info as Readonly<Record<string, unknown>>).EncryptFilterName),
    () => false,
  );

function reasonFor(file: Buffer): string {
  if (file.subarray(-2048).indexOf("%%EOF") < 0)
    return "it is cut short, its end is missing; send the whole file";
  return "it is damaged beyond repair; save or export it again, and send that";
}
