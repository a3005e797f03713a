/** Collects lines and dots from drawn paths: the lines of tables and the bullets of lists. Other shapes are ignored. */
import { type Matrix, transformPoint } from "./matrix.js";
import { type Box, boundingBox, heightOf, type LineArt, widthOf } from "./page-model.js";

/** Sizes in points. */
const maxRuleThickness = 3;
const minRuleLength = 4;
const dotSize = { min: 1, max: 8 };
/** A page with more lines is a map or a chart. */
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

export class LineArtCollector implements LineArt {
  horizontal: Box[] = [];
  vertical: Box[] = [];
  dots: Box[] = [];
  /** Whether anything was drawn. */
  hasAny = false;
  /** Whether curves or oblique lines were drawn, which are no lines of a table and no bullets. */
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
