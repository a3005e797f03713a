/** Writes the blocks of a page with docx: paragraphs, tables and pictures. */
import {
  AlignmentType,
  BorderStyle,
  Table as DocxTable,
  type FileChild,
  HorizontalPositionRelativeFrom,
  ImageRun,
  PageBreak,
  Paragraph,
  TableCell,
  TableLayoutType,
  TableRow,
  TextWrappingType,
  VerticalPositionRelativeFrom,
  WidthType,
} from "docx";
import {
  type DefaultStyle,
  maxSpaceBeforePoints,
  toTwips,
  writeHiddenParagraph,
  writeParagraph,
} from "./docx-text.js";
import type { Lists } from "./lists.js";
import {
  type Block,
  heightOf,
  type PageContent,
  type PagePicture,
  type PageTable,
  type Paragraph as TextParagraph,
  widthOf,
} from "./page-model.js";

/** docx takes picture sizes in pixels at 96 dpi, fractions allowed, and offsets in EMU. */
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

/** Widens tables without lines, because text takes slightly more room in Word than in the PDF. */
const unruledWidening = 1.08;

export interface ComposedPage {
  page: Pick<PageContent, "width" | "height">;
  blocks: Block[];
  /** Text of scans and other pictures, kept invisible for search and screen readers. */
  hiddenText: TextParagraph[];
  backgroundPictures: PagePicture[];
}

/** The area between the margins, in points. */
export interface ContentArea {
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
  #spacer(children: readonly (PageBreak | ImageRun)[], height = 1): Paragraph {
    return new Paragraph({
      children: [...children],
      spacing: {
        before: 0,
        after: 0,
        line: toTwips(Math.min(maxSpaceBeforePoints, Math.max(1, height))),
        lineRule: "exact",
      },
    });
  }

  #figure(picture: PagePicture, area: ContentArea, breaks: boolean): Paragraph {
    const scale = Math.min(1, area.width / widthOf(picture), area.height / heightOf(picture));
    const image = new ImageRun({ ...this.#image(picture, scale) });
    return new Paragraph({
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
      children: this.#blocks(blocks, area, false) as (Paragraph | DocxTable)[],
      ...(columnSpan > 1 ? { columnSpan } : {}),
      ...(rowSpan > 1 ? { rowSpan } : {}),
    });
  }
}
