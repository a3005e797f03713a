/** Paragraphs, headings and list items as docx writes them. */
import {
  AlignmentType,
  Paragraph as DocxParagraph,
  ExternalHyperlink,
  HeadingLevel,
  PageBreak,
  type ParagraphChild,
  Tab,
  TextRun,
} from "docx";
import type { Lists } from "./lists.js";
import type { Face, Paragraph, Span } from "./model.js";

/** What the document's styles say already, and runs need not repeat. */
export interface Base {
  face: Face;
  size: number;
  /** Of the three headings. */
  headingSizes: readonly [number, number, number];
}

export const twips = (points: number): number => Math.round(points * 20);
export const halfPoints = (points: number): number => Math.max(2, Math.round(points * 2));

const levels = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;

/** Medium is bold beside regular text: some families have no other. */
export const isBold = (face: Face, base: Face): boolean =>
  face.weight >= 600 || (face.weight >= 500 && base.weight < 500);

/** Word puts a line's height around its letters; a PDF's box holds the letters alone. */
const leadingOfWord = 1.2;
/** Points. */
export const widestGap = 72;

export interface Around {
  /** Free above, in points. */
  before: number;
  /** The next page begins after it. */
  breaks: boolean;
}

export function paragraph(
  block: Paragraph,
  base: Base,
  lists: Lists,
  { before, breaks }: Around,
): DocxParagraph {
  const size = block.heading ? base.headingSizes[block.heading - 1] : base.size;
  const children = block.spans.flatMap((span) => childrenOf(span, base, size ?? base.size));
  if (breaks) children.push(new PageBreak());
  const level = block.list && lists[block.list.id]?.[block.list.level];
  return new DocxParagraph({
    children,
    ...(block.heading ? { heading: levels[block.heading] } : {}),
    ...(block.rightToLeft ? { bidirectional: true } : {}),
    ...alignment(block),
    spacing: {
      before: twips(Math.min(widestGap, Math.max(0, before - (leadingOfWord - 1) * block.size))),
      ...(block.lines > 1
        ? {
            line: Math.round(240 * Math.min(2, Math.max(0.85, block.leading / (leadingOfWord * block.size)))),
          }
        : {}),
    },
    ...(block.list && level
      ? { numbering: { reference: listName(block.list.id), level: block.list.level } }
      : { indent: indentOf(block) }),
  });
}

/** Takes no room: the paragraph's own mark is hidden as well. */
export const hiddenParagraph = ({ spans, rightToLeft }: Paragraph, base: Base): DocxParagraph =>
  new DocxParagraph({
    children: spans.flatMap((span) => childrenOf(span, base, base.size, { vanish: true })),
    ...(rightToLeft ? { bidirectional: true } : {}),
    run: { vanish: true },
  });

export const listName = (id: number): string => `list-${id + 1}`;

/** In a text from right to left, Word's left is the side where lines begin. */
function alignment({ align, rightToLeft }: Paragraph) {
  if (align === "center") return { alignment: AlignmentType.CENTER };
  if (align === "both") return { alignment: AlignmentType.BOTH };
  return align === "right" && !rightToLeft ? { alignment: AlignmentType.RIGHT } : {};
}

function indentOf({ align, box, column, firstLine, rightToLeft }: Paragraph) {
  if (align === "center" || align === "right" || rightToLeft) return {};
  const width = column.right - column.left;
  const left = Math.min(Math.max(0, box.left - column.left + Math.max(0, -firstLine)), 0.7 * width);
  const first = Math.abs(firstLine) < 2 ? 0 : Math.min(firstLine, 0.5 * width);
  return {
    ...(left >= 2 ? { left: twips(left) } : {}),
    ...(first > 0
      ? { firstLine: twips(first) }
      : first < 0
        ? { hanging: twips(Math.min(-first, left)) }
        : {}),
  };
}

function childrenOf(span: Span, base: Base, size: number, more: { vanish?: true } = {}): ParagraphChild[] {
  const style = {
    ...(isBold(span.face, base.face) ? { bold: true } : {}),
    ...(span.face.italic ? { italics: true } : {}),
    ...(span.face.family === base.face.family ? {} : { font: span.face.family }),
    ...(halfPoints(span.size) === halfPoints(size) ? {} : { size: halfPoints(span.size) }),
    ...(span.raised === "super" ? { superScript: true } : span.raised === "sub" ? { subScript: true } : {}),
    ...(span.rightToLeft ? { rightToLeft: true } : {}),
    ...(span.link ? { style: "Hyperlink" } : {}),
    ...more,
  };
  const pieces = span.text.split("\t").flatMap((text, index) => (index === 0 ? [text] : [new Tab(), text]));
  const run = new TextRun({ ...style, children: pieces.filter((piece) => piece !== "") });
  return span.link ? [new ExternalHyperlink({ link: span.link, children: [run] })] : [run];
}
