/** Writes the blocks of a page with docx: paragraphs, headings, list items, tables and pictures. */
import {
  AlignmentType,
  BorderStyle,
  Paragraph as DocxParagraph,
  Table as DocxTable,
  ExternalHyperlink,
  type FileChild,
  HeadingLevel,
  HorizontalPositionRelativeFrom,
  ImageRun,
  PageBreak,
  type ParagraphChild,
  Tab,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  TextWrappingType,
  VerticalPositionRelativeFrom,
  WidthType,
} from "docx";
import type { Lists } from "./lists.js";
import {
  type Block,
  heightOf,
  type PageContent,
  type PagePicture,
  type PageTable,
  type Paragraph,
  type Span,
  widthOf,
} from "./page-model.js";

/** The document's default style, which runs do not repeat. */
export interface DefaultStyle {
  family: string;
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

/** Height of a line in Word, as a ratio of the font size. A box in a PDF has no such leading. */
const wordLineHeight = 1.2;
const maxSpaceBeforePoints = 72;

interface ParagraphContext {
  /** Space above, in points. */
  before: number;
  /** Whether a page break follows. */
  breaks: boolean;
}

function writeParagraph(
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

/** Writes a hidden paragraph. Its mark is hidden as well, so that it takes no space. */
const writeHiddenParagraph = ({ spans, rightToLeft }: Paragraph, base: DefaultStyle): DocxParagraph =>
  new DocxParagraph({
    children: spans.flatMap((span) => writeSpan(span, base, base.size, { vanish: true })),
    ...(rightToLeft ? { bidirectional: true } : {}),
    run: { vanish: true },
  });

export const listName = (id: number): string => `list-${id + 1}`;

/** Returns Word's alignment. In right-to-left paragraphs, left alignment is where lines start. */
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
    ...(span.face.bold ? { bold: true } : {}),
    ...(span.face.italic ? { italics: true } : {}),
    ...(span.face.family === base.family ? {} : { font: span.face.family }),
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

/** Converts points to pixels at 96 dpi, in which docx takes picture sizes. Offsets are in EMU. */
const toPixels = (points: number): number => (points * 96) / 72;
const toEmu = (points: number): number => Math.round(points * 12_700);

const noBorder = { style: BorderStyle.NONE, size: 0, color: "auto" } as const;
const noBorders = {
  top: noBorder,
  bottom: noBorder,
  left: noBorder,
  right: noBorder,
  insideHorizontal: noBorder,
  insideVertical: noBorder,
};

/** Factor by which tables without lines are widened, because text takes slightly more space in Word than in the PDF. */
const unruledWidening = 1.08;

export interface ComposedPage {
  page: Pick<PageContent, "width" | "height">;
  blocks: Block[];
  /** Text of scans and other pictures, kept invisible for search and screen readers. */
  hiddenText: Paragraph[];
  backgroundPictures: PagePicture[];
}

/** The area between the margins, in points. */
interface ContentArea {
  width: number;
  height: number;
}

/** Writes blocks and numbers the pictures. */
export class BlockWriter {
  #pictures = 0;

  constructor(
    readonly base: DefaultStyle,
    readonly lists: Lists,
  ) {}

  page(
    { blocks, hiddenText, backgroundPictures }: ComposedPage,
    area: ContentArea,
    breaks: boolean,
  ): FileChild[] {
    const children: FileChild[] = [];
    // Background pictures are anchored to a line of minimal height.
    if (backgroundPictures.length > 0)
      children.push(this.#spacer(backgroundPictures.map((picture) => this.#floating(picture))));
    children.push(...hiddenText.map((block) => writeHiddenParagraph(block, this.base)));
    const last = blocks.at(-1);
    const isBroken = breaks && (last?.kind === "paragraph" || last?.kind === "figure");
    children.push(...this.#blocks(blocks, area, isBroken));
    if (breaks && !isBroken) children.push(this.#spacer([new PageBreak()]));
    else if (last?.kind === "table" || (!last && hiddenText.length > 0)) children.push(this.#spacer([]));
    return children;
  }

  #blocks(blocks: readonly Block[], area: ContentArea, breaksAtEnd: boolean): FileChild[] {
    const children: FileChild[] = [];
    for (const [index, block] of blocks.entries()) {
      const previous = blocks[index - 1];
      const before = previous ? block.box.top - previous.box.bottom : 0;
      const breaks = breaksAtEnd && index === blocks.length - 1;
      if (block.kind === "paragraph")
        children.push(writeParagraph(block, this.base, this.lists, { before, breaks }));
      else if (block.kind === "figure") children.push(this.#figure(block.picture, area, breaks));
      else {
        if (previous?.kind === "table") children.push(this.#spacer([], before));
        children.push(this.#table(block, area));
      }
    }
    return children;
  }

  /** Returns an empty line of the given height in points, at least one, that separates tables or holds pictures. */
  #spacer(children: readonly (PageBreak | ImageRun)[], height = 1): DocxParagraph {
    return new DocxParagraph({
      children: [...children],
      spacing: {
        before: 0,
        after: 0,
        line: toTwips(Math.min(maxSpaceBeforePoints, Math.max(1, height))),
        lineRule: "exact",
      },
    });
  }

  #figure(picture: PagePicture, area: ContentArea, breaks: boolean): DocxParagraph {
    const scale = Math.min(1, area.width / widthOf(picture), area.height / heightOf(picture));
    const image = new ImageRun({ ...this.#image(picture, scale) });
    return new DocxParagraph({
      children: breaks ? [image, new PageBreak()] : [image],
      ...(scale < 1 ? { alignment: AlignmentType.CENTER } : {}),
    });
  }

  #floating(picture: PagePicture): ImageRun {
    return new ImageRun({
      ...this.#image(picture, 1),
      floating: {
        behindDocument: true,
        allowOverlap: true,
        horizontalPosition: { relative: HorizontalPositionRelativeFrom.PAGE, offset: toEmu(picture.left) },
        verticalPosition: { relative: VerticalPositionRelativeFrom.PAGE, offset: toEmu(picture.top) },
        wrap: { type: TextWrappingType.NONE },
      },
    });
  }

  #image(picture: PagePicture, scale: number) {
    this.#pictures++;
    const name = `Picture ${this.#pictures}`;
    return {
      type: picture.type,
      data: picture.data,
      transformation: {
        width: toPixels(widthOf(picture) * scale),
        height: toPixels(heightOf(picture) * scale),
      },
      altText: { id: String(this.#pictures), name, title: name, description: picture.description },
    } as const;
  }

  #table(table: PageTable, area: ContentArea): DocxTable {
    const whole = table.widths.reduce((sum, width) => sum + width, 0);
    // Aligns the text of a table without lines with the text above it.
    const outside = table.ruled ? 0 : table.padding;
    const scale = Math.min(table.ruled ? 1 : unruledWidening, (area.width + 2 * outside) / whole);
    const widths = table.widths.map((width) => toTwips(width * scale));
    const beside = toTwips(table.padding);
    const rightToLeft =
      table.rows
        .flat()
        .flatMap(({ blocks }) => blocks)
        .filter((block) => block.kind === "paragraph" && block.rightToLeft).length *
        2 >
      table.rows.flat().length;
    return new DocxTable({
      columnWidths: widths,
      width: { size: widths.reduce((sum, width) => sum + width, 0), type: WidthType.DXA },
      layout: TableLayoutType.FIXED,
      ...(outside > 0 ? { indent: { size: -toTwips(outside), type: WidthType.DXA } } : {}),
      margins: { left: beside, right: beside, marginUnitType: WidthType.DXA },
      ...(rightToLeft ? { visuallyRightToLeft: true } : {}),
      ...(table.ruled ? {} : { borders: noBorders }),
      rows: table.rows.map(
        (row) => new TableRow({ cantSplit: true, children: row.map((cell) => this.#cell(cell, area)) }),
      ),
    });
  }

  #cell({ blocks, columnSpan, rowSpan }: PageTable["rows"][number][number], area: ContentArea): TableCell {
    return new TableCell({
      // docx itself adds the paragraph that has to end a cell.
      children: this.#blocks(blocks, area, false) as (DocxParagraph | DocxTable)[],
      ...(columnSpan > 1 ? { columnSpan } : {}),
      ...(rowSpan > 1 ? { rowSpan } : {}),
    });
  }
}
