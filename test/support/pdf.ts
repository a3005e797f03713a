/** Opens PDFs with pdf.js, as its users do. */
import { loadPdfJs, type PdfFile } from "../../src/file-tools/pdf-to-docx/open-pdf.js";

export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const { getDocument } = await loadPdfJs();
  // A copy, because pdf.js transfers the buffer.
  return getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: true }).promise;
}

/** Returns the text of each page. */
export async function textsOf(file: PdfFile): Promise<string[]> {
  const texts: string[] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const { items } = await (await file.getPage(number)).getTextContent();
    texts.push(items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(""));
  }
  return texts;
}
