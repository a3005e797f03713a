/** Reads sequences of paragraphs and tables, with Word's spacing between them. */
import type { PdfNode, RuleNode } from "./nodes.js";
import { ensureMargin, type ParagraphResult, readParagraph } from "./paragraphs.js";
import { colorOf } from "./run-style.js";
import { chooseAlternate } from "./runs.js";
import type { BlockContext } from "./story.js";
import { readBorder } from "./table-style.js";
import { readTable } from "./tables.js";
import { child, elementsOf, findElement, type XmlElement } from "./xml.js";

/** Elements that wrap blocks. Deleted blocks are not among them. */
const wrapperElements = new Set(["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag"]);

/** Deeper nested tables are read as plain text. */
const maxTableDepth = 8;

export class BlockReader {
  nodes: PdfNode[] = [];
  readonly #context: BlockContext;
  #last: ParagraphResult | null = null;
  #startsPage = false;

  constructor(context: BlockContext) {
    this.#context = context;
  }

  /** Returns the nodes read so far and starts an empty list. */
  take(): PdfNode[] {
    const { nodes } = this;
    this.nodes = [];
    this.#last = null;
    return nodes;
  }

  read(element: XmlElement): void {
    if (element.name === "w:p") this.#addParagraph(element);
    else if (element.name === "w:tbl") this.#addTable(element);
    else if (element.name === "mc:AlternateContent") this.readAll(chooseAlternate(element));
    else if (wrapperElements.has(element.name)) this.readAll(element);
  }

  readAll(parent: XmlElement): void {
    for (const one of elementsOf(parent)) this.read(one);
  }

  #addParagraph(element: XmlElement): void {
    const paragraph = readParagraph(element, this.#context);
    this.#collapse(paragraph);
    const borders = child(child(element, "w:pPr"), "w:pBdr");
    const nodes = withShadeAndRules(paragraph, borders, this.#context.width);
    this.#add(nodes);
    this.#last = paragraph;
    if (paragraph.endsPage) this.#startsPage = true;
    for (const box of paragraph.boxes) this.#addBox(box);
  }

  /** Collapses the space between two paragraphs to the larger one, or to none between contextually spaced ones of a style. */
  #collapse({ nodes, style, styleId }: ParagraphResult): void {
    const last = this.#last?.nodes.at(-1);
    const [first] = nodes;
    if (!this.#last || !last || !first) return;
    const isOneKind = this.#last.styleId === styleId;
    const above = ensureMargin(last);
    if (this.#last.style.isContextual && isOneKind) above[3] = 0;
    const own = ensureMargin(first);
    own[1] = style.isContextual && isOneKind ? 0 : Math.max(0, own[1] - above[3]);
  }

  #addTable(element: XmlElement): void {
    if (this.#context.depth >= maxTableDepth) {
      for (const cell of findElement(element, "w:tc")) this.readAll(cell);
      return;
    }
    const table = readTable(element, this.#context, readBlocks);
    if (!table) return;
    this.#add([table]);
    this.#last = null;
  }

  #addBox(box: XmlElement): void {
    const nodes = readBlocks(box, { ...this.#context, paragraph: {}, background: undefined });
    this.#add([{ stack: nodes, margin: [0, 2, 0, 4] }]);
    this.#last = null;
  }

  #add(nodes: readonly PdfNode[]): void {
    const [first] = nodes;
    if (first && this.#startsPage) {
      first.pageBreak = "before";
      this.#startsPage = false;
    }
    this.nodes.push(...nodes);
  }
}

export function readBlocks(parent: XmlElement, context: BlockContext): PdfNode[] {
  const blocks = new BlockReader(context);
  blocks.readAll(parent);
  return blocks.take();
}

/** Adds the paragraph's background shade and its top and bottom borders. */
function withShadeAndRules(
  { nodes, style }: ParagraphResult,
  borders: XmlElement | undefined,
  width: number,
): PdfNode[] {
  const above = borderRule(borders, "top", width);
  const below = borderRule(borders, "bottom", width);
  const shade = colorOf(style.shade?.slice(1));
  const inner: PdfNode[] =
    shade && shade !== "#ffffff" && nodes.length > 0 ? [shadedTable(nodes, shade, width)] : nodes;
  if (!above && !below) return inner;
  return [...(above ? [above] : []), ...inner, ...(below ? [below] : [])];
}

function borderRule(borders: XmlElement | undefined, side: string, width: number): RuleNode | null {
  const line = readBorder(borders, side);
  if (!line?.isDrawn) return null;
  return {
    canvas: [{ type: "line", x1: 0, y1: 1, x2: width, y2: 1, lineWidth: 0.75, lineColor: line.color }],
    margin: [0, 1, 0, 2],
  };
}

const none = () => 0;

function shadedTable(nodes: PdfNode[], fillColor: string, width: number): PdfNode {
  const pageBreak = nodes[0]?.pageBreak;
  if (nodes[0]) delete nodes[0].pageBreak;
  const border: [boolean, boolean, boolean, boolean] = [false, false, false, false];
  return {
    table: {
      widths: [width],
      headerRows: 0,
      heights: ["auto"],
      dontBreakRows: false,
      body: [[{ stack: nodes, fillColor, border }]],
    },
    layout: {
      hLineWidth: none,
      vLineWidth: none,
      paddingLeft: none,
      paddingRight: none,
      paddingTop: none,
      paddingBottom: none,
    },
    ...(pageBreak ? { pageBreak } : {}),
  };
}
