/** Converts a paragraph to nodes: text with its list label, pictures between lines, and page breaks. */
import { substituteFamily } from "./fonts.js";
import { toInlines, toPicture, toTab } from "./inlines.js";
import type { ImageNode, Inline, PdfNode, TextNode } from "./nodes.js";
import type { ListLabel } from "./numbering.js";
import { type ParagraphStyle, readParagraphStyle } from "./paragraph-style.js";
import { pictureLetter } from "./picture-line.js";
import { clamp, type RunStyle, readRunStyle } from "./run-style.js";
import { type ParagraphItem, readRuns } from "./runs.js";
import type { BlockContext } from "./story.js";
import { child, textOf, valOf, type XmlElement } from "./xml.js";

export interface ParagraphResult {
  nodes: PdfNode[];
  /** Text boxes, which are shown below the paragraph. */
  boxes: XmlElement[];
  style: ParagraphStyle;
  styleId: string | undefined;
  /** Whether it ends with a page break. */
  endsPage: boolean;
}

/** Largest inline picture, as shares of the available width and height. Larger ones are placed between lines. */
const maxInlineWidthShare = 0.8;
const maxInlineHeightShare = 0.5;

/** Minimum width for text, whatever its indentation. */
const minTextWidth = 60;

interface ResolvedStyle {
  style: ParagraphStyle;
  run: RunStyle;
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
  const markStyle = { ...run, ...readRunStyle(child(properties, "w:rPr"), styles.themeFonts) };
  const counted = list === undefined || list === "0" ? null : numbering.next(list, level);
  const label = counted && { ...counted, run: { ...markStyle, underline: false, ...counted.run } };
  return { style, run, label, styleId };
}

export function readParagraph(element: XmlElement, context: BlockContext): ParagraphResult {
  const { style, run, label, styleId } = resolveStyle(element, context);
  const items = readRuns(element, context, run);
  const hasLabel = label !== null && label.text !== "";
  const isText = hasLabel || hasVisibleText(items);
  const parts = splitIntoParts(items, context, (image) => isText && fitsInLine(image, style, context));
  if (hasLabel) parts[0]?.inlines.unshift(...labelInlines(label, context));
  const nodes = parts.flatMap((part, at) => partNodes(part, at, parts.length, { style, run, context }));
  const boxes = items.flatMap((item) => (item.kind === "box" ? [item.box] : []));
  addIdAndOutline(element, nodes, style, context);
  const endsPage =
    parts.length > 1 && parts.at(-1)?.inlines.length === 0 && parts.at(-1)?.images.length === 0;
  if (endsPage) nodes.pop();
  return { nodes, boxes, style, styleId, endsPage };
}

function labelInlines(label: ListLabel, { story, background }: BlockContext): Inline[] {
  const inlines = toInlines(label.text, label.run, story.fonts, background);
  if (label.suffix === "tab") inlines.push(toTab(label.run));
  if (label.suffix === "space") inlines.push(...toInlines(" ", label.run, story.fonts));
  return inlines;
}

/** A part of the paragraph, up to a page break or to text after a picture between lines. */
interface ParagraphPart {
  inlines: Inline[];
  images: ImageNode[];
  startsPage: boolean;
}

const hasVisibleText = (items: readonly ParagraphItem[]): boolean =>
  items.some((item) => item.kind === "text" && /\S/.test(item.inline.text));

const fitsInLine = (
  { width, height }: ImageNode,
  { left = 0, right = 0 }: ParagraphStyle,
  context: BlockContext,
): boolean =>
  width <= (context.width - left - right) * maxInlineWidthShare &&
  height <= context.height * maxInlineHeightShare;

/** Splits a paragraph at page breaks and after pictures between lines. */
function splitIntoParts(
  items: readonly ParagraphItem[],
  { story, run, background }: BlockContext,
  standsInLine: (image: ImageNode) => boolean,
): ParagraphPart[] {
  let part: ParagraphPart = { inlines: [], images: [], startsPage: false };
  const parts = [part];
  const startPart = (startsPage: boolean): void => {
    part = { inlines: [], images: [], startsPage };
    parts.push(part);
  };
  const addText = (inline: Inline): void => {
    if (part.images.length > 0 && /\S/.test(inline.text)) startPart(false);
    appendInline(part.inlines, inline);
  };
  for (const item of items) {
    if (item.kind === "pageBreak") startPart(true);
    else if (item.kind === "image") {
      if (!item.isInLine || !standsInLine(item.image)) part.images.push(item.image);
      else addText(toPicture(item.image, item.style));
    } else if (item.kind === "altText")
      part.inlines.push(
        ...toInlines(item.text, { ...run, italics: true, color: "#666666" }, story.fonts, background),
      );
    else if (item.kind === "text") addText(item.inline);
  }
  return parts;
}

