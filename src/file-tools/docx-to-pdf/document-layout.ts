/**
 * Extends pdfmake's line layout by tabs, inline pictures, first-line and hanging indents, and right-to-left text, and
 * replaces its vertical alignment of cells, which moves rows off the page when a cell crosses it.
 */
import { toVisualOrder } from "./bidi.js";
import type { PdfNode, Size, TabStop } from "./nodes.js";
import {
  type AlignmentMark,
  LayoutBuilder,
  type LayoutNode,
  type MeasuredInline,
  type Pdf,
  type PdfTextLine,
  type PlacedArea,
  type TableRow,
} from "./pdfmake.js";
import { PictureLine, sizePictures } from "./picture-line.js";

/** A paragraph after pdfmake has measured it. */
interface MeasuredText {
  _inlines?: MeasuredInline[];
  /** Number of inlines already placed on lines. */
  placedInlines?: number;
  firstIndent?: number;
  tabs?: TabStop[];
  rightToLeft?: boolean;
}

/** A vertically aligned cell whose content is on one page. */
interface AlignedCell {
  marks: AlignmentMark[];
  page: number;
  /** Bottom of its content. */
  bottom: number;
}

const defaultTabWidth = 36;
const minTabWidth = 3;

/** Higher than any header or footer that is shown. */
const measuringHeight = 20_000;

/** The font is that of text that this engine does not style, such as none in cells that pdfmake adds. */
export const defaultStyle = { preserveLeadingSpaces: true, font: "serif" };

export class DocumentLayout extends LayoutBuilder {
  /** Aligned cells by their node, or by the last node that they cover if they span rows. */
  readonly #alignedCells = new Map<LayoutNode, AlignedCell>();

  /** Height of what has been laid out on the current page, with the top margin. */
  get height(): number {
    return this.writer.context().y;
  }

  /** Gives headers and footers, which place themselves, the whole page, as pdfmake cuts them off at the margin. */
  protected override addHeadersAndFooters(): void {
    const wholePage = ({ width, height }: Size): PlacedArea => ({ x: 0, y: 0, width, height });
    this.addDynamicRepeatable(null, wholePage, "header");
    this.addDynamicRepeatable(null, wholePage, "footer");
  }

  /** Nested tables add many page listeners, which would make Node warn of a leak. */
  protected override processTable(table: object): void {
    this.writer.setMaxListeners(0);
    super.processTable(table);
  }

  protected override processNode(node: LayoutNode, isVerticalAlignmentAllowed = false): void {
    const { page } = this.writer.context();
    super.processNode(node, isVerticalAlignmentAllowed);
    const { page: lastPage, y: bottom } = this.writer.context();
    const marks = this.verticalAlignmentItemStack.at(-1);
    if (isVerticalAlignmentAllowed && node.verticalAlignment && marks && page === lastPage)
      this.#alignedCells.set(node, { marks: [marks.begin.item, marks.end.item], page, bottom });
  }

  /** Aligns the cells that end with the row. A cell that crosses a page keeps its content at the top. */
  protected override processRow(row: TableRow): object {
    const result = super.processRow(row);
    const { cells, tableBody = [], rowIndex = 0 } = row;
    const { page, y, availableHeight } = this.writer.context();
    const rowBottom = y + Math.min(0, availableHeight);
    for (const [column, cell] of cells.entries()) {
      const aligned = this.#alignedCells.get(cell);
      const last = tableBody[rowIndex + (cell.rowSpan ?? 1) - 1]?.[column];
      if (!aligned) continue;
      if (last && last !== cell) this.#alignedCells.set(last, aligned);
      else if (aligned.page === page)
        for (const mark of aligned.marks) mark.shift = Math.max(0, rowBottom - aligned.bottom);
    }
    return result;
  }

  protected override buildNextLine(text: MeasuredText): PdfTextLine | null {
    const inlines = text._inlines;
    if (!inlines?.length) return null;
    const line = new PictureLine(this.writer.context().availableWidth);
    let at = text.placedInlines ?? 0;
    const first = inlines[at] as MeasuredInline;
    if (at === 0) first.leadingCut = -(text.firstIndent ?? 0);
    if (at === 0) sizePictures(inlines);
    let mustContinue = false;
    while (at < inlines.length) {
      const inline = inlines[at] as MeasuredInline;
      if (inline.tab) stretchTab(line, inlines, at, text.tabs ?? []);
      if (!mustContinue && !line.hasEnoughSpaceForInline(inline, unbreakableInlines(inlines, at))) break;
      const rest = splitToFit(line, inline);
      line.addInline(inline);
      mustContinue = inline.noNewLine === true && !rest;
      if (rest) inlines[at] = rest;
      else at++;
    }
    const isLast = at === inlines.length;
    if (isLast) delete text._inlines;
    text.placedInlines = at;
    line.lastLineInParagraph = isLast;
    toVisualOrder(line.inlines, text.rightToLeft ?? false);
    return line;
  }
}

