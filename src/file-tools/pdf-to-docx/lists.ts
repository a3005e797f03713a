/** Recognises list markers, and turns paragraphs that start with one into list items, nested by indentation. */
import type { Block, Marker, Paragraph } from "./page-model.js";

const bullet = /^([•◦▪▫■□●○‣⁃∙·➢➤✓✔❖*–—-])(?:\s+|$)/u;
const numbered = /^(\(?)(\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})([.)])(?:\s+|$)/;

/**
 * Parses the marker at the start of a text and returns it with its length. A letter that may be a Roman numeral is read
 * as whichever follows `after`.
 */
export function parseMarker(
  text: string,
  after: Marker | null = null,
): { marker: Marker; length: number } | null {
  const [bulletText, symbol] = bullet.exec(text) ?? [];
  if (bulletText && symbol)
    return { marker: { kind: "bullet", pattern: symbol, value: 0 }, length: bulletText.length };
  const match = numbered.exec(text);
  if (!match) return null;
  const [all, open = "", label = "", close = ""] = match;
  if (open === "(" && close !== ")") return null;
  const pattern = `${open}%1${close}`;
  const readings = possibleValues(label).map((reading) => ({ ...reading, pattern }));
  const marker = readings.find((reading) => after && isNextMarker(after, reading)) ?? readings[0];
  return marker ? { marker, length: all.length } : null;
}

const isNextMarker = (before: Marker, marker: Marker): boolean =>
  isSameKind(before, marker) && (marker.kind === "bullet" || marker.value === before.value + 1);

const isSameKind = (a: Marker, b: Marker): boolean => a.kind === b.kind && a.pattern === b.pattern;

/** Returns the possible readings of a label, the likelier first: lists of letters start with a, Roman ones with i. */
function possibleValues(label: string): Pick<Marker, "kind" | "value">[] {
  if (/^\d/.test(label)) return [{ kind: "decimal", value: Number(label) }];
  const isLower = label === label.toLowerCase();
  const roman = parseRoman(label.toLowerCase());
  const romans = roman ? [{ kind: isLower ? "lowerRoman" : "upperRoman", value: roman } as const] : [];
  if (label.length > 1) return romans;
  const letter = {
    kind: isLower ? "lowerLetter" : "upperLetter",
    value: label.toLowerCase().charCodeAt(0) - 96,
  } as const;
  return /i/i.test(label) ? [...romans, letter] : [letter, ...romans];
}

const numerals = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];

function parseRoman(label: string): number | null {
  const tens = /^x*/.exec(label)?.[0].length ?? 0;
  const ones = numerals.indexOf(label.slice(tens));
  return ones < 0 || tens > 3 || label === "" ? null : tens * 10 + ones;
}

export interface ListLevel {
  marker: Marker;
  /** Indentation of the text from the left edge of its column. */
  left: number;
  hanging: number;
}

/** The levels of each list, outermost first. */
export type Lists = ListLevel[][];

interface OpenList {
  id: number;
  level: number;
  left: number;
  last: Marker;
}

/** Maximum horizontal distance between aligned markers. */
const alignmentTolerancePoints = 4;
const maxLevel = 8;

export function markLists(blocks: readonly Block[], lists: Lists): void {
  const open: OpenList[] = [];
  const closed: OpenList[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "table")
      for (const row of block.rows) for (const cell of row) markLists(cell.blocks, lists);
    if (block.kind !== "paragraph" || block.heading) {
      closed.push(...open.splice(0));
      continue;
    }
    const left = block.box.left;
    while (open.length > 0 && (open.at(-1) as OpenList).left > left + alignmentTolerancePoints)
      closed.push(open.pop() as OpenList);
    const text = block.spans.map((span) => span.text).join("");
    const top = open.at(-1);
    const level = top && top.left >= left - alignmentTolerancePoints ? top : undefined;
    const found = parseMarker(
      text,
      level?.last ??
        closed.findLast((list) => Math.abs(list.left - left) <= alignmentTolerancePoints)?.last ??
        null,
    );
    if (!found) {
      if (!top || left <= top.left + alignmentTolerancePoints) closed.push(...open.splice(0));
      continue;
    }
    const item = findOrOpenList(found.marker, left, open, closed, lists, blocks.slice(index + 1, index + 12));
    if (!item) continue;
    removeMarker(block, found.length);
    block.list = { id: item.id, level: item.level };
    defineLevel(lists, item, block, found.marker, left);
  }
}

function findOrOpenList(
  marker: Marker,
  left: number,
  open: OpenList[],
  closed: OpenList[],
  lists: Lists,
  next: readonly Block[],
): OpenList | null {
  const top = open.at(-1);
  if (top && top.left >= left - alignmentTolerancePoints && isNextMarker(top.last, marker)) {
    top.last = marker;
    return top;
  }
  if (top && top.left >= left - alignmentTolerancePoints) closed.push(open.pop() as OpenList);
  const before = closed.findLast(
    (list) =>
      Math.abs(list.left - left) <= alignmentTolerancePoints &&
      marker.kind !== "bullet" &&
      isNextMarker(list.last, marker),
  );
  const parent = open.at(-1);
  const isList =
    marker.kind === "bullet" || before || (marker.value === 1 && parent) || isFollowed(marker, left, next);
  if (!isList || (parent && parent.level >= maxLevel)) return null;
  const item = { ...(before ?? newLevel(marker, parent, lists)), left, last: marker };
  open.push(item);
  return item;
}

/**
 * Returns a level within the parent's list, unless that has a level of another kind there, or else level 0 of a new
 * list.
 */
function newLevel(
  marker: Marker,
  parent: OpenList | undefined,
  lists: Lists,
): Pick<OpenList, "id" | "level"> {
  if (parent) {
    const level = lists[parent.id]?.[parent.level + 1];
    if (!level || (isSameKind(level.marker, marker) && level.marker.value === marker.value))
      return { id: parent.id, level: parent.level + 1 };
  }
  lists.push([]);
  return { id: lists.length - 1, level: 0 };
}

/** Returns whether the next marker follows, because a single number is not a list. */
const isFollowed = (marker: Marker, left: number, next: readonly Block[]): boolean =>
  next.some((block) => {
    if (block.kind !== "paragraph" || Math.abs(block.box.left - left) > alignmentTolerancePoints)
      return false;
    const found = parseMarker(block.spans.map((span) => span.text).join(""), marker);
    return found !== null && isNextMarker(marker, found.marker);
  });

function removeMarker(paragraph: Paragraph, length: number): void {
  let rest = length;
  for (const span of paragraph.spans) {
    const removed = Math.min(rest, span.text.length);
    span.text = span.text.slice(removed);
    rest -= removed;
  }
  paragraph.spans = paragraph.spans.filter((span) => span.text !== "");
}

function defineLevel(
  lists: Lists,
  { id, level }: OpenList,
  block: Paragraph,
  marker: Marker,
  left: number,
): void {
  const levels = lists[id];
  if (!levels || levels[level]) return;
  const hanging = Math.min(36, Math.max(14, block.firstLine < 0 ? -block.firstLine : 18));
  const indent = Math.max(0, left - block.column.left) + hanging;
  for (let at = 0; at < level; at++) levels[at] ??= { marker, left: indent, hanging };
  levels[level] = { marker, left: indent, hanging };
}