/** Appends an inline, merging equal styles, because Word splits text into many runs. */
function appendInline(inlines: Inline[], inline: Inline): void {
  const last = inlines.at(-1);
  const isAlone = inline.tab || inline.picture || inline.pageReference !== undefined;
  if (last && !isAlone && styleKey(last) === styleKey(inline)) last.text += inline.text;
  else inlines.push(inline);
}

const styleKey = (inline: Inline): string => JSON.stringify({ ...inline, text: "" });

interface NodeContext {
  style: ParagraphStyle;
  run: RunStyle;
  context: BlockContext;
}

function partNodes(part: ParagraphPart, at: number, count: number, setting: NodeContext): PdfNode[] {
  const { style, context } = setting;
  const isFirst = at === 0;
  const isLast = at === count - 1;
  const isBlank = part.inlines.every(({ text }) => /^\s*$/.test(text));
  const nodes: PdfNode[] = [];
  if (!isBlank || part.images.length === 0) nodes.push(textNode(part, isFirst, setting));
  nodes.push(...imageNodes(part.images, style, context));
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first && ((isFirst && style.startsPage) || part.startsPage)) first.pageBreak = "before";
  if (first && isFirst) ensureMargin(first)[1] += clamp(style.before ?? 0, 0, 400);
  if (last && isLast) ensureMargin(last)[3] += clamp(style.after ?? 0, 0, 400);
  return nodes;
}

export function ensureMargin(node: PdfNode): [number, number, number, number] {
  node.margin ??= [0, 0, 0, 0];
  return node.margin;
}

function textNode(part: ParagraphPart, isFirst: boolean, { style, run, context }: NodeContext): TextNode {
  // Narrow cells have no room for indentation.
  const spare = Math.max(0, context.width - minTextWidth);
  const left = clamp(style.left ?? 0, -36, spare);
  const right = clamp(style.right ?? 0, -36, Math.max(0, spare - left));
  const firstIndent = clamp(style.firstLine ?? 0, -left - 36, Math.max(0, spare - left - right));
  const { fonts } = context.story;
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
  font: substituteFamily(run.font),
  fontSize: run.size ?? 10,
  bold: false,
  italics: false,
  color: "#000000",
});

/** Puts pictures side by side if they fit, otherwise below one another. */
function imageNodes(images: readonly ImageNode[], style: ParagraphStyle, context: BlockContext): PdfNode[] {
  const left = clamp(style.left ?? 0, 0, context.width / 2);
  const room = context.width - left;
  for (const image of images) {
    scaleToFit(image, room, context.height);
    if (style.alignment && style.alignment !== "justify") image.alignment = style.alignment;
    image.margin = [left, 0, 0, 0];
  }
  const sum = images.reduce((width, image) => width + image.width, 0);
  if (images.length < 2 || sum > room || style.alignment === "center" || style.alignment === "right")
    return [...images];
  return [{ columns: images.map((image) => ({ ...image, margin: [0, 0, 0, 0] })), margin: [left, 0, 0, 0] }];
}

function scaleToFit(image: ImageNode, width: number, height: number): void {
  const scale = Math.min(1, width / image.width, height / image.height);
  image.width = Math.max(1, image.width * scale);
  image.height = Math.max(1, image.height * scale);
}

/** Gives the first text node the paragraph's bookmark id and adds headings to the PDF's outline. */
function addIdAndOutline(
  element: XmlElement,
  nodes: readonly PdfNode[],
  style: ParagraphStyle,
  { story }: BlockContext,
): void {
  const node = nodes.find((one): one is TextNode => "text" in one);
  if (!node || !story.linkTargets) return;
  const id = story.linkTargets.claimId(element);
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
