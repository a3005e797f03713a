/**
 * The internal modules of pdfmake that this engine uses, with types, which the package does not have. They are not its
 * public API: package.json asks for an exact version, and a test names what must be there. They are loaded with `require`,
 * because Node and test runners resolve their default exports differently. Lengths are points.
 */
import { createRequire } from "node:module";
import type { ImageNode, Size } from "./nodes.js";

/** A glyph, with lengths in font units. */
export interface Glyph {
  id: number;
  /** The text that it represents. */
  codePoints: readonly number[];
  isMark: boolean;
  advanceWidth: number;
  /** Control box. Unlike `bbox`, it does not load component glyphs, which fontkit would then cache without code points. */
  cbox: ControlBox;
  /** Reads the control box from the font. */
  _getCBox(): ControlBox;
}

interface ControlBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export interface GlyphRun {
  direction: "ltr" | "rtl";
  glyphs: Glyph[];
  /** Position of each glyph. */
  positions: readonly { xAdvance: number; xOffset: number; yOffset: number }[];
}

export interface FontFile {
  unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  getGlyph(id: number, codePoints?: readonly number[]): Glyph;
  /** Table of TrueType fonts with the offset of each glyph's outline; a glyph without one has that of the next. */
  loca?: { offsets: readonly number[] };
  layout(
    text: string,
    features: object | null,
    script?: string,
    language?: string,
    direction?: GlyphRun["direction"],
  ): GlyphRun;
}

export interface Font {
  font: FontFile;
  /** Converts font units to thousandths of the font size. */
  scale: number;
  /** The glyphs embedded in the PDF, whose codes are their indices. */
  subset: { glyphs: number[]; includeGlyph(id: number): number };
  /** Code points by glyph code. */
  unicode: (readonly number[])[];
  widths: number[];
  layout(text: string, features: object | null): Pick<GlyphRun, "glyphs" | "positions">;
  encode(text: string, features: object | null): [codes: string[], positions: GlyphRun["positions"]];
  lineHeight(size: number, includeGap?: boolean): number;
  widthOfString(text: string, size: number, features: object | null): number;
}

export interface Pdf extends NodeJS.ReadableStream {
  provideFont(family: string, bold: boolean, italics: boolean): Font;
  provideImage(name: string): object;
  end(): void;
  save(): Pdf;
  restore(): Pdf;
  translate(x: number, y: number): Pdf;
  rotate(degrees: number): Pdf;
  scale(x: number, y: number): Pdf;
  rect(x: number, y: number, width: number, height: number): Pdf;
  clip(): Pdf;
  image(name: string, x: number, y: number, size: { width: number; height: number }): Pdf;
  link(x: number, y: number, width: number, height: number, address: string): Pdf;
}

type FontFiles = Record<"normal" | "bold" | "italics" | "bolditalics", string>;

type PdfConstructor = new (
  fonts: Readonly<Record<string, FontFiles>>,
  images: object,
  patterns: object,
  attachments: object,
  options: object,
) => Pdf;

/** An inline after pdfmake has measured it. */
export interface MeasuredInline {
  text: string;
  font: Font;
  fontSize: number;
  fontFeatures: object | null;
  characterSpacing: number;
  width: number;
  x: number;
  leadingCut: number;
  trailingCut: number;
  noWrap?: boolean;
  noNewLine?: boolean;
  lineEnd?: boolean;
  tab?: boolean;
  picture?: ImageNode;
}

export interface PdfTextLine {
  readonly maxWidth: number;
  readonly inlines: MeasuredInline[];
  inlineWidths: number;
  leadingCut: number;
  lastLineInParagraph: boolean;
  addInline(inline: MeasuredInline): void;
  getAvailableWidth(): number;
  hasEnoughSpaceForInline(inline: MeasuredInline, next: readonly MeasuredInline[]): boolean;
  getHeight(): number;
  /** Distance from the top of the line to the baseline. */
  getAscenderHeight(): number;
  clone(): PdfTextLine;
}

export interface PlacedArea extends Size {
  x: number;
  y: number;
}

interface Page {
  items: readonly object[];
}

/** A place in a page's list of items, at which a vertically aligned cell begins or ends. */
export interface AlignmentMark {
  verticalAlignment: "middle" | "bottom";
  /** Distance by which the cell's content is moved down, if set. */
  shift?: number;
}

export interface LayoutNode {
  rowSpan?: number;
  verticalAlignment?: AlignmentMark["verticalAlignment"];
}

export interface TableRow {
  cells: LayoutNode[];
  tableBody?: LayoutNode[][];
  rowIndex?: number;
}

declare class Builder {
  constructor(pageSize: object, pageMargins: object, svgMeasure: object | null);
  protected writer: {
    /** Zero-based page and the distance from its top; `availableHeight` is negative below the bottom margin. */
    context(): { availableWidth: number; availableHeight: number; page: number; y: number };
    setMaxListeners(most: number): void;
  };
  /** Marks of the aligned cells that have been laid out. */
  protected verticalAlignmentItemStack: Record<"begin" | "end", { item: AlignmentMark }>[];
  layoutDocument(content: unknown, pdf: Pdf, styles: object, defaultStyle: object): Page[];
  protected processTable(node: object): void;
  protected processNode(node: LayoutNode, isVerticalAlignmentAllowed?: boolean): void;
  protected processRow(row: TableRow): object;
  protected addHeadersAndFooters(): void;
  /** Draws what a section's custom property returns on each page. */
  protected addDynamicRepeatable(
    standard: null,
    areaOf: (pageSize: Size) => PlacedArea,
    property: "header" | "footer",
  ): void;
  protected buildNextLine(node: object): PdfTextLine | null;
}

declare class PageRenderer {
  constructor(pdf: Pdf);
  protected pdfDocument: Pdf;
  renderPages(pages: readonly Page[]): void;
  renderImage(image: object): void;
  beginVerticalAlignment(mark: AlignmentMark): void;
  endVerticalAlignment(mark: AlignmentMark): void;
  renderLine(line: PdfTextLine, x: number, y: number): void;
}

interface Module<T> {
  default: T;
}

const require = createRequire(import.meta.url);

export const { default: PdfDocument }: Module<PdfConstructor> = require("pdfmake/js/PDFDocument.js");
export const {
  default: PdfLine,
}: Module<new (maxWidth: number) => PdfTextLine> = require("pdfmake/js/Line.js");
export const { default: LayoutBuilder }: Module<typeof Builder> = require("pdfmake/js/LayoutBuilder.js");
export const { default: Renderer }: Module<typeof PageRenderer> = require("pdfmake/js/Renderer.js");
