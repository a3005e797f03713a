/** Opens a PDF with pdf.js, or explains why it cannot be opened. */
import { UnreadableFileError } from "../engine.js";
import { checkUnpackedSize, maxPixels } from "./unpacked-size.js";

export type PdfJs = typeof import("unpdf/pdfjs");
export type PdfFile = Awaited<ReturnType<PdfJs["getDocument"]>["promise"]>;
export type PdfPage = Awaited<ReturnType<PdfFile["getPage"]>>;

const maxPages = 500;

/** Polyfill for Node 20, without which pdf.js silently drops fonts and pictures. */
if (!("transferToFixedLength" in ArrayBuffer.prototype))
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    value(this: ArrayBuffer, length = this.byteLength) {
      return this.slice(0, length);
    },
  });

let library: Promise<PdfJs> | null = null;
export const loadPdfJs = (): Promise<PdfJs> => {
  library ??= import("unpdf/pdfjs");
  return library;
};

/** The trailer key `Encrypt`, each letter of which may be written as a hex escape. */
const encryptKey = [..."Encrypt"].map((letter) => {
  const code = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|#${code}|#${code.toUpperCase()})`;
});
/** The key followed by a dictionary, a reference to one, or a comment that may precede either. */
const encryptEntry = new RegExp(
  `/${encryptKey.join("")}[\\s\\0]*(?:<<|%|[-+.\\d]+(?:%|[\\s\\0]+[-+.\\d]+(?:%|[\\s\\0]+R)))`,
);
const encryptedMessage = "it is encrypted; save it without a password and send that";

/** Opens a PDF, which the caller closes with `loadingTask.destroy()`. Rejects with `UnreadableFileError`. */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) throw new UnreadableFileError("it is empty; send a PDF with at least one page");
  // As lenient as PDF viewers, which accept the header anywhere in the first kilobyte.
  if (file.subarray(0, 1024).indexOf("%PDF-") < 0)
    throw new UnreadableFileError("it is not a PDF; send a file that begins with %PDF-");
  // Encryption hides the streams from the size check, so it is ruled out first.
  if (encryptEntry.test(file.toString("latin1"))) throw new UnreadableFileError(encryptedMessage);
  checkUnpackedSize(file);
  const { getDocument } = await loadPdfJs();
  const loading = getDocument({
    // A copy, because pdf.js transfers the buffer.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    fontExtraProperties: true,
    isEvalSupported: false,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: maxPixels,
    useSystemFonts: false,
    verbosity: 0,
  });
  const pdf = await loading.promise.catch(async (error: unknown) => {
    await loading.destroy();
    throw new UnreadableFileError(
      error instanceof Error && error.name === "PasswordException" ? encryptedMessage : describeDamage(file),
    );
  });
  if (await isEncrypted(pdf)) {
    await loading.destroy();
    throw new UnreadableFileError(encryptedMessage);
  }
  if (pdf.numPages > maxPages) {
    await loading.destroy();
    throw new UnreadableFileError(`it has ${pdf.numPages} pages, more than ${maxPages}; send it in parts`);
  }
  return pdf;
}

/** Also detects encryption with an empty password. */
const isEncrypted = (pdf: PdfFile): Promise<boolean> =>
  pdf.getMetadata().then(
    ({ info }) => Boolean((info as Readonly<Record<string, unknown>>).EncryptFilterName),
    () => false,
  );

function describeDamage(file: Buffer): string {
  if (file.subarray(-2048).indexOf("%%EOF") < 0)
    return "it is cut short, its end is missing; send the whole file";
  return "it is damaged beyond repair; save or export it again, and send that";
}
