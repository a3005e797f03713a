/** Affine transforms as PDF writes them: six numbers. */
import type { Box } from "./model.js";

export type Matrix = readonly [number, number, number, number, number, number];

/** Applies the second, then the first. */
export const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

export const place = (m: Matrix, x: number, y: number): readonly [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** What a rectangle becomes, or the rectangle around it where it is turned. */
export function boxOf(m: Matrix, left: number, top: number, right: number, bottom: number): Box {
  const corners = [
    place(m, left, top),
    place(m, right, top),
    place(m, left, bottom),
    place(m, right, bottom),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Null unless it is six finite numbers: files say anything. */
export function matrixOf(value: unknown): Matrix | null {
  const numbers =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : null;
}
