/** Paragraphs and tables one below the other, with the space that Word leaves between them. */
import type { Node, RuleNode } from "./nodes.js";
import { type Paragraph, readParagraph, withMargin } from "./paragraphs.js";
import { colorOf } from "./run-style.js";
import { chosen } from "./runs.js";
import type { Place } from "./story.js";
import { lineAt } from "./table-style.js";
import { readTable } from "./tables.js";
import { child, elementsOf, find, type XmlElement } from "./xml.js";

/** What wraps blocks without being one. Deleted blocks are left out. */
const wrappers = new Set(["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag"]);

/** Tables within tables within …: from here on their text is read without them. */
const deepestTable = 8;

export class Blocks {
  nodes: Node[] = [];
  readonly #place: Place;
  #last: Paragraph | null = null;
  #startsPage = false;

  constructor(place: Place) {
    this.#place = place;
  }

  /** What was read so far, which is then done. */
  take(): Node[] {
    const { nodes } = this;
    this.nodes = [];
    this.#last = null;
    return nodes;
  }

  read(element: XmlElement): void {
    if (element.name === "w:p") this.#addParagraph(element);
    else if (element.name === "w:tbl") this.#addTable(element);
    else if (element.name === "mc:AlternateContent") this.readAll(chosen(element));
    else if (wrappers.has(element.name)) this.readAll(element);
  }

  readAll(parent: XmlElement): void {
    for (const one of elementsOf(parent)) this.read(one);
  }

  #addParagraph(element: XmlElement): void {
    const paragraph = readParagraph(element, this.#place);
    this.#collapse(paragraph);
    const borders = child(child(element, "w:pPr"), "w:pBdr");
    const nodes = framed(paragraph, borders, this.#place.width);
    this.#add(nodes);
    this.#last = paragraph;
    if (paragraph.endsPage) this.#startsPage = true;
    for (const box of paragraph.boxes) this.#addBox(box);
  }

  /** Between two paragraphs stands the larger of their spaces, not the sum; none within a list of one style. */
  #collapse({ nodes, style, styleId }: Paragraph): void {
    const last = this.#last?.nodes.at(-1);
    const [first] = nodes;
    if (!this.#last || !last || !first) return;
    const isOneKind = this.#last.styleId === styleId;
    const above = withMargin(last);
    if (this.#last.style.isContextual && isOneKind) above[3] = 0;
    const own = withMargin(first);
    own[1] = style.isContextual && isOneKind ? 0 : Math.max(0, own[1] - above[3]);
  }

  #addTable(element: XmlElement): void {
    if (this.#place.depth >= deepestTable) {
      for (const cell of find(element, "w:tc")) this.readAll(cell);
      return;
    }
    const table = readTable(element, this.#place, readBlocks);
    if (!table) return;
    this.#add([table]);
    this.#last = null;
  }

  #addBox(box: XmlElement): void {
    const nodes = readBlocks(box, { ...this.#place, paragraph: {}, background: undefined });
    this.#add([{ stack: nodes, margin: [0, 2, 0, 4] }]);
    this.#last = null;
  }

  #add(nodes: readonly Node[]): void {
    const [first] = nodes;
    if (first && this.#startsPage) {
      first.pageBreak = "before";
      this.#startsPage = false;
    }
    this.nodes.push(...nodes);
  }

  /** A break with nothing after it leaves an empty page. */
  get endsWithBreak(): boolean {
    return this.#startsPage;
  }
}

export function readBlocks(parent: XmlElement, place: Place): Node[] {
  const blocks = new Blocks(place);
  blocks.readAll(parent);
  return blocks.take();
}

/** With a shade behind and rules above and below, where the paragraph asks for them. */
function framed({ nodes, style }: Paragraph, borders: XmlElement | undefined, width: number): Node[] {
  const above = ruleAt(borders, "top", width);
  const below = ruleAt(borders, "bottom", width);
  const shade = colorOf(style.shade?.slice(1));
  const inner: Node[] =
    shade && shade !== "#ffffff" && nodes.length > 0 ? [shaded(nodes, shade, width)] : nodes;
  if (!above && !below) return inner;
  return [...(above ? [above] : []), ...inner, ...(below ? [below] : [])];
}

function ruleAt(borders: XmlElement | undefined, side: string, width: number): RuleNode | null {
  const line = lineAt(borders, side);
  if (!line?.isDrawn) return null;
  return {
    canvas: [{ type: "line", x1: 0, y1: 1, x2: width, y2: 1, lineWidth: 0.75, lineColor: line.color }],
    margin: [0, 1, 0, 2],
  };
}

const none = () => 0;

function shaded(nodes: Node[], fillColor: string, width: number): Node {
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