/** Returns the height of nodes in points. Layout changes the nodes, which cannot be drawn afterwards. */
export function measureHeight(nodes: readonly PdfNode[], width: number, pdf: Pdf): number {
  if (nodes.length === 0) return 0;
  const margins = { left: 0, top: 0, right: 0, bottom: 0 };
  const layout = new DocumentLayout({ width, height: measuringHeight }, margins, null);
  const pages = layout.layoutDocument({ stack: nodes }, pdf, {}, defaultStyle);
  return pages.length > 1 ? measuringHeight : layout.height;
}

/** Returns the inlines after this one up to the next possible line break. */
function unbreakableInlines(inlines: readonly MeasuredInline[], at: number): MeasuredInline[] {
  if (!inlines[at]?.noNewLine) return [];
  let end = at + 1;
  while (inlines[end]?.noNewLine) end++;
  return inlines.slice(at + 1, end + 1);
}

const textWidth = (inline: MeasuredInline, text: string): number =>
  inline.font.widthOfString(text, inline.fontSize, inline.fontFeatures) +
  (inline.characterSpacing || 0) * (text.length - 1);

/** Minimum letter width, as a ratio of the font size. It bounds the work of splitting a word of any length. */
const minLetterWidthRatio = 0.1;

/** Splits a word longer than a line at the end of the line and returns the rest. */
function splitToFit(line: PdfTextLine, inline: MeasuredInline): MeasuredInline | null {
  const space = line.getAvailableWidth();
  if (inline.noWrap || inline.tab || inline.picture) return null;
  if (inline.width - inline.trailingCut <= space) return null;
  const maxLetters = Math.ceil(Math.max(0, space) / (inline.fontSize * minLetterWidthRatio)) + 1;
  const letters = [...inline.text.slice(0, 2 * maxLetters)];
  let low = 1;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(inline, letters.slice(0, middle).join("")) <= space) low = middle;
    else high = middle - 1;
  }
  const fitting = letters.slice(0, low).join("");
  if (fitting.length >= inline.text.length) return null;
  const width = textWidth(inline, fitting);
  const rest = {
    ...inline,
    text: inline.text.slice(fitting.length),
    leadingCut: 0,
    width: inline.width - width,
  };
  inline.text = fitting;
  inline.width = width;
  inline.trailingCut = 0;
  return rest;
}

/** Sets the width of a tab so that it extends to its tab stop. */
function stretchTab(
  line: PdfTextLine,
  inlines: readonly MeasuredInline[],
  at: number,
  stops: readonly TabStop[],
): void {
  const tab = inlines[at] as MeasuredInline;
  const leadingCut = line.inlines.length === 0 ? tab.leadingCut : line.leadingCut;
  const x = line.inlineWidths - leadingCut;
  const stop = nextStop(x, stops, line.maxWidth);
  const following = stop.kind === "left" ? 0 : widthUntilTab(inlines, at + 1);
  const target = stop.at - (stop.kind === "center" ? following / 2 : following);
  tab.width = Math.max(minTabWidth, target - x);
  tab.trailingCut = 0;
  tab.text = fillTab(tab, stop.leader);
}

function nextStop(x: number, stops: readonly TabStop[], lineEnd: number): TabStop {
  const next = stops.find(({ at }) => at > x + 0.5);
  // The tab stop of a table of contents may be slightly beyond the end of the line.
  if (next) return next.kind === "right" ? { ...next, at: Math.min(next.at, Math.max(lineEnd, x)) } : next;
  const at = x < -0.5 ? 0 : (Math.floor((x + 0.5) / defaultTabWidth) + 1) * defaultTabWidth;
  return { at, kind: "left", leader: "" };
}

function widthUntilTab(inlines: readonly MeasuredInline[], from: number): number {
  let width = 0;
  for (let at = from; at < inlines.length && !inlines[at]?.tab; at++) {
    const { width: own, trailingCut, lineEnd } = inlines[at] as MeasuredInline;
    width += own;
    if (lineEnd) return width - trailingCut;
  }
  return width;
}

/** Fills a tab with its leader, or returns a single space without one. */
function fillTab(tab: MeasuredInline, leader: string): string {
  if (leader === "") return " ";
  const count = Math.floor((tab.width - 4) / Math.max(1, textWidth(tab, leader)));
  return ` ${leader.repeat(Math.max(0, Math.min(count, 400)))} `.slice(0, count > 2 ? undefined : 1);
}
