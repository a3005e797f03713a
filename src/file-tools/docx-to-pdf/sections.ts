/** Reads the blocks of a document: sections, and their sequences of paragraphs and tables. */

import type { DocxPackage } from "./docx-package.js";
import type { DocumentBlock, PageParts, Section } from "./nodes.js";
import { type ParagraphResult, readParagraph } from "./paragraphs.js";
import { chooseAlternate } from "./runs.js";
import { type BlockContext, createStory, type DocxStory, topLevelContext } from "./story.js";
import { clamp, isOn, pointsOf } from "./styles.js";
import { readTable } from "./tables.js";
import { child, children, elementsOf, findElement, valOf, type XmlElement } from "./xml.js";

/** Elements that wrap blocks. Deleted blocks are not among them. */
const wrapperElements = new Set(["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag"]);

/** Deeper nested tables are read as plain text. */
const maxTableDepth = 8;

class BlockReader {
  readonly blocks: DocumentBlock[] = [];
  readonly #context: BlockContext;
  #last: ParagraphResult | null = null;
  #startsPage = false;

  constructor(context: BlockContext) {
    this.#context = context;
  }

  readAll(elements: readonly XmlElement[]): void {
    for (const element of elements) this.#read(element);
  }

  #read(element: XmlElement): void {
    if (element.name === "w:p") this.#addParagraph(element);
    else if (element.name === "w:tbl") this.#addTable(element);
    else if (element.name === "mc:AlternateContent") this.readAll(elementsOf(chooseAlternate(element)));
    else if (wrapperElements.has(element.name)) this.readAll(elementsOf(element));
  }

  #addParagraph(element: XmlElement): void {
    const paragraph = readParagraph(element, this.#context);
    this.#removeContextualSpace(paragraph);
    this.#startsPage ||= paragraph.startsPage && this.blocks.length > 0;
    this.#add(paragraph.blocks);
    this.#last = paragraph;
    this.#startsPage ||= paragraph.endsPage;
    for (const box of paragraph.boxes) this.#addBox(box);
  }

  /** Removes the space between paragraphs of one style that asks for none. Typst collapses other spaces to the larger one. */
  #removeContextualSpace({ blocks: [first], style, styleId }: ParagraphResult): void {
    const last = this.#last?.blocks.at(-1);
    if (!this.#last || this.#last.styleId !== styleId) return;
    if (this.#last.style.isContextual && last?.kind === "paragraph") last.below = 0;
    if (style.isContextual && first?.kind === "paragraph") first.above = 0;
  }

  #addTable(element: XmlElement): void {
    if (this.#context.depth >= maxTableDepth) {
      for (const cell of findElement(element, "w:tc")) this.readAll(elementsOf(cell));
      return;
    }
    const table = readTable(element, this.#context);
    if (!table) return;
    this.#add([table]);
    this.#last = null;
  }

  #addBox(box: XmlElement): void {
    this.#add(readBlocks(box, { ...this.#context, paragraph: {}, background: undefined }));
    this.#last = null;
  }

  /** Adds blocks. Pages can only be broken outside tables, in the body. */
  #add(blocks: readonly DocumentBlock[]): void {
    if (blocks.length === 0) return;
    const isBreakable = this.#context.depth === 0 && this.#context.story.kind === "body";
    if (this.#startsPage && isBreakable) this.blocks.push({ kind: "page-break" });
    this.#startsPage = false;
    this.blocks.push(...blocks.filter(({ kind }) => isBreakable || kind !== "page-break"));
  }
}

export const readBlocks = (
  parent: XmlElement | readonly XmlElement[],
  context: BlockContext,
): DocumentBlock[] => {
  const reader = new BlockReader(context);
  reader.readAll("name" in parent ? elementsOf(parent) : parent);
  return reader.blocks;
};

/** Limits of the page size. Word allows 22 inches, which is 1,584 points. */
const minPageSide = 72;
const maxPageSide = 2_000;

type PageLayout = Pick<
  Section,
  "width" | "height" | "left" | "top" | "right" | "bottom" | "header-at" | "footer-at"
>;

