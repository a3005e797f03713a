/** Creates Word documents, converts them and reads the resulting PDFs with independent libraries. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium";
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
import { docxToPdf } from "../../../src/file-tools/docx-to-pdf/convert.js";
import { openPdf, textsOf } from "../../support/pdf.js";

export const convert = (docx: Uint8Array): Promise<Uint8Array> => docxToPdf(docx, {});

/** The test documents of mammoth, written by Word and others. */
export const sampleFolder = join(
  dirname(createRequire(import.meta.url).resolve("mammoth/package.json")),
  "test/test-data",
);
export const sampleDocuments = readdirSync(sampleFolder).filter((name) => name.endsWith(".docx"));

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

/** Writes a part whose root has this name, with all prefixes declared. */
export const partXml = (name: string, content: string): string =>
  `<?xml version="1.0"?><w:${name} ${namespaces}>${content}</w:${name}>`;

export const bodyXml = (body: string): string => partXml("document", `<w:body>${body}</w:body>`);

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

interface PictureOptions {
  /** Attribute that refers to the picture. Default: the picture that `docxWith` embeds. */
  reference?: string;
  /** Elements beside the reference, such as what is cropped. */
  source?: string;
  /** Attributes of the transformation, such as a rotation. */
  form?: string;
}

/** Writes a run with a picture of this size in points, and the alternative text "A map". */
export function pictureXml(width: number, height: number, options: PictureOptions = {}): string {
  const { reference = 'r:embed="i"', source = "", form = "" } = options;
  const extent = `<wp:extent cx="${width * 12_700}" cy="${height * 12_700}"/><wp:docPr descr="A map"/>`;
  const fill = `<a:blipFill><a:blip ${reference}/>${source}</a:blipFill><a:xfrm ${form}/>`;
  return `<w:r><w:rPr><w:sz w:val="24"/></w:rPr><w:drawing><wp:inline>${extent}<a:graphic>${fill}</a:graphic></wp:inline></w:drawing></w:r>`;
}

/** Returns a DOCX with a picture that the body refers to. */
export const docxWith = (
  picture: Uint8Array,
  ...[body, related = "", parts = {}]: Parameters<typeof partsOf>
) =>
  docxFrom(body, relation("i", "image", "media/i.png") + related, { "word/media/i.png": picture, ...parts });

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
  const file = await openPdf(pdf);
  const text = await textsOf(file);
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

export interface PlacedText {
  text: string;
  /** Distance of the baseline from the bottom of the page, in points. */
  y: number;
}

/** Returns the text of each page that is drawn within it. */
export async function shownOn(pdf: Uint8Array): Promise<PlacedText[][]> {
  const file = await openPdf(pdf);
  const pages: PlacedText[][] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const { items } = await page.getTextContent();
    const placed = items.flatMap((item) =>
      "str" in item && item.str.trim() !== "" ? [{ text: item.str, y: item.transform[5] as number }] : [],
    );
    const [, bottom = 0, , top = 0] = page.view;
    pages.push(placed.filter(({ y }) => y > bottom && y < top));
  }
  return pages;
}

interface OutlineEntry {
  title: string;
  items: OutlineEntry[];
}

/** Returns the titles in the PDF's outline, of all levels. */
export async function outlineOf(pdf: Uint8Array): Promise<string[]> {
  const titlesOf = (entries: readonly OutlineEntry[]): string[] =>
    entries.flatMap(({ title, items }) => [title, ...titlesOf(items)]);
  return titlesOf((await (await openPdf(pdf)).getOutline()) ?? []);
}

/** A part of a page, in points from its top left corner. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A rendered page or a part of one. Positions are shares of it from its top left corner. */
export interface RenderedPage {
  width: number;
  height: number;
  /** Red, green, blue. */
  colorAt(x: number, y: number): number[];
  /** Returns the share of pixels darker than mid-grey, in all or within a rectangle. */
  ink(left?: number, top?: number, right?: number, bottom?: number): number;
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8Array;
}

/** Draws a page, or an area of it, in pixels of `1 / scale` points. */
export async function renderPage(pdf: Uint8Array, page = 1, scale = 1, area?: Area): Promise<RenderedPage> {
  const [rendered] = await renderPages(pdf, [page], scale, area);
  return rendered as RenderedPage;
}

let library: Promise<PDFiumLibrary> | null = null;

/** Opens a PDF with PDFium, calls `work` and closes it. */
export async function withPdfium<T>(
  pdf: Uint8Array,
  work: (document: PDFiumDocument) => T | Promise<T>,
): Promise<T> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  try {
    return await work(document);
  } finally {
    document.destroy();
  }
}

/** Draws several pages of a file, which is read only once. */
export const renderPages = (
  pdf: Uint8Array,
  numbers: readonly number[],
  scale = 1,
  area?: Area,
): Promise<RenderedPage[]> =>
  withPdfium(pdf, async (document) => {
    const pages: RenderedPage[] = [];
    for (const number of numbers) {
      const page = document.getPage(number - 1);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const drawn = await page.render({ width: originalWidth * scale, height: originalHeight * scale });
      pages.push(renderedPage(area ? cut(drawn, scale, area) : drawn));
    }
    return pages;
  });

type Drawn = Pick<RenderedPage, "width" | "height" | "data">;

/** Returns an area of a page, from which it is drawn. */
function cut(drawn: Drawn, scale: number, { left, top, right, bottom }: Area): Drawn {
  const [x, y] = [Math.round(left * scale), Math.round(top * scale)];
  const [width, height] = [Math.floor((right - left) * scale), Math.floor((bottom - top) * scale)];
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * drawn.width + x) * 4;
    data.set(drawn.data.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, data };
}

function renderedPage({ width, height, data }: Drawn): RenderedPage {
  const colorAt = (x: number, y: number): number[] => {
    const from = (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1))) * 4;
    return [...data.subarray(from, from + 3)];
  };
  const ink = (left = 0, top = 0, right = 1, bottom = 1): number => {
    let dark = 0;
    let all = 0;
    for (let y = Math.floor(top * height); y < Math.floor(bottom * height); y++)
      for (let x = Math.floor(left * width); x < Math.floor(right * width); x++) {
        all++;
        if ((data[(y * width + x) * 4 + 1] ?? 255) < 128) dark++;
      }
    return dark / all;
  };
  return { width, height, colorAt, ink, data };
}
