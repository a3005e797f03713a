/** The Word document: styles, numbering, sections of pages that are alike, and what the PDF says of itself. */
import {
  Document,
  type LevelFormat as Format,
  type ILevelsOptions,
  type ISectionOptions,
  LevelFormat,
  Packer,
  PageOrientation,
} from "docx";
import { BlockWriter } from "./docx-blocks.js";
import { type Base, halfPoints, listName, twips } from "./docx-text.js";
import type { ListLevel, Lists } from "./lists.js";
import type { Block, Marker, Page, Paragraph, Picture } from "./model.js";

export interface Composed {
  page: Pick<Page, "width" | "height">;
  blocks: Block[];
  /** What pictures show, for whoever searches or listens. */
  hidden: Paragraph[];
  behind: Picture[];
}

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pages of one size, with one set of margins. */
export interface Section {
  pages: Composed[];
  margins: Margins;
}

export interface About {
  title: string;
  author: string;
  subject: string;
  keywords: string;
  language: string;
}

const formats: Readonly<Record<Marker["kind"], (typeof Format)[keyof typeof Format]>> = {
  bullet: LevelFormat.BULLET,
  decimal: LevelFormat.DECIMAL,
  lowerLetter: LevelFormat.LOWER_LETTER,
  upperLetter: LevelFormat.UPPER_LETTER,
  lowerRoman: LevelFormat.LOWER_ROMAN,
  upperRoman: LevelFormat.UPPER_ROMAN,
};

export async function write(
  sections: readonly Section[],
  lists: Lists,
  base: Base,
  about: About,
): Promise<Uint8Array> {
  const writer = new BlockWriter(base, lists);
  const run = { font: base.face.family, size: halfPoints(base.size), language: { value: about.language } };
  const heading = (level: 0 | 1 | 2) => ({
    run: { size: halfPoints(base.headingSizes[level]), color: "000000" },
    paragraph: { keepNext: true, outlineLevel: level },
  });
  const document = new Document({
    title: about.title,
    creator: about.author,
    lastModifiedBy: about.author,
    subject: about.subject,
    keywords: about.keywords,
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
    format: formats[marker.kind],
    text: marker.pattern.replace("%1", `%${level + 1}`),
    start: marker.kind === "bullet" ? 1 : marker.value,
    style: { paragraph: { indent: { left: twips(left), hanging: twips(hanging) } } },
  };
}

function sectionOf({ pages, margins }: Section, writer: BlockWriter): ISectionOptions {
  const [first] = pages;
  const { width, height } = first?.page ?? { width: 595, height: 842 };
  const room = {
    width: width - margins.left - margins.right,
    height: height - margins.top - margins.bottom - 14,
  };
  const isLandscape = width > height;
  return {
    properties: {
      page: {
        // docx swaps the two for a landscape page.
        size: {
          width: twips(isLandscape ? height : width),
          height: twips(isLandscape ? width : height),
          orientation: isLandscape ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
        },
        margin: {
          left: twips(margins.left),
          right: twips(margins.right),
          top: twips(margins.top),
          bottom: twips(margins.bottom),
          header: 0,
          footer: 0,
        },
      },
    },
    children: pages.flatMap((page, index) => writer.page(page, room, index < pages.length - 1)),
  };
}
