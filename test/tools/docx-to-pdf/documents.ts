/** Creates Word documents, converts them and reads the resulting PDFs with independent libraries. */
import {
  Document,
  type FileChild,
  type IPropertiesOptions,
  type ISectionOptions,
  Packer,
  Paragraph,
  TextRun,
} from "docx";
import { strToU8, zipSync } from "fflate";
import sharp from "sharp";
import { docxToPdf } from "../../../src/tools/docx-to-pdf/convert.js";
// Polyfills Node 20 for pdf.js.
import "../../../src/tools/pdf-to-docx/open-pdf.js";
import { extractText, getDocumentProxy, renderPageAsImage } from "unpdf";

export const convert = (docx: Uint8Array): Promise<Uint8Array> => docxToPdf(docx, { libreoffice: "off" });

/** Writes a document with the docx library. */
export async function docxOf(
  children: readonly FileChild[],
  section: Omit<ISectionOptions, "children"> = {},
  options: Omit<IPropertiesOptions, "sections"> = {},
): Promise<Uint8Array> {
  const document = new Document({ ...options, sections: [{ ...section, children }] });
  return new Uint8Array(await Packer.toBuffer(document));
}

export const line = (text: string, font = "Arial"): Paragraph =>
  new Paragraph({ children: [new TextRun({ text, font, size: 24 })] });

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(" ");

const relations = (entries: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries}</Relationships>`;
const officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export const relation = (id: string, type: string, target: string, isExternal = false): string =>
  `<Relationship Id="${id}" Type="${officeTypes}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ""}/>`;

export const bodyXml = (body: string): string =>
  `<?xml version="1.0"?><w:document ${namespaces}><w:body>${body}</w:body></w:document>`;

export const paragraphXml = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Returns the parts of a minimal DOCX. `parts` adds or replaces parts by path. */
export const partsOf = (
  body: string,
  related = "",
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Record<string, Uint8Array> => {
  const all = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations(relation("r1", "officeDocument", "word/document.xml")),
    "word/_rels/document.xml.rels": relations(related),
    "word/document.xml": bodyXml(body),
    ...parts,
  };
  return Object.fromEntries(
    Object.entries(all).map(([path, part]) => [path, typeof part === "string" ? strToU8(part) : part]),
  );
};

export const docxFrom = (...parts: Parameters<typeof partsOf>): Uint8Array => zipSync(partsOf(...parts));

export interface ReadPage {
  /** Text with line breaks. */
  text: string;
  /** Size in points. */
  width: number;
  height: number;
  /** Distinct URLs of external links. */
  links: string[];
  /** Target pages of internal links, from 0. */
  jumps: number[];
}

export async function readPages(pdf: Uint8Array): Promise<ReadPage[]> {
  const file = await getDocumentProxy(pdf.slice());
  const { text } = await extractText(file, { mergePages: false });
  const pages: ReadPage[] = [];
  for (const [at, own] of text.entries()) {
    const page = await file.getPage(at + 1);
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
    const annotations = await page.getAnnotations();
    const jumps = new Set<number>();
    for (const { dest } of annotations) {
      if (!dest) continue;
      const [reference] = (typeof dest === "string" ? await file.getDestination(dest) : dest) ?? [];
      jumps.add(await file.getPageIndex(reference));
    }
    const links = new Set<string>(annotations.flatMap(({ url }) => (url ? [url] : [])));
    pages.push({
      text: own,
      width: right - left,
      height: top - bottom,
      links: [...links],
      jumps: [...jumps],
    });
  }
  return pages;
}

export const textOf = async (pdf: Uint8Array): Promise<string> =>
  (await readPages(pdf)).map(({ text }) => text).join("\n");

/** Returns the titles in the PDF's outline. */
export async function outlineOf(pdf: Uint8Array): Promise<string[]> {
  const outline = await (await getDocumentProxy(pdf.slice())).getOutline();
  return (outline ?? []).map(({ title }) => title);
}

/** A rendered page. Positions are shares of the page from its top left corner. */
export interface RenderedPage {
  width: number;
  height: number;
  /** Red, green, blue. */
  colorAt(x: number, y: number): number[];
  /** Returns the share of pixels darker than mid-grey, on the page or within a rectangle. */
  ink(left?: number, top?: number, right?: number, bottom?: number): number;
  data: Buffer;
}

export async function renderPage(pdf: Uint8Array, page = 1, scale = 1): Promise<RenderedPage> {
  const png = await renderPageAsImage(pdf.slice(), page, {
    canvasImport: () => import("@napi-rs/canvas"),
    scale,
  });
  const image = sharp(Buffer.from(png)).flatten({ background: "#ffffff" }).toColourspace("srgb");
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const colorAt = (x: number, y: number): number[] => {
    const from = (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1))) * 3;
    return [...data.subarray(from, from + 3)];
  };
  const ink = (left = 0, top = 0, right = 1, bottom = 1): number => {
    let dark = 0;
    let all = 0;
    for (let y = Math.floor(top * height); y < Math.floor(bottom * height); y++)
      for (let x = Math.floor(left * width); x < Math.floor(right * width); x++) {
        all++;
        if ((data[(y * width + x) * 3 + 1] ?? 255) < 128) dark++;
      }
    return dark / all;
  };
  return { width, height, colorAt, ink, data };
}
