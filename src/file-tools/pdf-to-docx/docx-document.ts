/** Writes the Word document: styles, numbering, sections with their margins, and document properties. */

import {
  Document,
  type LevelFormat as Format,
  type ILevelsOptions,
  type ISectionOptions,
  LevelFormat,
  Packer,
  PageOrientation,
} from "docx";
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from "fflate";
import { notInXml } from "../../contract/escape-markup.js";
import {
  BlockWriter,
  type ComposedPage,
  type DefaultStyle,
  listName,
  toHalfPoints,
  toTwips,
} from "./docx-blocks.js";
import type { ListLevel, Lists } from "./lists.js";
import type { PdfFile } from "./open-pdf.js";
import { boundingBox, type Column, type Marker, type PageContent } from "./page-model.js";

/** Noon of the earliest day that a zip can store, the same in all time zones. */
const zipDate = "1980-01-01T12:00:00";
const defaultCreationDate = "1980-01-01T00:00:00Z";

/** Parts to store first, for programs that detect the file type from the first bytes. */
const leadingParts = ["[Content_Types].xml", "_rels/.rels", "word/document.xml"];

/**
 * Makes docx's output reproducible, by replacing random ids and the current time, and valid, by replacing characters
 * that XML does not allow.
 */
export function makeReproducible(docx: Uint8Array, created: string | null): Uint8Array {
  const files = unzipSync(docx);
  const ids = new Map<string, string>();
  const names = Object.keys(files).filter((name) => !name.endsWith("/"));
  const order = [...leadingParts, ...names.filter((name) => !leadingParts.includes(name)).sort()];
  const sealed: Zippable = {};
  for (const name of order) {
    const bytes = files[name];
    if (!bytes) continue;
    const isXml = /\.(?:xml|rels)$/.test(name);
    sealed[name] = [
      isXml ? strToU8(cleanXml(strFromU8(bytes), ids, created ?? defaultCreationDate)) : bytes,
      { level: isXml ? 6 : 0 },
    ];
  }
  return zipSync(sealed, { mtime: zipDate, level: 6 });
}

/** Numbers the ids of links in document order, sets the dates and replaces forbidden characters. */
const cleanXml = (xml: string, ids: Map<string, string>, date: string): string =>
  xml
    .replace(notInXml, "\ufffd")
    .replace(/(r:id|Id)="rId([a-z0-9_-]{15,})"/g, (_, attribute, id) => {
      if (!ids.has(id)) ids.set(id, `rIdLink${ids.size + 1}`);
      return `${attribute}="${ids.get(id)}"`;
    })
    .replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, (_, tag) => `${tag}${date}`);

interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pages of one size, with one set of margins. */
export interface DocxSection {
  pages: ComposedPage[];
  margins: Margins;
}

interface DocumentProperties {
  title: string;
  author: string;
  subject: string;
  keywords: string;
  language: string;
}

const levelFormats: Readonly<Record<Marker["kind"], (typeof Format)[keyof typeof Format]>> = {
  bullet: LevelFormat.BULLET,
  decimal: LevelFormat.DECIMAL,
  lowerLetter: LevelFormat.LOWER_LETTER,
  upperLetter: LevelFormat.UPPER_LETTER,
  lowerRoman: LevelFormat.LOWER_ROMAN,
  upperRoman: LevelFormat.UPPER_ROMAN,
};

export async function writeDocx(
  sections: readonly DocxSection[],
  lists: Lists,
  base: DefaultStyle,
  properties: DocumentProperties,
): Promise<Uint8Array> {
  const writer = new BlockWriter(base, lists);
  const run = {
    font: base.family,
    size: toHalfPoints(base.size),
    language: { value: properties.language },
  };
  const heading = (level: 0 | 1 | 2) => ({
    run: { size: toHalfPoints(base.headingSizes[level]), color: "000000" },
    paragraph: { keepNext: true, outlineLevel: level },
  });
  const document = new Document({
    title: properties.title,
    creator: properties.author,
    lastModifiedBy: properties.author,
    subject: properties.subject,
    keywords: properties.keywords,
    styles: {
      default: { document: { run }, heading1: heading(0), heading2: heading(1), heading3: heading(2) },
    },
    numbering: {
      config: lists.map((levels, id) => ({ reference: listName(id), levels: levels.map(levelOf) })),
    },
    sections: sections.map((section) => sectionOf(section, writer)),
  });
  return Packer.toBuffer(document);
}

