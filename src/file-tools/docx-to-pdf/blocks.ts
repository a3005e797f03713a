/** Reads paragraphs, tables and text boxes, and writes them as Typst code. */
import { familyOf } from "./fonts.js";
import { bookmarkName, chooseAlternate, readInlines, splitAt, writeInlines, writeLines } from "./inlines.js";
import type { ListLabel } from "./numbering.js";
import type { BlockContext } from "./story.js";
import {
  clamp,
  colorOf,
  type ParagraphStyle,
  type RunStyle,
  readParagraphStyle,
  readRunStyle,
} from "./styles.js";
import { borderOf, readTable, type Side, sides } from "./tables.js";
import { defaultFontSize, points, quote } from "./text.js";
import { child, elementsOf, findElement, textOf, valOf, type XmlElement } from "./xml.js";

/** Minimum width for text in points, whatever its indentation. */
const minTextWidth = 60;
/** Maximum space in points above and below a paragraph. */
const maxSpace = 400;
/** Maximum nesting of tables. Deeper tables are read as plain text. */
const maxTableDepth = 8;

/** Elements that wrap blocks. Deleted blocks are not among them. */
const wrapperElements = new Set(["sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"]);

interface ResolvedStyle {
  id: string | undefined;
  style: ParagraphStyle;
  run: RunStyle;
  /** Style of the paragraph's mark, which determines the height of a blank paragraph. */
  mark: RunStyle;
  label: ListLabel | null;
}

function resolveStyle(
  properties: XmlElement | undefined,
  { story, ...context }: BlockContext,
): ResolvedStyle {
  const { styles, numbering } = story;
  const id = valOf(properties, "pStyle");
  const named = styles.get("paragraph", id);
  const own = readParagraphStyle(properties);
  const list = own.list ?? named.paragraph.list;
  const level = own.level ?? named.paragraph.level ?? 0;
  const ofList = numbering.paragraphStyle(list, level);
  const below = { ...styles.base.paragraph, ...context.paragraph };
  const style =
    own.list === undefined
      ? { ...below, ...ofList, ...named.paragraph, ...own }
      : { ...below, ...named.paragraph, ...ofList, ...own };
  const run = { ...styles.base.run, ...context.run, ...named.run };
  const mark = { ...run, ...readRunStyle(child(properties, "rPr"), styles.themeFonts) };
  const counted = list === undefined || list === "0" ? null : numbering.countItem(list, level);
  const label = counted && { ...counted, run: { ...mark, underline: false, ...counted.run } };
  return { id, style, run, mark, label };
}

/** Writes the arguments of a call that differ from the defaults. */
const writeArguments = (values: Readonly<Record<string, string | false | null | undefined>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value ? [`${name}: ${value}, `] : []))
    .join("");

/** Maximum distance in points between text and a border, as in Word. */
const maxBorderSpace = 31;

/** Writes the drawn borders of a paragraph, and where they stand. `start` and `end` are its indentation. */
function writeBorders({ borders }: ParagraphStyle, hidden: readonly Side[], start = 0, end = 0) {
  const drawn = sides.flatMap((side) => {
    const edge = hidden.includes(side) ? undefined : borderOf(borders, side);
    return edge && edge !== "none" ? [{ side, edge }] : [];
  });
  if (drawn.length === 0) return { stroke: null };
  const spaceOf = (side: Side): number =>
    drawn.some((border) => border.side === side)
      ? clamp(Number(child(borders, side)?.attributes.space) || 0, 0, maxBorderSpace)
      : 0;
  return {
    stroke: `(${drawn.map(({ side, edge }) => `${side}: ${edge}`).join(", ")})`,
    outset: `(left: ${points(spaceOf("left") - start)}, right: ${points(spaceOf("right") - end)})`,
    spaces: `(${points(spaceOf("top"))}, ${points(spaceOf("bottom"))})`,
  };
}

const writeLength = (value: number | undefined): string | null => (value ? points(value) : null);

class BlockReader {
  readonly blocks: string[] = [];
  readonly #context: BlockContext;
  #last: (ResolvedStyle & { box: string | null }) | null = null;
  /** Writes the last paragraph with some of its borders hidden. */
  #rewrite: ((hidden: readonly Side[]) => void) | null = null;
  /** Whether the next block begins a page. */
  #startsPage = false;
  /** Space below the last paragraph. */
  #below = 0;

