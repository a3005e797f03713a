/** Interprets the operators of a page to find its images, lines and invisible text. */

import type { PdfJs, PdfPage } from "./open-pdf.js";
import {
  type Box,
  boundingBox,
  heightOf,
  type LineArt,
  type Matrix,
  multiply,
  parseMatrix,
  transformPoint,
  widthOf,
} from "./page-model.js";

/** Consecutive glyphs of equal visibility. `end` is the number of glyphs on the page up to its end. */
export interface VisibilitySpan {
  end: number;
  invisible: boolean;
}

/** Counts glyphs without white space and control characters, which pdf.js may add or drop, in decomposed form. */
const countGlyphs = (text: string): number => text.normalize("NFKD").replace(/[\s\p{Cc}\p{Cf}]/gu, "").length;

/** Returns whether each text is invisible, by matching the texts with the drawn glyphs in order. */
export function findInvisible(texts: readonly string[], spans: readonly VisibilitySpan[]): boolean[] {
  const counts = texts.map(countGlyphs);
  const drawn = spans.at(-1)?.end ?? 0;
  // If pdf.js has dropped glyphs, all text has the visibility of most of it.
  if (counts.reduce((sum, count) => sum + count, 0) !== drawn) {
    const isMostlyInvisible = countInvisible(spans) > drawn / 2;
    return texts.map(() => isMostlyInvisible);
  }
  let [index, position] = [0, 0];
  return counts.map((count) => {
    while ((spans[index]?.end ?? Infinity) <= position + count / 2) index++;
    position += count;
    return spans[index]?.invisible ?? false;
  });
}

const countInvisible = (spans: readonly VisibilitySpan[]): number =>
  spans.reduce(
    (sum, { end, invisible }, index) => sum + (invisible ? end - (spans[index - 1]?.end ?? 0) : 0),
    0,
  );

/** Maximum sizes in points. */
const maxRuleThickness = 3;
const minRuleLength = 4;
const dotSize = { min: 1, max: 8 };
/** Maximum number of shapes. A page with more is a map or a chart. */
const maxShapes = 6_000;

type Point = readonly [number, number];

/** pdf.js's path commands, and the number of operands of each. */
const [moveTo, curveTo, quadraticTo, closePath] = [0, 2, 3, 4];
const operandCounts: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 6, 3: 4, 4: 0 };

/** Returns the points of each subpath. Only the end points of curves count. */
function parseSubpaths(path: ArrayLike<number>, matrix: Matrix): { points: Point[]; curved: boolean }[] {
  const subpaths: { points: Point[]; curved: boolean }[] = [];
  for (let at = 0; at < path.length; ) {
    const kind = path[at] as number;
    const count = operandCounts[kind];
    if (count === undefined) break;
    let current = subpaths.at(-1);
    if (kind === moveTo || !current) {
      current = { points: [], curved: false };
      subpaths.push(current);
    }
    const first = current.points[0];
    if (kind === closePath && first) current.points.push(first);
    if (count > 0)
      current.points.push(transformPoint(matrix, path[at + count - 1] as number, path[at + count] as number));
    current.curved ||= kind === curveTo || kind === quadraticTo;
    at += count + 1;
  }
  return subpaths;
}

const pointBounds = (points: readonly Point[]): Box =>
  boundingBox(points.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y })));

class LineArtCollector implements LineArt {
  horizontal: Box[] = [];
  vertical: Box[] = [];
  dots: Box[] = [];
  /** Whether anything was drawn. */
  hasAny = false;
  /** Whether curves or oblique lines were drawn, which belong neither to tables nor to bullets. */
  hasOther = false;

  /** Notes a shading, which fills its area without a path. */
  shade(): void {
    this.hasAny = true;
  }

  stroke(path: ArrayLike<number>, matrix: Matrix): void {
    this.hasAny = true;
    for (const { points, curved } of parseSubpaths(path, matrix)) {
      const box = pointBounds(points);
      if (curved) this.#curve(box);
      else
        for (const [index, point] of points.entries()) {
          if (index === 0) continue;
          const side = pointBounds([points[index - 1] as Point, point]);
          this.#rule(side);
          if (Math.min(widthOf(side), heightOf(side)) > maxRuleThickness) this.hasOther = true;
        }
    }
  }

