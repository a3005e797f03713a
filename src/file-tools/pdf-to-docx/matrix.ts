/** Affine transforms as six numbers, in the order of PDF. */
import type { Box } from "./page-model.js";

export type Matrix = readonly [number, number, number, number, number, number];

/** Returns the product, which applies `n` first, then `m`. */
export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

export const transformPoint = (m: Matrix, x: number, y: number): readonly [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** Returns the bounding box of a transformed rectangle. */
export function transformBox(m: Matrix, left: number, top: number, right: number, bottom: number): Box {
  const corners = [
    transformPoint(m, left, top),
    transformPoint(m, right, top),
    transformPoint(m, left, bottom),
    transformPoint(m, right, bottom),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Returns null unless the value is six finite numbers. */
export function parseMatrix(value: unknown): Matrix | null {
  const numbers =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : null;
}