  constructor(context: BlockContext) {
    this.#context = context;
  }

  read(element: XmlElement): void {
    const { depth, story } = this.#context;
    if (element.name === "p") this.#addParagraph(element);
    else if (element.name === "tbl" && depth < maxTableDepth) {
      this.#push(readTable(element, this.#context, readBlocks));
      this.#last = null;
    } else if (element.name === "tbl") for (const cell of findElement(element, "tc")) this.#readAll(cell);
    else if (element.name === "AlternateContent") this.#readAll(chooseAlternate(element));
    else if (element.name === "bookmarkStart" && element.attributes.name && story.kind === "body")
      this.blocks.push(`target(${quote(bookmarkName(element.attributes.name))})`);
    else if (wrapperElements.has(element.name)) this.#readAll(element);
  }

  /** Ends the blocks. */
  finish(): string[] {
    if (this.#last) this.#pushCellSpace(this.#below);
    return this.blocks;
  }

  /** Adds a space at the start or the end of a cell, where Typst drops the space of blocks. */
  #pushCellSpace(space: number): void {
    if (this.#context.depth > 0 && space > 0) this.blocks.push(`v(${points(space)})`);
  }

  #readAll(parent: XmlElement): void {
    for (const inner of elementsOf(parent)) this.read(inner);
  }