  fill(path: ArrayLike<number>, matrix: Matrix): void {
    this.hasAny = true;
    for (const { points, curved } of parseSubpaths(path, matrix)) {
      const box = pointBounds(points);
      this.#rule(box);
      if (curved) this.#curve(box);
      else this.#dot(box);
    }
  }

  #curve(box: Box): void {
    this.#dot(box);
    if (Math.max(widthOf(box), heightOf(box)) > dotSize.max) this.hasOther = true;
  }

  #rule(box: Box): void {
    if (this.horizontal.length + this.vertical.length > maxShapes) return;
    const [width, height] = [widthOf(box), heightOf(box)];
    if (height <= maxRuleThickness && width >= minRuleLength && width > 2 * height) this.horizontal.push(box);
    else if (width <= maxRuleThickness && height >= minRuleLength && height > 2 * width)
      this.vertical.push(box);
  }

  #dot(box: Box): void {
    const [width, height] = [widthOf(box), heightOf(box)];
    const isSmall = Math.max(width, height) <= dotSize.max && Math.min(width, height) >= dotSize.min;
    if (isSmall && Math.abs(width - height) < 0.3 * width && this.dots.length < maxShapes)
      this.dots.push(box);
  }
}

/** A painted image: pdf.js's image or its name, and the transform of the unit square. */
export interface PaintedImage {
  image: unknown;
  /** Fill colour of an image mask, null for an ordinary image. */
  stencilColour: string | null;
  matrix: Matrix;
}

/** Maximum nesting of forms, which hostile files nest endlessly. */
const maxStackDepth = 200;
const maxImages = 2_000;

/** The rendering mode of recognised text over a scan. */
const invisibleTextMode = 3;

interface GraphicsState {
  matrix: Matrix;
  fill: string;
  /** PDF's text rendering mode. */
  textMode: number;
}

interface PageGraphics extends GraphicsState {
  stack: GraphicsState[];
  images: PaintedImage[];
  lineArt: LineArtCollector;
  /** Visibility of the page's own text; the text of annotations is drawn after it. */
  visibility: VisibilitySpan[];
  /** Lines of text that annotations draw, by the annotation's id. */
  annotationText: Map<string, string[]>;
  /** Lines of the annotation that is being drawn, null outside annotations. */
  annotationLines: string[] | null;
}

type OperatorHandler = (graphics: PageGraphics, operands: unknown[]) => void;

const save: OperatorHandler = (graphics) => {
  if (graphics.stack.length < maxStackDepth)
    graphics.stack.push({ matrix: graphics.matrix, fill: graphics.fill, textMode: graphics.textMode });
};

const restore: OperatorHandler = (graphics) => {
  Object.assign(graphics, graphics.stack.pop());
};

const transform: OperatorHandler = (graphics, operands) => {
  const matrix = parseMatrix(operands.length === 6 ? operands : operands[0]);
  if (matrix) graphics.matrix = multiply(graphics.matrix, matrix);
};

function saveAndTransform(graphics: PageGraphics, ...matrices: unknown[]): void {
  save(graphics, []);
  for (const matrix of matrices) transform(graphics, [matrix]);
}

function paintImage(
  graphics: PageGraphics,
  image: unknown,
  stencilColour: string | null,
  matrix = graphics.matrix,
): void {
  if (graphics.images.length < maxImages) graphics.images.push({ image, stencilColour, matrix });
}

const showText: OperatorHandler = ({ visibility, textMode, annotationLines }, [glyphs]) => {
  if (!Array.isArray(glyphs)) return;
  const text = (glyphs as { unicode?: unknown }[]).map((glyph) => glyph?.unicode ?? "").join("");
  if (annotationLines) {
    annotationLines.push(`${annotationLines.pop() ?? ""}${text}`);
    return;
  }
  const last = visibility.at(-1);
  const end = (last?.end ?? 0) + countGlyphs(text);
  const invisible = textMode === invisibleTextMode;
  if (last?.invisible === invisible) last.end = end;
  else visibility.push({ end, invisible });
};

