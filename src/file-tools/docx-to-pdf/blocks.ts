/** Reads sequences of paragraphs and tables, with Word's spacing between them. */
import type { DocumentBlock } from "./nodes.js";
import { type ParagraphResult, readParagraph } from "./paragraphs.js";
import { chooseAlternate } from "./runs.js";
import type { BlockContext } from "./story.js";
import { readTable } from "./tables.js";
import { elementsOf, findElement, type XmlElement } from "./xml.js";

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