function readPageLayout(properties: XmlElement | undefined): PageLayout {
  const size = child(properties, "w:pgSz")?.attributes;
  const margins = child(properties, "w:pgMar")?.attributes;
  // Word's default is US Letter.
  const width = clamp(pointsOf(size?.["w:w"]) ?? 612, minPageSide, maxPageSide);
  const height = clamp(pointsOf(size?.["w:h"]) ?? 792, minPageSide, maxPageSide);
  const margin = (side: string, most: number): number =>
    clamp(Math.abs(pointsOf(margins?.[`w:${side}`]) ?? 72), 0, most);
  return {
    width,
    height,
    left: margin("left", width * 0.4) + clamp(pointsOf(margins?.["w:gutter"]) ?? 0, 0, 100),
    top: margin("top", height * 0.4),
    right: margin("right", width * 0.4),
    bottom: margin("bottom", height * 0.4),
    "header-at": clamp(pointsOf(margins?.["w:header"]) ?? 36, 0, height * 0.3),
    "footer-at": clamp(pointsOf(margins?.["w:footer"]) ?? 36, 0, height * 0.3),
  };
}

/** Room that a page always leaves below its last line, in which a picture as high as the page would not fit. */
const spareHeight = 20;

export class SectionReader {
  readonly sections: Section[] = [];
  readonly #file: DocxPackage;
  readonly #story: DocxStory;
  /** Headers and footers of the current section. Missing ones are inherited from the previous section. */
  #paths: Readonly<Record<string, string>> = {};

  constructor(file: DocxPackage, story: DocxStory) {
    this.#file = file;
    this.#story = story;
  }

  /** Reads the body by section. A section ends with the paragraph that has its properties. */
  read(body: XmlElement): void {
    let pending: XmlElement[] = [];
    for (const element of elementsOf(body)) {
      if (element.name === "w:sectPr") continue;
      pending.push(element);
      const properties = child(child(element, "w:pPr"), "w:sectPr");
      if (!properties) continue;
      this.#add(pending, properties);
      pending = [];
    }
    const last = child(body, "w:sectPr");
    if (pending.length > 0 || this.sections.length === 0) this.#add(pending, last);
  }

  #add(elements: readonly XmlElement[], properties: XmlElement | undefined): void {
    this.#readPaths(properties);
    const layout = readPageLayout(properties);
    const width = layout.width - layout.left - layout.right;
    const height = layout.height - layout.top - layout.bottom - spareHeight;
    const blocks = readBlocks(elements, topLevelContext(this.#story, width, height));
    const isContinuous = valOf(properties, "w:type") === "continuous";
    const previous = this.sections.at(-1);
    const hasSameSize = previous?.width === layout.width && previous.height === layout.height;
    if (isContinuous && previous && hasSameSize) previous.blocks.push(...blocks);
    else
      this.sections.push({
        ...layout,
        name: `section-${this.sections.length + 1}`,
        headers: this.#readParts("header", width, layout.height),
        footers: this.#readParts("footer", width, layout.height),
        "has-first-page": isOn(properties, "w:titlePg") ?? false,
        start: pageStart(properties),
        blocks,
      });
  }

  #readPaths(properties: XmlElement | undefined): void {
    const relationships = this.#file.relationshipsOf(this.#file.mainPath);
    for (const kind of ["header", "footer"] as const)
      for (const { attributes } of children(properties, `w:${kind}Reference`)) {
        const relationship = relationships.get(attributes["r:id"] ?? "");
        if (relationship && !relationship.isExternal)
          this.#paths = {
            ...this.#paths,
            [`${kind} ${attributes["w:type"] ?? "default"}`]: relationship.target,
          };
      }
  }

  #readParts(kind: "header" | "footer", width: number, pageHeight: number): PageParts {
    const parts: PageParts = {};
    for (const type of ["default", "first", "even"]) {
      const path = this.#paths[`${kind} ${type}`];
      const root = path === undefined ? undefined : this.#file.readPart(path);
      if (path === undefined || !root) continue;
      const story = createStory(this.#story, "header", this.#file.relationshipsOf(path));
      parts[type] = readBlocks(root, topLevelContext(story, width, pageHeight * 0.3));
    }
    return parts;
  }
}

function pageStart(properties: XmlElement | undefined): number | null {
  const start = Number(child(properties, "w:pgNumType")?.attributes["w:start"] ?? Number.NaN);
  return Number.isSafeInteger(start) ? start : null;
}
