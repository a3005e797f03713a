/** A page's blocks as docx writes them: text, tables and pictures in their order. */
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
import { type Base, hiddenParagraph, paragraph, twips, widestGap } from "./docx-text.js";
import type { Lists } from "./lists.js";
import {
  type Block,
  heightOf,
  type Picture,
  type Table,
  type Paragraph as TextParagraph,
  widthOf,
} from "./model.js";

/** docx counts pictures in pixels of 96 to the inch, whole or not, and offsets in EMU. */
const pixels = (points: number): number => (points * 96) / 72;
const emu = (points: number): number => Math.round(points * 12_700);

const noBorder = { style: BorderStyle.NONE, size: 0, color: "auto" } as const;
const noBorders = {
  top: noBorder,
  bottom: noBorder,
  left: noBorder,
  right: noBorder,
  insideHorizontal: noBorder,
  insideVertical: noBorder,
};

/** Word's letters need a little more room than the PDF's. */
const widening = 1.08;

interface PageContent {
  blocks: readonly Block[];
  hidden: readonly TextParagraph[];
  behind: readonly Picture[];
}

/** The room between the margins, in points. */
export interface Room {
  width: number;
  height: number;
}

/** Writes blocks; numbers pictures as it goes. */
export class BlockWriter {
  #pictures = 0;

  constructor(
    readonly base: Base,
    readonly lists: Lists,
  ) {}

  page({ blocks, hidden, behind }: PageContent, room: Room, breaks: boolean): FileChild[] {
    const children: FileChild[] = [];
    // What lies behind the text hangs on a line of its own, which takes no room.
    if (behind.length > 0) children.push(this.#line(behind.map((picture) => this.#floating(picture))));
    children.push(...hidden.map((block) => hiddenParagraph(block, this.base)));
    const last = blocks.at(-1);
    const isBroken = breaks && (last?.kind === "paragraph" || last?.kind === "figure");
    children.push(...this.#blocks(blocks, room, isBroken));
    if (breaks && !isBroken) children.push(this.#line([new PageBreak()]));
    else if (last?.kind === "table" || (!last && hidden.length > 0)) children.push(this.#line([]));
    return children;
  }

  #blocks(blocks: readonly Block[], room: Room, breaksAtEnd: boolean): FileChild[] {
    const children: FileChild[] = [];
    for (const [index, block] of blocks.entries()) {
      const previous = blocks[index - 1];
      const before = previous ? block.box.top - previous.box.bottom : 0;
      const breaks = breaksAtEnd && index === blocks.length - 1;
      if (block.kind === "paragraph")
        children.push(paragraph(block, this.base, this.lists, { before, breaks }));
      else if (block.kind === "figure") children.push(this.#figure(block.picture, room, breaks));
      else {
        if (previous?.kind === "table") children.push(this.#line([], before));
        children.push(this.#table(block, room));
      }
    }
    return children;
  }

  /** A line of so many points, at least one: between two tables, or to carry what is no text. */
  #line(children: readonly (PageBreak | ImageRun)[], height = 1): Paragraph {
    return new Paragraph({
      children: [...children],
      spacing: {
        before: 0,
        after: 0,
        line: twips(Math.min(widestGap, Math.max(1, height))),
        lineRule: "exact",
      },
    });
  }

  #figure(picture: Picture, room: Room, breaks: boolean): Paragraph {
    const scale = Math.min(1, room.width / widthOf(picture), room.height / heightOf(picture));
    const image = new ImageRun({ ...this.#image(picture, scale) });
    return new Paragraph({
      children: breaks ? [image, new PageBreak()] : [image],
      ...(scale < 1 ? { alignment: AlignmentType.CENTER } : {}),
    });
  }

  #floating(picture: Picture): ImageRun {
    return new ImageRun({
      ...this.#image(picture, 1),
      floating: {
        behindDocument: true,
        allowOverlap: true,
        horizontalPosition: { relative: HorizontalPositionRelativeFrom.PAGE, offset: emu(picture.left) },
        verticalPosition: { relative: VerticalPositionRelativeFrom.PAGE, offset: emu(picture.top) },
        wrap: { type: TextWrappingType.NONE },
      },
    });
  }

  #image(picture: Picture, scale: number) {
    this.#pictures++;
    const name = `Picture ${this.#pictures}`;
    return {
      type: picture.type,
      data: picture.data,
      transformation: { width: pixels(widthOf(picture) * scale), height: pixels(heightOf(picture) * scale) },
      altText: { id: String(this.#pictures), name, title: name, description: picture.description },
    } as const;
  }

  #table(table: Table, room: Room): DocxTable {
    const whole = table.widths.reduce((sum, width) => sum + width, 0);
    // The text of a table without lines stands below the text above it.
    const outside = table.ruled ? 0 : table.padding;
    const scale = Math.min(table.ruled ? 1 : widening, (room.width + 2 * outside) / whole);
    const widths = table.widths.map((width) => twips(width * scale));
    const beside = twips(table.padding);
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
      ...(outside > 0 ? { indent: { size: -twips(outside), type: WidthType.DXA } } : {}),
      margins: { left: beside, right: beside, marginUnitType: WidthType.DXA },
      ...(rightToLeft ? { visuallyRightToLeft: true } : {}),
      ...(table.ruled ? {} : { borders: noBorders }),
      rows: table.rows.map(
        (row) => new TableRow({ cantSplit: true, children: row.map((cell) => this.#cell(cell, room)) }),
      ),
    });
  }

  #cell({ blocks, columnSpan, rowSpan }: Table["rows"][number][number], room: Room): TableCell {
    return new TableCell({
      // docx itself ends a cell with the paragraph that has to be there.
      children: this.#blocks(blocks, room, false) as (Paragraph | DocxTable)[],
      ...(columnSpan > 1 ? { columnSpan } : {}),
      ...(rowSpan > 1 ? { rowSpan } : {}),
    });
  }
}
