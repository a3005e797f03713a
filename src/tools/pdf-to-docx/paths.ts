/** The rules and dots among what a page draws: tables' lines and lists' bullets. Everything else drawn is left. */
import { type Matrix, place } from "./geometry.js";
import { around, type Box, type Drawing, heightOf, widthOf } from "./model.js";

/** Wider strokes are no lines. */
const thickestRule = 3;
const shortestRule = 4;
/** Of list bullets as they are drawn. */
const dotSizes = { least: 1, most: 8 };
/** Maps and charts have more, and are no tables. */
const mostRules = 6_000;

type Point = readonly [number, number];

/** pdf.js's own numbers for the parts of a path, and how many numbers follow each. */
const [moveTo, curveTo, quadraticTo, closePath] = [0, 2, 3, 4];
const operands: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 6, 3: 4, 4: 0 };

/** Each stretch of the path, as its points; curves count by their ends. */
function subpathsOf(path: ArrayLike<number>, matrix: Matrix): { points: Point[]; curved: boolean }[] {
  const subpaths: { points: Point[]; curved: boolean }[] = [];
  for (let at = 0; at < path.length; ) {
    const kind = path[at] as number;
    const count = operands[kind];
    if (count === undefined) break;
    let current = subpaths.at(-1);
    if (kind === moveTo || !current) {
      current = { points: [], curved: false };
      subpaths.push(current);
    }
    const first = current.points[0];
    if (kind === closePath && first) current.points.push(first);
    if (count > 0)
      current.points.push(place(matrix, path[at + count - 1] as number, path[at + count] as number));
    current.curved ||= kind === curveTo || kind === quadraticTo;
    at += count + 1;
  }
  return subpaths;
}

const boxAround = (points: readonly Point[]): Box =>
  around(points.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y })));

export class Drawn implements Drawing {
  horizontal: Box[] = [];
  vertical: Box[] = [];
  dots: Box[] = [];

  stroke(path: ArrayLike<number>, matrix: Matrix): void {
    for (const { points, curved } of subpathsOf(path, matrix)) {
      const box = boxAround(points);
      if (curved) this.#dot(box);
      else
        for (const [index, point] of points.entries())
          if (index > 0) this.#rule(boxAround([points[index - 1] as Point, point]));
    }
  }

  fill(path: ArrayLike<number>, matrix: Matrix): void {
    for (const { points } of subpathsOf(path, matrix)) {
      const box = boxAround(points);
      this.#rule(box);
      this.#dot(box);
    }
  }

  #rule(box: Box): void {
    if (this.horizontal.length + this.vertical.length > mostRules) return;
    const [width, height] = [widthOf(box), heightOf(box)];
    if (height <= thickestRule && width >= shortestRule && width > 2 * height) this.horizontal.push(box);
    else if (width <= thickestRule && height >= shortestRule && height > 2 * width) this.vertical.push(box);
  }

  #dot(box: Box): void {
    const [width, height] = [widthOf(box), heightOf(box)];
    const isSmall = Math.max(width, height) <= dotSizes.most && Math.min(width, height) >= dotSizes.least;
    if (isSmall && Math.abs(width - height) < 0.3 * width && this.dots.length < mostRules)
      this.dots.push(box);
  }
}
