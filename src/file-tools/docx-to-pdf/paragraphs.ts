/** Converts a paragraph to blocks: its text with its list label and pictures, divided at page breaks. */
import { lineExtent } from "./fonts.js";
import type { DocumentBlock, Item, LinePart, ParagraphBlock, PictureItem } from "./nodes.js";
import type { ListLabel } from "./numbering.js";
import { type ParagraphItem, readRuns } from "./runs.js";
import { type BlockContext, targetOf } from "./story.js";
import {
  clamp,
  colorOf,
  type ParagraphStyle,
  type RunStyle,
  readParagraphStyle,
  readRunStyle,
} from "./styles.js";
import { readBorder } from "./tables.js";
import { defaultFontSize } from "./text-items.js";
import { child, textOf, valOf, type XmlElement } from "./xml.js";

export interface ParagraphResult {
  /** Blocks of the paragraph, with page breaks between them. */
  blocks: DocumentBlock[];
  /** Text boxes, which are shown below the paragraph. */
  boxes: XmlElement[];
  style: ParagraphStyle;
  styleId: string | undefined;
  startsPage: boolean;
  /** Whether it ends with a page break. */
  endsPage: boolean;
}

/** Largest inline picture, as shares of the available width and height. Larger ones are placed between lines. */
const maxInlineWidthShare = 0.8;
const maxInlineHeightShare = 0.5;

/** Minimum width for text, whatever its indentation. */
const minTextWidth = 60;
/** Largest space above and below a paragraph. */
const maxSpace = 400;

interface ResolvedStyle {
  style: ParagraphStyle;
  run: RunStyle;
  /** The style of the paragraph's mark, which a blank paragraph has. */
  mark: RunStyle;
  label: ListLabel | null;
  styleId: string | undefined;
}

function resolveStyle(paragraph: XmlElement, { story, ...context }: BlockContext): ResolvedStyle {
  const { styles, numbering } = story;
  const properties = child(paragraph, "w:pPr");
  const styleId = valOf(properties, "w:pStyle");
  const named = styles.get("paragraph", styleId);
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
  const mark = { ...run, ...readRunStyle(child(properties, "w:rPr"), styles.themeFonts) };
  const counted = list === undefined || list === "0" ? null : numbering.next(list, level);
  const label = counted && { ...counted, run: { ...mark, underline: false, ...counted.run } };
  return { style, run, mark, label, styleId };
}

export function readParagraph(element: XmlElement, context: BlockContext): ParagraphResult {
  const resolved = resolveStyle(element, context);
  const { style, run, styleId } = resolved;
  const read = readRuns(element, context, run);
  const items = [...labelItems(resolved.label, context), ...read];
  const parts = splitAtPageBreaks(items);
  const endsPage = parts.length > 1 && parts.at(-1)?.length === 0;
  if (endsPage) parts.pop();
  const blocks = parts.map((part, at) => toBlock(element, part, at === 0, resolved, context));
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first) first.above = clamp(style.before ?? 0, 0, maxSpace);
  if (last) last.below = clamp(style.after ?? 0, 0, maxSpace);
  addHeading(element, first, style, context);
  return {
    blocks: blocks.flatMap((block, at): DocumentBlock[] =>
      at > 0 ? [{ kind: "page-break" }, block] : [block],
    ),
    boxes: read.flatMap((item) => (item.kind === "box" ? [item.box] : [])),
    style,
    styleId,
    startsPage: style.startsPage ?? false,
    endsPage,
  };
}

function labelItems(label: ListLabel | null, { story, ...place }: BlockContext): ParagraphItem[] {
  if (label === null || label.text === "") return [];
  const text = label.suffix === "space" ? `${label.text} ` : label.text;
  const items = story.texts.create(text, label.run, place);
  return label.suffix === "tab" ? [...items, { kind: "tab", look: story.texts.look(label.run) }] : items;
}

function splitAtPageBreaks(items: readonly ParagraphItem[]): ParagraphItem[][] {
  const parts: ParagraphItem[][] = [[]];
  for (const item of items)
    if (item.kind === "page-break") parts.push([]);
    else parts.at(-1)?.push(item);
  return parts;
}

/** Items of a part, after pictures have found their place and equal texts are merged. */
type PlacedItem = Item | { kind: "tab"; look: number };

