/** Paragraphs that begin with a bullet or a number become items, nested by how far they stand in. */
import { follows, isAlike, markerOf } from "./markers.js";
import type { Block, Marker, Paragraph } from "./model.js";

export interface ListLevel {
  marker: Marker;
  /** Of the text, from its column's left edge. */
  left: number;
  hanging: number;
}

/** Each list's levels, outermost first. */
export type Lists = ListLevel[][];

interface Open {
  id: number;
  level: number;
  left: number;
  last: Marker;
}

/** Points within which markers stand below each other. */
const slack = 4;
const deepest = 8;

export function markLists(blocks: readonly Block[], lists: Lists): void {
  const open: Open[] = [];
  const closed: Open[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "table")
      for (const row of block.rows) for (const cell of row) markLists(cell.blocks, lists);
    if (block.kind !== "paragraph" || block.heading) {
      closed.push(...open.splice(0));
      continue;
    }
    const left = block.box.left;
    while (open.length > 0 && (open.at(-1) as Open).left > left + slack) closed.push(open.pop() as Open);
    const text = block.spans.map((span) => span.text).join("");
    const top = open.at(-1);
    const level = top && top.left >= left - slack ? top : undefined;
    const found = markerOf(
      text,
      level?.last ?? closed.findLast((list) => Math.abs(list.left - left) <= slack)?.last ?? null,
    );
    if (!found) {
      if (!top || left <= top.left + slack) closed.push(...open.splice(0));
      continue;
    }
    const item = itemOf(found.marker, left, open, closed, lists, blocks.slice(index + 1, index + 12));
    if (!item) continue;
    cut(block, found.length);
    block.list = { id: item.id, level: item.level };
    describe(lists, item, block, found.marker, left);
  }
}

function itemOf(
  marker: Marker,
  left: number,
  open: Open[],
  closed: Open[],
  lists: Lists,
  next: readonly Block[],
): Open | null {
  const top = open.at(-1);
  if (top && top.left >= left - slack && follows(top.last, marker)) {
    top.last = marker;
    return top;
  }
  if (top && top.left >= left - slack) closed.push(open.pop() as Open);
  const before = closed.findLast(
    (list) => Math.abs(list.left - left) <= slack && marker.kind !== "bullet" && follows(list.last, marker),
  );
  const parent = open.at(-1);
  const isList =
    marker.kind === "bullet" || before || (marker.value === 1 && parent) || isFollowed(marker, left, next);
  if (!isList || (parent && parent.level >= deepest)) return null;
  const item = { ...(before ?? started(marker, parent, lists)), left, last: marker };
  open.push(item);
  return item;
}

/** Inside an item's list where that has no such level yet, or one alike that begins anew. */
function started(marker: Marker, parent: Open | undefined, lists: Lists): Pick<Open, "id" | "level"> {
  if (parent) {
    const level = lists[parent.id]?.[parent.level + 1];
    if (!level || (isAlike(level.marker, marker) && level.marker.value === marker.value))
      return { id: parent.id, level: parent.level + 1 };
  }
  lists.push([]);
  return { id: lists.length - 1, level: 0 };
}

/** A number alone is no list: the next one has to come, or to have come. */
const isFollowed = (marker: Marker, left: number, next: readonly Block[]): boolean =>
  next.some((block) => {
    if (block.kind !== "paragraph" || Math.abs(block.box.left - left) > slack) return false;
    const found = markerOf(block.spans.map((span) => span.text).join(""), marker);
    return found !== null && follows(marker, found.marker);
  });

function cut(paragraph: Paragraph, length: number): void {
  let left = length;
  for (const span of paragraph.spans) {
    const taken = Math.min(left, span.text.length);
    span.text = span.text.slice(taken);
    left -= taken;
  }
  paragraph.spans = paragraph.spans.filter((span) => span.text !== "");
}

function describe(lists: Lists, { id, level }: Open, block: Paragraph, marker: Marker, left: number): void {
  const levels = lists[id];
  if (!levels || levels[level]) return;
  const hanging = Math.min(36, Math.max(14, block.firstLine < 0 ? -block.firstLine : 18));
  const indent = Math.max(0, left - block.column.left) + hanging;
  for (let at = 0; at < level; at++) levels[at] ??= { marker, left: indent, hanging };
  levels[level] = { marker, left: indent, hanging };
}
