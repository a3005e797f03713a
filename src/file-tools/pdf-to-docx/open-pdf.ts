/** Opens a PDF with pdf.js, or explains why it cannot be opened. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UnreadableFileError } from "../engine.js";
import { withBoundedMemory } from "./bounded-memory.js";

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
  // When it is loaded, pdf.js creates a matrix, which it uses only for drawing, and warns that it cannot draw.
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
 * Returns the folder of the decoders of JPEG 2000 and JBIG2, which pdf.js loads for the first such picture: in the
 * build, or in the package when running from source.
 */
const decoders = (): string =>
  import.meta.url.endsWith(".ts")
    ? join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "wasm/")
    : fileURLToPath(new URL("../pdfjs/", import.meta.url));

/**
 * Opens a PDF, calls `work` and closes it. Rejects with `UnreadableFileError` if it cannot be opened or takes too much
 * memory.
 */
export async function withPdf<T>(bytes: Uint8Array, work: (pdf: PdfFile) => Promise<T>): Promise<T> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length === 0) throw new UnreadableFileError("it is empty; send a PDF with at least one page");
  // Like PDF viewers, accepts the header anywhere in the first kilobyte.
  if (file.subarray(0, 1024).indexOf("%PDF-") < 0)
    throw new UnreadableFileError("it is not a PDF; send a file that begins with %PDF-");
  const { getDocument } = await loadPdfJs();
  return withBoundedMemory(async () => {
    const loading = getDocument({
      // The bytes are copied, because pdf.js transfers the buffer.
      data: new Uint8Array(file),
      disableFontFace: true,
      fontExtraProperties: true,
      isEvalSupported: false,
      isImageDecoderSupported: false,
      isOffscreenCanvasSupported: false,
      useSystemFonts: false,
      verbosity: 0,
      wasmUrl: decoders(),
    });
    try {
      const pdf = await loading.promise.catch((error: unknown) => {
        throw new UnreadableFileError(
          error instanceof Error && error.name === "PasswordException"
            ? "it needs a password; save it without one and send that"
            : describeDamage(file),
        );
      });
      if (pdf.numPages > maxPages)
        throw new UnreadableFileError(
          `it has ${pdf.numPages} pages, more than ${maxPages}; send it in parts`,
        );
      return await work(pdf);
    } finally {
      await loading.destroy();
    }
  });
}

function describeDamage(file: Buffer): string {
  if (file.subarray(-2048).indexOf("%%EOF") < 0)
    return "it is cut short, its end is missing; send the whole file";
  return "it is damaged beyond repair; save or export it again, and send that";
}
