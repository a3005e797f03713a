/** Writes the Word document: styles, numbering, sections and document properties. */
import {
  Document,
  type LevelFormat as Format,
  type ILevelsOptions,
  type ISectionOptions,
  LevelFormat,
  Packer,
  PageOrientation,
} from "docx";
import { BlockWriter, type ComposedPage } from "./docx-blocks.js";
import { type DefaultStyle, listName, toHalfPoints, toTwips } from "./docx-text.js";
import type { ListLevel, Lists } from "./lists.js";
import type { Marker } from "./page-model.js";

export interface Margins {
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

export interface DocumentProperties {
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
    font: base.face.family,
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