function toBlock(
  element: XmlElement,
  part: readonly ParagraphItem[],
  isFirst: boolean,
  { style, run, mark }: ResolvedStyle,
  context: BlockContext,
): ParagraphBlock {
  const { story } = context;
  // Narrow cells have no room for indentation.
  const spare = Math.max(0, context.width - minTextWidth);
  const left = clamp(style.left ?? 0, -36, spare);
  const right = clamp(style.right ?? 0, -36, Math.max(0, spare - left));
  const firstIndent = clamp(style.firstLine ?? 0, -left - 36, Math.max(0, spare - left - right));
  const items = placePictures(part, style, run, context);
  const isBlank = items.every((item) => item.kind === "text" && /^[ ]*$/.test(item.text));
  const firstText = items.find((item) => item.kind === "text");
  const look = story.texts.looks[firstText?.look ?? story.texts.look(mark)];
  const size = isBlank ? (mark.size ?? defaultFontSize) : (look?.size ?? defaultFontSize);
  const line = lineOf(style, look?.font ?? "");
  const hasTabs = items.some(({ kind }) => kind === "tab");
  const borders = child(child(element, "w:pPr"), "w:pBdr");
  const ruleOf = (side: string): string | null => {
    const border = readBorder(borders, side);
    return border?.isDrawn ? border.color : null;
  };
  const shade = colorOf(style.shade?.slice(1));
  const startsWithPicture = items[0]?.kind === "picture" && !items[0]["in-line"];
  return {
    kind: "paragraph",
    items: hasTabs || isBlank ? [] : (items as Item[]),
    lines: hasTabs ? toLines(items) : null,
    tabs: (style.tabs ?? []).map((stop) => ({ ...stop, at: stop.at - left })).sort((a, b) => a.at - b.at),
    width: context.width - left - right,
    height: isBlank ? (line.top + line.bottom) * (line["is-exact"] ? 1 : size) : null,
    size,
    line,
    align: style.alignment ?? (style.rightToLeft ? "right" : "left"),
    above: 0,
    below: 0,
    left,
    right,
    first: isFirst && !startsWithPicture ? firstIndent : 0,
    "right-to-left": style.rightToLeft ?? false,
    "is-sticky": style.keepsWithNext ?? false,
    fill: shade && shade !== "#ffffff" ? shade : null,
    rules: { top: ruleOf("top"), bottom: ruleOf("bottom") },
    targets: isFirst ? (story.bookmarks.byParagraph.get(element) ?? []).map(targetOf) : [],
    heading: null,
  };
}

function lineOf({ line }: ParagraphStyle, font: string): ParagraphBlock["line"] {
  if (!line || "times" in line)
    return { ...lineExtent(font, clamp(line?.times ?? 1, 0.5, 8)), "is-exact": false };
  const { top, bottom } = lineExtent(font, 1);
  const scale = line.points / (top + bottom);
  return { top: top * scale, bottom: bottom * scale, "is-exact": true };
}

/** Puts pictures into lines or between them, and replaces those that cannot be shown by their alternative text. */
function placePictures(
  part: readonly ParagraphItem[],
  style: ParagraphStyle,
  run: RunStyle,
  context: BlockContext,
): PlacedItem[] {
  const left = clamp(style.left ?? 0, 0, context.width / 2);
  const room = context.width - left;
  const isText = part.some((item) => item.kind === "text" && /\S/.test(item.text));
  const pictures = part.filter((item) => item.kind === "picture");
  const between = pictures.filter(
    (picture) => !(picture["in-line"] && isText && fitsInLine(picture, style, context)),
  );
  for (const picture of between) scaleToFit(picture, room, context.height);
  const sum = between.reduce((width, picture) => width + picture.width, 0);
  // Several that fit beside each other stand in one line.
  for (const picture of between) picture["in-line"] = !isText && between.length > 1 && sum <= room;
  const items: PlacedItem[] = [];
  for (const item of part) {
    if (item.kind === "box" || item.kind === "page-break") continue;
    if (item.kind === "altText")
      items.push(
        ...context.story.texts.create(item.text, { ...run, italics: true, color: "#666666" }, context),
      );
    else if (between.length > 0 && !isText && item.kind === "text") continue;
    else appendItem(items, item);
  }
  return items;
}

const fitsInLine = (
  { width, height }: PictureItem,
  { left = 0, right = 0 }: ParagraphStyle,
  context: BlockContext,
): boolean =>
  width <= (context.width - left - right) * maxInlineWidthShare &&
  height <= context.height * maxInlineHeightShare;

/** Scales a picture between lines to the room that it has, as it stands after its rotation. */
function scaleToFit(picture: PictureItem, width: number, height: number): void {
  const angle = ((picture.frame?.rotation ?? 0) * Math.PI) / 180;
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  const across = picture.width * cosine + picture.height * sine;
  const down = picture.width * sine + picture.height * cosine;
  const scale = Math.min(1, width / across, height / down);
  picture.width = Math.max(1, picture.width * scale);
  picture.height = Math.max(1, picture.height * scale);
}

/** Appends an item, merging texts of one look, because Word splits text into many runs. */
function appendItem(items: PlacedItem[], item: PlacedItem): void {
  const last = items.at(-1);
  const isSame =
    last?.kind === "text" &&
    item.kind === "text" &&
    last.look === item.look &&
    last.link === item.link &&
    last.target === item.target;
  if (!isSame) items.push(item);
  else {
    last.text += item.text;
    last.splits ||= item.splits;
  }
}

function toLines(items: readonly PlacedItem[]): LinePart[][] {
  let part: LinePart = { look: null, items: [] };
  let line = [part];
  const lines = [line];
  for (const item of items) {
    if (item.kind === "break") {
      part = { look: null, items: [] };
      line = [part];
      lines.push(line);
    } else if (item.kind === "tab") {
      part = { look: item.look, items: [] };
      line.push(part);
    } else part.items.push(item);
  }
  return lines;
}

/** Lists a heading in the PDF's outline. */
function addHeading(
  element: XmlElement,
  block: ParagraphBlock | undefined,
  { outline }: ParagraphStyle,
  { story }: BlockContext,
): void {
  if (!block || story.kind !== "body" || outline === undefined || outline > 8) return;
  const items = block.lines?.flat().flatMap((part) => [...part.items, null]) ?? block.items;
  const title = items
    .map((item) => (item?.kind === "text" ? item.text : item === null ? " " : ""))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  if (title !== "" && textOf(element).trim() !== "") block.heading = { level: outline + 1, title };
}
