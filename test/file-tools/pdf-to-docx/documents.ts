/** Creates PDFs, converts them and reads the resulting Word documents with independent libraries. */
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { strFromU8, unzipSync } from "fflate";
import { expect } from "vitest";
import { type PdfOptions, pdfToDocx } from "../../../src/file-tools/pdf-to-docx/convert.js";
import { readWithMammoth } from "../../support/mammoth.js";
import { findViolations } from "./violations.js";

interface PdfStream extends NodeJS.ReadableStream {
  /** Adds to the content stream of the last page. */
  addContent(content: string): void;
  end(): void;
}

interface PdfMake {
  setFonts(fonts: unknown): void;
  setUrlAccessPolicy(policy: () => boolean): void;
  setLocalAccessPolicy(policy: () => boolean): void;
  createPdf(definition: object): { getStream(): Promise<PdfStream> };
}
const require = createRequire(import.meta.url);
const pdfmake: PdfMake = require("pdfmake");
pdfmake.setFonts(require("pdfmake/fonts/Roboto"));
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(() => true);

/** Writes a PDF with pdfmake. `extend` adds to it before it is finished. */
export async function pdfOf(
  content: unknown,
  definition: object = {},
  extend: (pdf: PdfStream) => void = () => {},
): Promise<Uint8Array> {
  const whole = { pageMargins: 60, defaultStyle: { fontSize: 11 }, content, ...definition };
  const pdf = await pdfmake.createPdf(whole).getStream();
  extend(pdf);
  pdf.end();
  return new Uint8Array(await buffer(pdf));
}

/** Writes a PDF with the objects numbered from 1, the first of which is the catalogue. A stream follows its dictionary. */
export function pdfFrom(objects: readonly (string | readonly [string, Uint8Array | string])[]): Uint8Array {
  const parts: (string | Uint8Array)[] = ["%PDF-1.7\n"];
  for (const [index, object] of objects.entries()) {
    const [dictionary, stream] = typeof object === "string" ? [object] : object;
    parts.push(`${index + 1} 0 obj\n${dictionary.replace("LENGTH", String(stream?.length ?? 0))}`);
    if (stream !== undefined) parts.push("\nstream\n", stream, "\nendstream");
    parts.push("\nendobj\n");
  }
  parts.push(`trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`);
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))),
  );
}

/** Writes a PDF of one page. The fifth object is Helvetica, and `more` adds objects from the sixth on. */
export const pageFrom = (
  content: string | readonly [string, Uint8Array],
  resources = "",
  more: readonly (string | readonly [string, Uint8Array | string])[] = [],
): Uint8Array =>
  pdfFrom([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R /G 6 0 R >> ${resources} >> >>`,
    typeof content === "string" ? ["<< /Length LENGTH >>", content] : content,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...more,
  ]);

export interface Converted {
  bytes: Uint8Array;
  files: Record<string, Uint8Array>;
  xml: string;
  styles: string;
  numbering: string;
  html: string;
  text: string;
}

/** Converts a PDF and checks that the document is valid. */
export async function convert(pdf: Uint8Array, options: PdfOptions = {}): Promise<Converted> {
  const bytes = await pdfToDocx(pdf, options);
  const files = unzipSync(bytes);
  expect(findViolations(files)).toEqual([]);
  const read = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
  const { html, text } = await readWithMammoth(Buffer.from(bytes));
  return {
    bytes,
    files,
    html,
    text,
    xml: read("word/document.xml"),
    styles: read("word/styles.xml"),
    numbering: read("word/numbering.xml"),
  };
}

export const picturesIn = ({ files }: Converted): Uint8Array[] =>
  Object.entries(files).flatMap(([name, bytes]) =>
    name.startsWith("word/media/") && bytes.length > 0 ? bytes : [],
  );

/** Returns about twelve lines of prose. */
export const prose = (start: string): string =>
  `${start} ${"the sandbox answers every call as the service would, with the same fields and the same errors, so that a program can be built against it. ".repeat(3)}`.trim();
