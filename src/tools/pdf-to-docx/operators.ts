/** Walks what a page draws, in order: where its pictures stand, and the lines it draws. */
import { type Matrix, matrixOf, times } from "./geometry.js";
import type { PdfJs, PdfPage } from "./open.js";
import { Drawn } from "./paths.js";
import { lettersIn, type Stretch } from "./unseen.js";

/** A picture where it is painted: pdf.js's image or its name, and what the unit square becomes. */
export interface Painted {
  image: unknown;
  /** A stencil is painted in this colour. */
  stencil: string | null;
  matrix: Matrix;
}

/** pdf.js names forms that paint themselves only once; hostile files nest them otherwise. */
const deepest = 200;
const mostPainted = 2_000;

interface State {
  matrix: Matrix;
  fill: string;
  /** PDF's text rendering mode; 3 is invisible, as recognised text lies over a scan. */
  mode: number;
}

export interface Walk extends State {
  stack: State[];
  painted: Painted[];
  drawn: Drawn;
  /** The page's own letters; those of annotations come after them. */
  letters: Stretch[];
  isAnnotating: boolean;
}

type Step = (walk: Walk, operands: unknown[]) => void;

const save: Step = (walk) => {
  if (walk.stack.length < deepest) walk.stack.push({ matrix: walk.matrix, fill: walk.fill, mode: walk.mode });
};

const restore: Step = (walk) => {
  Object.assign(walk, walk.stack.pop());
};

const transform: Step = (walk, operands) => {
  const matrix = matrixOf(operands.length === 6 ? operands : operands[0]);
  if (matrix) walk.matrix = times(walk.matrix, matrix);
};

function nest(walk: Walk, ...matrices: unknown[]): void {
  save(walk, []);
  for (const matrix of matrices) transform(walk, [matrix]);
}

function paint(walk: Walk, image: unknown, stencil: string | null, matrix = walk.matrix): void {
  if (walk.painted.length < mostPainted) walk.painted.push({ image, stencil, matrix });
}

const show: Step = ({ letters, mode, isAnnotating }, [glyphs]) => {
  if (isAnnotating || !Array.isArray(glyphs)) return;
  const text = (glyphs as { unicode?: unknown }[]).map((glyph) => glyph?.unicode ?? "").join("");
  const last = letters.at(-1);
  const end = (last?.end ?? 0) + lettersIn(text);
  const invisible = mode === 3;
  if (last?.invisible === invisible) last.end = end;
  else letters.push({ end, invisible });
};

const annotate: Step = (walk, [, , first, second]) => {
  walk.isAnnotating = true;
  nest(walk, first, second);
};

const draw: (strokes: ReadonlySet<number>, fills: ReadonlySet<number>) => Step =
  (strokes, fills) =>
  (walk, [how, data]) => {
    const path = Array.isArray(data) ? data[0] : null;
    if (!ArrayBuffer.isView(path) || typeof how !== "number") return;
    if (strokes.has(how)) walk.drawn.stroke(path as Float32Array, walk.matrix);
    if (fills.has(how)) walk.drawn.fill(path as Float32Array, walk.matrix);
  };

/** What each operator does to the walk; all others leave nothing that a word processor could take. */
function stepsOf({ OPS }: PdfJs): ReadonlyMap<number, Step> {
  const strokes = new Set([
    OPS.stroke,
    OPS.closeStroke,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
  ]);
  const fills = new Set([OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke]);
  return new Map<number, Step>([
    [OPS.save, save],
    [OPS.restore, restore],
    [OPS.transform, transform],
    [OPS.beginGroup, save],
    [OPS.endGroup, restore],
    [OPS.paintFormXObjectBegin, (walk, [matrix]) => nest(walk, matrix)],
    [OPS.paintFormXObjectEnd, restore],
    [OPS.beginAnnotation, annotate],
    [OPS.endAnnotation, restore],
    [OPS.setFillRGBColor, (walk, [colour]) => Object.assign(walk, { fill: String(colour) })],
    [OPS.setTextRenderingMode, (walk, [mode]) => Object.assign(walk, { mode: Number(mode) })],
    [OPS.showText, show],
    [OPS.constructPath, draw(strokes, fills)],
    [OPS.paintImageXObject, (walk, [name]) => paint(walk, name, null)],
    [OPS.paintInlineImageXObject, (walk, [image]) => paint(walk, image, null)],
    [OPS.paintImageMaskXObject, (walk, [image]) => paint(walk, image, walk.fill)],
  ]);
}

export async function walk(page: PdfPage, library: PdfJs, viewport: Matrix): Promise<Walk> {
  const operators = await page.getOperatorList();
  const steps = stepsOf(library);
  const state: Walk = {
    ...{ matrix: viewport, fill: "#000000", mode: 0, stack: [], painted: [] },
    ...{ drawn: new Drawn(), letters: [], isAnnotating: false },
  };
  for (const [index, operator] of operators.fnArray.entries()) {
    const operands: unknown = operators.argsArray[index];
    steps.get(operator)?.(
      state,
      Array.isArray(operands) || ArrayBuffer.isView(operands) ? Array.from(operands as unknown[]) : [],
    );
  }
  return state;
}
