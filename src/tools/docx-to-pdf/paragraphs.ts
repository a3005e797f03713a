/** A paragraph as nodes: its text, its list label, and what stands between lines such as pictures and page breaks. */
import { familyOf } from "./fonts.js";
import { toInlines, toPicture, toTab } from "./inline.js";
import type { ImageNode, Inline, Node, TextNode } from "./nodes.js";
import type { Label } from "./numbering.js";
import { type ParagraphStyle, readParagraphStyle } from "./paragraph-style.js";
import { pictureLetter } from "./picture-line.js";
import { clamp, type RunStyle, readRunStyle } from "./run-style.js";
import { type Item, readRuns } from "./runs.js";
import type { Place } from "./story.js";
import { child, textOf, valOf, type XmlElement } from "./xml.js";

export interface Paragraph {
  nodes: Node[];
  /** Text boxes, to be shown below. */
  boxes: XmlElement[];
  style: ParagraphStyle;
  styleId: string | undefined;
  /** A page break stands at its end. */
  endsPage: boolean;
}

/** Shares of the room; what is larger stands between lines. */
const widestInLine = 0.8;
const highestInLine = 0.5;

/** So much room is left to text, however far it is indented. */
const leastWidth = 60;

interface Styled {
  style: ParagraphStyle;
  run: RunStyle;
  label: Label | null;
  styleId: string | undefined;
}

function styleOf(paragraph: XmlElement, { story, ...place }: Place): Styled {
  const { styles, numbering } = story;
  const properties = child(paragraph, "w:pPr");
  const styleId = valOf(properties, "w:pStyle");
  const named = styles.get("paragraph", styleId);
  const own = readParagraphStyle(properties);
  const list = own.list ?? named.paragraph.list;
  const level = own.level ?? named.paragraph.level ?? 0;
  const ofList = numbering.paragraphOf(list, level);
  const below = { ...styles.base.paragraph, ...place.paragraph };
  const style =
    own.list === undefined
      ? { ...below, ...ofList, ...named.paragraph, ...own }
      : { ...below, ...named.paragraph, ...ofList, ...own };
  const run = { ...styles.base.run, ...place.run, ...named.run };
  const markStyle = { ...run, ...readRunStyle(child(properties, "w:rPr"), styles.themeFonts) };
  const counted = list === undefined || list === "0" ? null : numbering.next(list, level);
  const label = counted && { ...counted, run: { ...markStyle, underline: false, ...counted.run } };
  return { style, run, label, styleId };
}

export function readParagraph(element: XmlElement, place: Place): Paragraph {
  const { style, run, label, styleId } = styleOf(element, place);
  const items = readRuns(element, place, run);
  const hasLabel = label !== null && label.text !== "";
  const isText = hasLabel || hasWords(items);
  const parts = partsOf(items, place, (image) => isText && fitsInLine(image, style, place));
  if (hasLabel) parts[0]?.inlines.unshift(...labelInlines(label, place));
  const nodes = parts.flatMap((part, at) => nodesOf(part, at, parts.length, { style, run, place }));
  const boxes = items.flatMap((item) => (item.kind === "box" ? [item.box] : []));
  markPlace(element, nodes, style, place);
  const endsPage =
    parts.length > 1 && parts.at(-1)?.inlines.length === 0 && parts.at(-1)?.images.length === 0;
  if (endsPage) nodes.pop();
  return { nodes, boxes, style, styleId, endsPage };
}

function labelInlines(label: Label, { story, background }: Place): Inline[] {
  const inlines = toInlines(label.text, label.run, story.fonts, background);
  if (label.follows === "tab") inlines.push(toTab(label.run));
  if (label.follows === "space") inlines.push(...toInlines(" ", label.run, story.fonts));
  return inlines;
}

/** Lines and pictures up to a page break. */
interface Part {
  inlines: Inline[];
  images: ImageNode[];
  startsPage: boolean;
}

const hasWords = (items: readonly Item[]): boolean =>
  items.some((item) => item.kind === "text" && /\S/.test(item.inline.text));

const fitsInLine = (
  { width, height }: ImageNode,
  { left = 0, right = 0 }: ParagraphStyle,
  place: Place,
): boolean => width <= (place.width - left - right) * widestInLine && height <= place.height * highestInLine;

/** Pictures that stand in no line have lines of their own: text goes on below. */
function partsOf(
  items: readonly Item[],
  { story, run, background }: Place,
  standsInLine: (image: ImageNode) => boolean,
): Part[] {
  let part: Part = { inlines: [], images: [], startsPage: false };
  const parts = [part];
  const startPart = (startsPage: boolean): void => {
    part = { inlines: [], images: [], startsPage };
    parts.push(part);
  };
  const addText = (inline: Inline): void => {
    if (part.images.length > 0 && /\S/.test(inline.text)) startPart(false);
    addInline(part.inlines, inline);
  };
  for (const item of items) {
    if (item.kind === "pageBreak") startPart(true);
    else if (item.kind === "image") {
      if (!item.isInLine || !standsInLine(item.image)) part.images.push(item.image);
      else addText(toPicture(item.image, item.style));
    } else if (item.kind === "words")
      part.inlines.push(
        ...toInlines(item.text, { ...run, italics: true, color: "#666666" }, story.fonts, background),
      );
    else if (item.kind === "text") addText(item.inline);
  }
  return parts;
}

