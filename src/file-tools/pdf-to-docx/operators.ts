/** Interprets the operators of a page to find its images, its lines and which of its text is invisible. */
import { countGlyphs, type VisibilitySpan } from "./invisible-text.js";
import { LineArtCollector } from "./line-art.js";
import { type Matrix, multiply, parseMatrix } from "./matrix.js";
import type { PdfJs, PdfPage } from "./open-pdf.js";

/** A painted image: pdf.js's image or its name, and the transform of the unit square. */
export interface PaintedImage {
  image: unknown;
  /** Fill colour of an image mask, null for an ordinary image. */
  stencilColour: string | null;
  matrix: Matrix;
}

/** Hostile files nest forms without end. */
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

export interface PageGraphics extends GraphicsState {
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
