/** Writes paragraphs, headings and list items with docx. */
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
import type { FontFace, Paragraph, Span } from "./page-model.js";

/** The document's default style, which runs do not repeat. */
export interface DefaultStyle {
  face: FontFace;
  size: number;
  /** Font sizes of heading levels 1 to 3. */
  headingSizes: readonly [number, number, number];
}

export const toTwips = (points: number): number => Math.round(points * 20);
export const toHalfPoints = (points: number): number => Math.max(2, Math.round(points * 2));

const headingLevels = {
  1: HeadingLevel.HEADING_1,
  2: HeadingLevel.HEADING_2,
  3: HeadingLevel.HEADING_3,
} as const;

/** Medium weight counts as bold in a document of regular text, because some families have no bold. */
export const isBold = (face: FontFace, base: FontFace): boolean =>
  face.weight >= 600 || (face.weight >= 500 && base.weight < 500);

/** Height of a line in Word, as a ratio of the font size. A box in a PDF has no such leading. */
const wordLineHeight = 1.2;
export const maxSpaceBeforePoints = 72;

export interface ParagraphContext {
  /** Space above, in points. */
  before: number;
  /** Whether a page break follows. */
  breaks: boolean;
}

export function writeParagraph(
  block: Paragraph,
  base: DefaultStyle,
  lists: Lists,
  { before, breaks }: ParagraphContext,
): DocxParagraph {
  const size = block.heading ? base.headingSizes[block.heading - 1] : base.size;
  const children = block.spans.flatMap((span) => writeSpan(span, base, size ?? base.size));
  if (breaks) children.push(new PageBreak());
  const level = block.list && lists[block.list.id]?.[block.list.level];
  return new DocxParagraph({
    children,
    ...(block.heading ? { heading: headingLevels[block.heading] } : {}),
    ...(block.rightToLeft ? { bidirectional: true } : {}),
    ...alignment(block),
    spacing: {
      before: toTwips(
        Math.min(maxSpaceBeforePoints, Math.max(0, before - (wordLineHeight - 1) * block.size)),
      ),
      ...(block.lines > 1
        ? {
            line: Math.round(
              240 * Math.min(2, Math.max(0.85, block.leading / (wordLineHeight * block.size))),
            ),
          }
        : {}),
    },
    ...(block.list && level
      ? { numbering: { reference: listName(block.list.id), level: block.list.level } }
      : { indent: indentOf(block) }),
  });
}

/** Hides the paragraph mark as well, so that the paragraph takes no room. */
export const writeHiddenParagraph = ({ spans, rightToLeft }: Paragraph, base: DefaultStyle): DocxParagraph =>
  new DocxParagraph({
    children: spans.flatMap((span) => writeSpan(span, base, base.size, { vanish: true })),
    ...(rightToLeft ? { bidirectional: true } : {}),
    run: { vanish: true },
  });

export const listName = (id: number): string => `list-${id + 1}`;

/** In right-to-left paragraphs, Word's left alignment is where lines start. */
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
    ...(left >= 2 ? { left: toTwips(left) } : {}),
    ...(first > 0
      ? { firstLine: toTwips(first) }
      : first < 0
        ? { hanging: toTwips(Math.min(-first, left)) }
        : {}),
  };
}

function writeSpan(
  span: Span,
  base: DefaultStyle,
  size: number,
  more: { vanish?: true } = {},
): ParagraphChild[] {
  const style = {
    ...(isBold(span.face, base.face) ? { bold: true } : {}),
    ...(span.face.italic ? { italics: true } : {}),
    ...(span.face.family === base.face.family ? {} : { font: span.face.family }),
    ...(toHalfPoints(span.size) === toHalfPoints(size) ? {} : { size: toHalfPoints(span.size) }),
    ...(span.raised === "super" ? { superScript: true } : span.raised === "sub" ? { subScript: true } : {}),
    ...(span.rightToLeft ? { rightToLeft: true } : {}),
    ...(span.link ? { style: "Hyperlink" } : {}),
    ...more,
  };
  const pieces = span.text.split("\t").flatMap((text, index) => (index === 0 ? [text] : [new Tab(), text]));
  const run = new TextRun({ ...style, children: pieces.filter((piece) => piece !== "") });
  return span.link ? [new ExternalHyperlink({ link: span.link, children: [run] })] : [run];
}