  #addParagraph(element: XmlElement): void {
    const context = this.#context;
    const properties = child(element, "pPr");
    const resolved = resolveStyle(properties, context);
    const { style, run, label } = resolved;
    const ends: Readonly<Record<string, string>> = { space: " ", tab: "\t" };
    const shown = label?.text ? { text: label.text + (ends[label.suffix] ?? ""), run: label.run } : null;
    const { inlines, boxes } = readInlines(element, context, run, shown);
    const space = this.#spaceOf(resolved);
    if (this.blocks.length === 0) this.#pushCellSpace(space.above);
    this.#below = space.below;
    // Paragraphs with the same borders and indentation share one box.
    const { stroke } = writeBorders(style, []);
    const box = stroke && [stroke, style.left, style.right].join();
    const parts = splitAt(inlines, "page-break");
    // A paragraph that ends with a page break has no line after it.
    const drawn = parts.length > 1 && parts.at(-1)?.length === 0 ? parts.length - 1 : parts.length;
    this.#startsPage ||= style.startsPage === true && this.blocks.length > 0;
    for (const [at, part] of parts.entries()) {
      this.#startsPage ||= at > 0;
      if (at >= drawn) continue;
      const above = at === 0 ? space.above : 0;
      const below = at === drawn - 1 ? space.below : 0;
      const write = (hidden: readonly Side[]): string =>
        this.#writeParagraph(part, at === 0, resolved, { above, below }, element, hidden);
      const isJoined = box !== null && this.#last?.box === box && !this.#startsPage;
      const top: readonly Side[] = isJoined ? ["top"] : [];
      if (isJoined) this.#rewrite?.(["bottom"]);
      this.#push([write(top)]);
      const place = this.blocks.length - 1;
      this.#rewrite = (hidden) => {
        this.blocks[place] = write([...top, ...hidden]);
      };
    }
    this.#last = { ...resolved, box };
    for (const box of boxes) {
      this.#push(readBlocks(elementsOf(box), { ...context, paragraph: {}, background: undefined }));
      this.#last = null;
    }
  }

  /**
   * Returns the space above and below a paragraph. Typst uses the larger of two adjacent spaces. A paragraph without
   * space to others of its style leaves the space below it to the next paragraph.
   */
  #spaceOf({ id, style }: ResolvedStyle): { above: number; below: number } {
    const last = this.#last;
    const isAlike = last?.id === id;
    const left = last?.style.isContextual && !isAlike ? (last.style.after ?? 0) : 0;
    return {
      above: style.isContextual && isAlike ? 0 : clamp(Math.max(left, style.before ?? 0), 0, maxSpace),
      below: style.isContextual ? 0 : clamp(style.after ?? 0, 0, maxSpace),
    };
  }

  /** Adds blocks. Pages can only be broken outside tables, in the body. */
  #push(blocks: readonly string[]): void {
    if (blocks.length === 0) return;
    const { depth, story } = this.#context;
    if (this.#startsPage && depth === 0 && story.kind === "body") this.blocks.push("pagebreak()");
    this.#startsPage = false;
    this.blocks.push(...blocks);
  }

  #writeParagraph(
    inlines: Parameters<typeof writeLines>[0],
    isFirst: boolean,
    { style, run, mark }: ResolvedStyle,
    space: { above: number; below: number },
    element: XmlElement,
    hiddenBorders: readonly Side[],
  ): string {
    const { width } = this.#context;
    // Narrow cells have no room for indentation.
    const spare = Math.max(0, width - minTextWidth);
    const left = clamp(style.left ?? 0, -36, spare);
    const right = clamp(style.right ?? 0, -36, Math.max(0, spare - left));
    const lineWidth = width - left - right;
    const first = isFirst ? clamp(style.firstLine ?? 0, -left - 36, Math.max(0, spare - left - right)) : 0;
    const isBlank = inlines.every((inline) => inline.kind === "text" && /^ *$/.test(inline.text));
    const main = isBlank ? mark : run;
    const size = main.size ?? defaultFontSize;
    const { top, bottom, unit } = lineOf(style, main.font);
    const shade = colorOf(style.shade?.slice(1));
    const alignment = style.alignment ?? (style.rightToLeft ? "right" : "left");
    return `paragraph(${writeArguments({
      above: writeLength(space.above),
      below: writeLength(space.below),
      left: writeLength(left),
      right: writeLength(right),
      first: writeLength(first),
      height: isBlank && points((top + bottom) * (unit === "pt" ? 1 : size)),
      size: points(size),
      edges: `(${top}${unit}, ${-bottom}${unit})`,
      alignment: alignment === "justify" ? (style.rightToLeft ? "right" : null) : alignment,
      justify: alignment === "justify" && "true",
      dir: style.rightToLeft && "rtl",
      sticky: style.keepsWithNext && "true",
      fill: shade && shade !== "#ffffff" && `rgb("${shade}")`,
      // Borders surround a first line that hangs out, too.
      ...writeBorders(style, hiddenBorders, left + Math.min(0, first), right),
      heading: isFirst && this.#headingOf(element, inlines, style),
    })}{ ${
      isBlank
        ? writeInlines(
            inlines.filter(({ kind }) => kind !== "text"),
            "",
            lineWidth,
          )
        : writeLines(inlines, first, style.endTab, lineWidth)
    } })`;
  }

  /** Writes the level and the title that a heading has in the PDF's outline. */
  #headingOf(
    element: XmlElement,
    inlines: Parameters<typeof writeLines>[0],
    { outline }: ParagraphStyle,
  ): string | null {
    if (this.#context.story.kind !== "body" || outline === undefined || outline > 8) return null;
    const title = inlines.map((inline) =>
      inline.kind === "text" ? inline.text : inline.kind === "code" ? "" : " ",
    );
    const shown = title.join("").replace(/\s+/g, " ").trim();
    return shown !== "" && textOf(element).trim() !== "" ? `(${outline + 1}, ${quote(shown)})` : null;
  }
}

/** Returns the extents of a line. Its space below the baseline does not grow with its height. */
function lineOf(
  { line }: ParagraphStyle,
  font: string | undefined,
): { top: number; bottom: number; unit: "em" | "pt" } {
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const { top, bottom } = familyOf(font).line;
  if (line && "points" in line) {
    const scale = line.points / (top + bottom);
    return { top: round(top * scale), bottom: round(bottom * scale), unit: "pt" };
  }
  const times = line ? clamp(line.times, 0.5, 8) : 1;
  const below = bottom * Math.min(1, times);
  return { top: round((top + bottom) * times - below), bottom: round(below), unit: "em" };
}

/** Reads elements as blocks, each of which is a line of code. */
export function readBlocks(elements: readonly XmlElement[], context: BlockContext): string[] {
  const reader = new BlockReader(context);
  for (const element of elements) reader.read(element);
  return reader.finish();
}