/** Word cuts text into more runs than it has looks. */
function addInline(inlines: Inline[], inline: Inline): void {
  const last = inlines.at(-1);
  const isAlone = inline.tab || inline.picture || inline.pageReference !== undefined;
  if (last && !isAlone && lookOf(last) === lookOf(inline)) last.text += inline.text;
  else inlines.push(inline);
}

const lookOf = (inline: Inline): string => JSON.stringify({ ...inline, text: "" });

interface Setting {
  style: ParagraphStyle;
  run: RunStyle;
  place: Place;
}

function nodesOf(part: Part, at: number, count: number, setting: Setting): Node[] {
  const { style, place } = setting;
  const isFirst = at === 0;
  const isLast = at === count - 1;
  const isBlank = part.inlines.every(({ text }) => /^\s*$/.test(text));
  const nodes: Node[] = [];
  if (!isBlank || part.images.length === 0) nodes.push(textNode(part, isFirst, setting));
  nodes.push(...imageNodes(part.images, style, place));
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first && ((isFirst && style.startsPage) || part.startsPage)) first.pageBreak = "before";
  if (first && isFirst) withMargin(first)[1] += clamp(style.before ?? 0, 0, 400);
  if (last && isLast) withMargin(last)[3] += clamp(style.after ?? 0, 0, 400);
  return nodes;
}

export function withMargin(node: Node): [number, number, number, number] {
  node.margin ??= [0, 0, 0, 0];
  return node.margin;
}

function textNode(part: Part, isFirst: boolean, { style, run, place }: Setting): TextNode {
  // A narrow cell has none to spare.
  const spare = Math.max(0, place.width - leastWidth);
  const left = clamp(style.left ?? 0, -36, spare);
  const right = clamp(style.right ?? 0, -36, Math.max(0, spare - left));
  const firstIndent = clamp(style.firstLine ?? 0, -left - 36, Math.max(0, spare - left - right));
  const { fonts } = place.story;
  const inlines = part.inlines.length > 0 ? part.inlines : [emptyInline(run)];
  for (const inline of inlines) inline.lineHeight = fonts.lineHeight(inline, style.line);
  const alignment = style.alignment ?? (style.rightToLeft ? "right" : undefined);
  return {
    text: inlines,
    margin: [left, 0, right, 0],
    ...(alignment ? { alignment } : {}),
    ...(isFirst && firstIndent !== 0 ? { firstIndent } : {}),
    ...(style.rightToLeft ? { rightToLeft: true } : {}),
    tabs: (style.tabs ?? []).map((stop) => ({ ...stop, at: stop.at - left })).sort((a, b) => a.at - b.at),
  };
}

const emptyInline = (run: RunStyle): Inline => ({
  text: "",
  font: familyOf(run.font),
  fontSize: run.size ?? 10,
  bold: false,
  italics: false,
  color: "#000000",
});

/** Side by side where the line is wide enough, else below one another. */
function imageNodes(images: readonly ImageNode[], style: ParagraphStyle, place: Place): Node[] {
  const left = clamp(style.left ?? 0, 0, place.width / 2);
  const room = place.width - left;
  for (const image of images) {
    fitInto(image, room, place.height);
    if (style.alignment && style.alignment !== "justify") image.alignment = style.alignment;
    image.margin = [left, 0, 0, 0];
  }
  const sum = images.reduce((width, image) => width + image.width, 0);
  if (images.length < 2 || sum > room || style.alignment === "center" || style.alignment === "right")
    return [...images];
  return [{ columns: images.map((image) => ({ ...image, margin: [0, 0, 0, 0] })), margin: [left, 0, 0, 0] }];
}

function fitInto(image: ImageNode, width: number, height: number): void {
  const scale = Math.min(1, width / image.width, height / image.height);
  image.width = Math.max(1, image.width * scale);
  image.height = Math.max(1, image.height * scale);
}

/** Bookmarks lead to the paragraph's first line; headings show in the reader's list of contents. */
function markPlace(
  element: XmlElement,
  nodes: readonly Node[],
  style: ParagraphStyle,
  { story }: Place,
): void {
  const node = nodes.find((one): one is TextNode => "text" in one);
  if (!node || !story.anchors) return;
  const id = story.anchors.place(element);
  if (id !== undefined) node.id = id;
  if (style.outline === undefined || style.outline > 8) return;
  const text = node.text
    .map((inline) => inline.text)
    .join("")
    .replaceAll(pictureLetter, "")
    .replace(/\s+/g, " ")
    .trim();
  if (text === "" || textOf(element).trim() === "") return;
  node.outline = true;
  node.outlineText = text;
}