function levelOf({ marker, left, hanging }: ListLevel, level: number): ILevelsOptions {
  return {
    level,
    format: levelFormats[marker.kind],
    text: marker.pattern.replace("%1", `%${level + 1}`),
    start: marker.kind === "bullet" ? 1 : marker.value,
    style: { paragraph: { indent: { left: toTwips(left), hanging: toTwips(hanging) } } },
  };
}

function sectionOf({ pages, margins }: DocxSection, writer: BlockWriter): ISectionOptions {
  const [first] = pages;
  const { width, height } = first?.page ?? { width: 595, height: 842 };
  const area = {
    width: width - margins.left - margins.right,
    height: height - margins.top - margins.bottom - 14,
  };
  const isLandscape = width > height;
  return {
    properties: {
      page: {
        // docx swaps width and height of a landscape page.
        size: {
          width: toTwips(isLandscape ? height : width),
          height: toTwips(isLandscape ? width : height),
          orientation: isLandscape ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
        },
        margin: {
          left: toTwips(margins.left),
          right: toTwips(margins.right),
          top: toTwips(margins.top),
          bottom: toTwips(margins.bottom),
          header: 0,
          footer: 0,
        },
      },
    },
    children: pages.flatMap((page, index) => writer.page(page, area, index < pages.length - 1)),
  };
}

/** Minimum margin in points. */
const minMargin = 18;
const bottomMargin = 28;

/**
 * Widens the column of a page with only short lines to equal margins, because the lines do not show how wide text may
 * be.
 */
export function widenColumn(body: Column, width: number): Column {
  const isNarrow = body.right - body.left < 0.6 * (width - 2 * body.left);
  return isNarrow ? { left: body.left, right: width - Math.min(body.left, 0.25 * width) } : body;
}

/** Chooses margins that keep the width of the text, with a small bottom margin, because Word needs slightly more space. */
export function findMargins(pages: readonly PageContent[], body: Column | undefined): Margins {
  const [page] = pages;
  const { width, height } = page ?? { width: 595, height: 842 };
  const within = (value: number, least: number, share: number, whole: number): number =>
    Math.min(Math.max(value, least), share * whole);
  const contents = pages.flatMap(({ runs, pictures }) => [...runs, ...pictures]);
  const { top } = contents.length > 0 ? boundingBox(contents) : { top: minMargin };
  if (!body) return { left: minMargin, right: minMargin, top: minMargin, bottom: minMargin };
  return {
    left: within(body.left, minMargin, 0.4, width),
    right: within(width - body.right, minMargin, 0.4, width),
    top: within(top, minMargin, 0.2, height),
    bottom: bottomMargin,
  };
}

const defaultLanguage = "en-GB";
const maxTextLength = 400;

type Info = Readonly<Record<string, unknown>>;

const readInfo = async (pdf: PdfFile): Promise<Info> =>
  pdf.getMetadata().then(
    ({ info }) => info as Info,
    () => ({}),
  );

/** Removes characters that XML does not allow. */
const cleanText = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replace(/[\u0000-\u001f\u007f\ufffe\uffff]|\p{Cs}/gu, "")
        .trim()
        .slice(0, maxTextLength)
    : "";

export async function readProperties(pdf: PdfFile): Promise<DocumentProperties> {
  const { Title, Author, Subject, Keywords, Language } = await readInfo(pdf);
  const isLanguage = typeof Language === "string" && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(Language);
  return {
    title: cleanText(Title),
    author: cleanText(Author),
    subject: cleanText(Subject),
    keywords: cleanText(Keywords),
    language: isLanguage ? Language : defaultLanguage,
  };
}

/** Returns the creation date in W3CDTF, as UTC whatever its time zone, or null without one. */
export async function readCreationDate(pdf: PdfFile): Promise<string | null> {
  const { CreationDate } = await readInfo(pdf);
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^D:(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)?/.exec(
      String(CreationDate),
    ) ?? [];
  return year ? `${year}-${month}-${day}T${hour}:${minute}:${second}Z` : null;
}
