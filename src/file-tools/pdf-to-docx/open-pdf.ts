/** Opens a PDF with pdf.js, or explains why it cannot be opened. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UnreadableFileError } from "../engine.js";
import { checkUnpackedSize, maxPagePixels, withBoundedArrays } from "./unpacked-size.js";

export type PdfJs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");
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
  library ??= load();
  return library;
};

async function load(): Promise<PdfJs> {
  // pdf.js makes a matrix when it is loaded, which it uses only to draw, and warns that it cannot draw.
  if (!("DOMMatrix" in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} });
  const { warn } = console;
  console.warn = () => {};
  try {
    // @ts-expect-error The package has no types for it. Once loaded, pdf.js does not look for its file.
    await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
    return await import("pdfjs-dist/legacy/build/pdf.mjs");
  } finally {
    console.warn = warn;
  }
}

/**
 * Returns the folder of the decoders of JPEG 2000 and JBIG2, which pdf.js loads when it meets the first such picture: the folder
 * of the build, or of the package when running from source.
 */
const decoders = (): string =>
  import.meta.url.endsWith(".ts")
    ? join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "wasm/")
    : fileURLToPath(new URL("../pdfjs/", import.meta.url));

/** The trailer key `Encrypt`, each letter of which may be written as a hex escape. */
const encryptKey = [..."Encrypt"].map((letter) => {
  const code = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|#${code}|#${code.toUpperCase()})`;
});
/** The key followed by a dictionary, a reference to one, or a comment that may precede either. */
const encryptEntry = new RegExp(
  `/${encryptKey.join("")}[\\s\\0]*(?:<<|%|[-+.\\d]+(?:%|[\\s\\0]+[-+.\\d]+(?:%|[\\s\\0]+R)))`,
);
const needsPassword = () => new UnreadableFileError("it needs a password; save it without one and send that");

/** Opens a PDF, calls `work` and closes it. Rejects with `UnreadableFileError` if it cannot be opened. */
export async function withPdf<T>(bytes: Uint8Array, work: (pdf: PdfFile) => Promise<T>): Promise<T> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) throw new UnreadableFileError("it is empty; send a PDF with at least one page");
  // As lenient as PDF viewers, which accept the header anywhere in the first kilobyte.
  if (file.subarray(0, 1024).indexOf("%PDF-") < 0)
    throw new UnreadableFileError("it is not a PDF; send a file that begins with %PDF-");
  // Encryption hides the contents of the streams from the size check.
  if (encryptEntry.test(file.toString("latin1")))
    return withBoundedArrays(() => withOpened(file, work, true));
  checkUnpackedSize(file);
  return withOpened(file, work, false);
}

async function withOpened<T>(
  file: Buffer,
  work: (pdf: PdfFile) => Promise<T>,
  mayBeEncrypted: boolean,
): Promise<T> {
  const { getDocument } = await loadPdfJs();
  const loading = getDocument({
    // A copy, because pdf.js transfers the buffer.
    data: new Uint8Array(file),
    disableFontFace: true,
    fontExtraProperties: true,
    isEvalSupported: false,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: maxPagePixels,
    useSystemFonts: false,
    verbosity: 0,
    // The memory of a decoder is not bounded, and the size of an encrypted picture is not known beforehand.
    ...(mayBeEncrypted ? {} : { wasmUrl: decoders() }),
  });
  try {
    const pdf = await loading.promise.catch((error: unknown) => {
      throw error instanceof Error && error.name === "PasswordException"
        ? needsPassword()
        : new UnreadableFileError(describeDamage(file));
    });
    if (!mayBeEncrypted && (await isEncrypted(pdf))) throw needsPassword();
    if (pdf.numPages > maxPages)
      throw new UnreadableFileError(`it has ${pdf.numPages} pages, more than ${maxPages}; send it in parts`);
    return await work(pdf);
  } finally {
    await loading.destroy();
  }
}

/** Returns whether the file is encrypted, be it with an empty password. */
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