const startLine: OperatorHandler = ({ annotationLines }) => {
  if (annotationLines && annotationLines.at(-1) !== "") annotationLines.push("");
};

const moveText: OperatorHandler = (graphics, [, down]) => {
  if (down !== 0) startLine(graphics, []);
  else graphics.annotationLines?.push(`${graphics.annotationLines.pop() ?? ""} `);
};

const beginAnnotation: OperatorHandler = (graphics, [id, , first, second]) => {
  graphics.annotationLines = [];
  graphics.annotationText.set(String(id), graphics.annotationLines);
  saveAndTransform(graphics, first, second);
};

const endAnnotation: OperatorHandler = (graphics) => {
  graphics.annotationLines = null;
  restore(graphics, []);
};

const drawPath: (strokes: ReadonlySet<number>, fills: ReadonlySet<number>) => OperatorHandler =
  (strokes, fills) =>
  (graphics, [how, data]) => {
    const path = Array.isArray(data) ? data[0] : null;
    if (!ArrayBuffer.isView(path) || typeof how !== "number") return;
    if (strokes.has(how)) graphics.lineArt.stroke(path as Float32Array, graphics.matrix);
    if (fills.has(how)) graphics.lineArt.fill(path as Float32Array, graphics.matrix);
  };

/** Returns the handlers of the operators that matter to a word processor. */
function operatorHandlers({ OPS }: PdfJs): ReadonlyMap<number, OperatorHandler> {
  const strokes = new Set([
    OPS.stroke,
    OPS.closeStroke,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
  ]);
  const fills = new Set([OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke]);
  return new Map<number, OperatorHandler>([
    [OPS.save, save],
    [OPS.restore, restore],
    [OPS.transform, transform],
    [OPS.beginGroup, save],
    [OPS.endGroup, restore],
    [OPS.paintFormXObjectBegin, (graphics, [matrix]) => saveAndTransform(graphics, matrix)],
    [OPS.paintFormXObjectEnd, restore],
    [OPS.beginAnnotation, beginAnnotation],
    [OPS.endAnnotation, endAnnotation],
    [OPS.setFillRGBColor, (graphics, [colour]) => Object.assign(graphics, { fill: String(colour) })],
    [OPS.setTextRenderingMode, (graphics, [mode]) => Object.assign(graphics, { textMode: Number(mode) })],
    [OPS.showText, showText],
    [OPS.beginText, startLine],
    [OPS.setTextMatrix, startLine],
    [OPS.moveText, moveText],
    [OPS.setLeadingMoveText, moveText],
    [OPS.nextLine, startLine],
    [OPS.constructPath, drawPath(strokes, fills)],
    [OPS.shadingFill, ({ lineArt }) => lineArt.shade()],
    [OPS.paintImageXObject, (graphics, [name]) => paintImage(graphics, name, null)],
    [OPS.paintInlineImageXObject, (graphics, [image]) => paintImage(graphics, image, null)],
    [OPS.paintImageMaskXObject, (graphics, [image]) => paintImage(graphics, image, graphics.fill)],
  ]);
}

export async function readGraphics(page: PdfPage, library: PdfJs, viewport: Matrix): Promise<PageGraphics> {
  const operators = await page.getOperatorList();
  const handlers = operatorHandlers(library);
  const graphics: PageGraphics = {
    ...{ matrix: viewport, fill: "#000000", textMode: 0, stack: [], images: [] },
    ...{ lineArt: new LineArtCollector(), visibility: [] },
    ...{ annotationText: new Map(), annotationLines: null },
  };
  for (const [index, operator] of operators.fnArray.entries()) {
    const operands: unknown = operators.argsArray[index];
    handlers.get(operator)?.(
      graphics,
      Array.isArray(operands) || ArrayBuffer.isView(operands) ? Array.from(operands as unknown[]) : [],
    );
  }
  return graphics;
}
