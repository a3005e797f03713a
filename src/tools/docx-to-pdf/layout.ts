/**
 * pdfmake's layout with lines of our own: tabs, pictures, first lines that hang or are indented, words
 * from right to left.
 */
import { reorder } from "./bidi.js";
import type { TabStop } from "./nodes.js";
import { LayoutBuilder, type Line, type MeasuredInline } from "./pdfmake.js";
import { PictureLine, sizePictures } from "./picture-line.js";

/** A paragraph as pdfmake hands it over after measuring. */
interface MeasuredText {
  _inlines?: MeasuredInline[];
  /** How many of them stand on lines already. */
  placed?: number;
  firstIndent?: number;
  tabs?: TabStop[];
  rightToLeft?: boolean;
}

const defaultTab = 36;
/** So that a tab always shows. */
const narrowestTab = 3;

export class Layout extends LayoutBuilder {
  /** Each table within a table listens for the next page; Node would warn of a leak. */
  protected override processTable(table: object): void {
    this.writer.setMaxListeners(0);
    super.processTable(table);
  }

  protected override buildNextLine(text: MeasuredText): Line | null {
    const inlines = text._inlines;
    if (!inlines?.length) return null;
    const line = new PictureLine(this.writer.context().availableWidth);
    let at = text.placed ?? 0;
    const first = inlines[at] as MeasuredInline;
    if (at === 0) first.leadingCut = -(text.firstIndent ?? 0);
    if (at === 0) sizePictures(inlines);
    let mustGoOn = false;
    while (at < inlines.length) {
      const inline = inlines[at] as MeasuredInline;
      if (inline.tab) stretchTab(line, inlines, at, text.tabs ?? []);
      if (!mustGoOn && !line.hasEnoughSpaceForInline(inline, untilBreak(inlines, at))) break;
      const rest = cutToFit(line, inline);
      line.addInline(inline);
      mustGoOn = inline.noNewLine === true && !rest;
      if (rest) inlines[at] = rest;
      else at++;
    }
    const isLast = at === inlines.length;
    if (isLast) delete text._inlines;
    text.placed = at;
    line.lastLineInParagraph = isLast;
    reorder(line.inlines, text.rightToLeft ?? false);
    return line;
  }
}

/** The pieces that may not be parted from this one, up to the next place to break. */
function untilBreak(inlines: readonly MeasuredInline[], at: number): MeasuredInline[] {
  if (!inlines[at]?.noNewLine) return [];
  let end = at + 1;
  while (inlines[end]?.noNewLine) end++;
  return inlines.slice(at + 1, end + 1);
}

const widthOf = (inline: MeasuredInline, text: string): number =>
  inline.font.widthOfString(text, inline.fontSize, inline.fontFeatures) +
  (inline.characterSpacing || 0) * (text.length - 1);

/** No letter is narrower, in times of the font's size: words of any length are cut in the same time. */
const narrowestLetter = 0.1;

/** A word longer than a whole line is cut where the line ends; what is left over is returned. */
function cutToFit(line: Line, inline: MeasuredInline): MeasuredInline | null {
  const space = line.getAvailableWidth();
  if (inline.noWrap || inline.tab || inline.picture) return null;
  if (inline.width - inline.trailingCut <= space) return null;
  const most = Math.ceil(Math.max(0, space) / (inline.fontSize * narrowestLetter)) + 1;
  const letters = [...inline.text.slice(0, 2 * most)];
  let low = 1;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(inline, letters.slice(0, middle).join("")) <= space) low = middle;
    else high = middle - 1;
  }
  const fitting = letters.slice(0, low).join("");
  if (fitting.length >= inline.text.length) return null;
  const width = widthOf(inline, fitting);
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

/** Gives the tab the width that takes it to its stop. */
function stretchTab(
  line: Line,
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
  tab.width = Math.max(narrowestTab, target - x);
  tab.trailingCut = 0;
  tab.text = fill(tab, stop.leader);
}

function nextStop(x: number, stops: readonly TabStop[], lineEnd: number): TabStop {
  const next = stops.find(({ at }) => at > x + 0.5);
  // The stop of a table of contents may lie a little outside.
  if (next) return next.kind === "right" ? { ...next, at: Math.min(next.at, Math.max(lineEnd, x)) } : next;
  const at = x < -0.5 ? 0 : (Math.floor((x + 0.5) / defaultTab) + 1) * defaultTab;
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

/** Leader dots for as wide as the tab is; one blank without them. */
function fill(tab: MeasuredInline, leader: string): string {
  if (leader === "") return " ";
  const count = Math.floor((tab.width - 4) / Math.max(1, widthOf(tab, leader)));
  return ` ${leader.repeat(Math.max(0, Math.min(count, 400)))} `.slice(0, count > 2 ? undefined : 1);
}
