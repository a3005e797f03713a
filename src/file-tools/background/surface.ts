/** Fits a smooth colour surface (gradient, vignette or spotlight) to samples by robust least squares. */
import type { OkLab, Point } from "./border.js";

export interface Surface {
  /** Returns the colour at a pixel. */
  at(x: number, y: number): OkLab;
  /** Writes one channel of a row of pixels. */
  row(channel: 0 | 1 | 2, y: number, into: Float32Array): void;
}

interface Size {
  width: number;
  height: number;
}

const fitRounds = 4;
/** Colour distance from which the weight of an outlier falls off. */
const outlierTolerance = 0.02;
/** Ridge penalty of each term, as a share of the number of samples. Keeps undetermined terms small. */
const ridge = [0, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001];

export function fitSurface(samples: readonly Point[], { width, height }: Size): Surface {
  const terms = (x: number, y: number): number[] => {
    const u = (2 * x) / width - 1;
    const v = (2 * y) / height - 1;
    // The last term models a spotlight, which peaks in the middle.
    return [1, u, v, u * u, v * v, u * v, Math.hypot(u, v)];
  };
  const rows = samples.map(({ x, y }) => terms(x, y));
  const weights = samples.map(() => 1);
  let coefficients: number[][] = [];
  for (let round = 0; round < fitRounds; round++) {
    coefficients = ([0, 1, 2] as const).map((c) =>
      leastSquares(
        rows,
        samples.map(({ colour }) => colour[c]),
        weights,
      ),
    );
    for (const [i, { colour }] of samples.entries()) {
      const error = Math.hypot(
        ...coefficients.map((factors, c) => dot(factors, rows[i] as number[]) - (colour[c] as number)),
      );
      weights[i] = 1 / (1 + (error / outlierTolerance) ** 2);
    }
  }
  return {
    at(x, y) {
      const [lightness = 0, a = 0, b = 0] = coefficients.map((factors) => dot(factors, terms(x, y)));
      return [lightness, a, b];
    },
    row(channel, y, into) {
      const [middle = 0, du = 0, dv = 0, duu = 0, dvv = 0, duv = 0, peak = 0] = coefficients[channel] ?? [];
      const v = (2 * y) / height - 1;
      const start = middle + v * (dv + v * dvv);
      for (let x = 0; x < into.length; x++) {
        const u = (2 * x) / width - 1;
        into[x] = start + u * (du + u * duu + v * duv) + peak * Math.sqrt(u * u + v * v);
      }
    },
  };
}

function dot(factors: readonly number[], terms: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < terms.length; i++) sum += (factors[i] as number) * (terms[i] as number);
  return sum;
}

/** Solves weighted ridge regression through its normal equations. */
function leastSquares(
  rows: readonly number[][],
  values: readonly number[],
  weights: readonly number[],
): number[] {
  const size = ridge.length;
  const matrix = ridge.map((penalty, i) =>
    Array.from({ length: size + 1 }, (_, j) => (i === j ? penalty * rows.length + 1e-9 : 0)),
  );
  for (const [k, row] of rows.entries()) {
    const weight = weights[k] as number;
    for (let i = 0; i < size; i++) {
      const line = matrix[i] as number[];
      const scaled = weight * (row[i] as number);
      for (let j = 0; j < size; j++) line[j] = (line[j] as number) + scaled * (row[j] as number);
      line[size] = (line[size] as number) + scaled * (values[k] as number);
    }
  }
  return eliminate(matrix);
}

/** Gauss-Jordan elimination. The matrix is positive definite, so no pivoting is needed. */
function eliminate(matrix: number[][]): number[] {
  const size = matrix.length;
  const at = (i: number, j: number): number => (matrix[i] as number[])[j] as number;
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = at(k, i) / at(i, i);
      for (let j = i; j <= size; j++) (matrix[k] as number[])[j] = at(k, j) - factor * at(i, j);
    }
  }
  return matrix.map((_, i) => at(i, size) / at(i, i));
}
