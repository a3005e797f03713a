/** From one sample rate to another: a windowed sinc for each phase that two rates have to one another. */
import { framesOf, type Planes } from "./sound.js";

/** Zero crossings to each side: above 90 dB of stop band, flat to 0.9 of the lower Nyquist frequency. */
const crossings = 24;
const kaiserBeta = 9;
const rolloff = 0.95;
/** Odd pairs of rates have more phases than it pays to keep; the nearest of so many is below -70 dB of error. */
const mostPhases = 4096;

function bessel(x: number): number {
  let sum = 1;
  for (let term = 1, k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** For each phase, the weights of the inputs around an output. */
function kernels(phases: number, half: number, cutoff: number): Float64Array[] {
  const peak = bessel(kaiserBeta);
  return Array.from({ length: phases }, (_, phase) => {
    const weights = new Float64Array(2 * half);
    for (let k = 0; k < weights.length; k++) {
      const distance = k - (half - 1) - phase / phases;
      const x = Math.PI * cutoff * distance;
      const edge = distance / half;
      const window = Math.abs(edge) >= 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - edge * edge)) / peak;
      weights[k] = cutoff * (x === 0 ? 1 : Math.sin(x) / x) * window;
    }
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => weight / sum);
  });
}

/** Works block by block; the output is as long as the input, to the sample. */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #kernels: Float64Array[];
  /** Inputs that outputs to come still need, and the index of the first. */
  #kept: Planes;
  #keptFrom: number;
  #taken = 0;
  #made = 0;

  constructor(from: number, to: number, channels: number) {
    const divisor = gcd(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    this.#half = Math.ceil(crossings * Math.max(1, from / to));
    this.#kernels = kernels(Math.min(this.#up, mostPhases), this.#half, Math.min(1, to / from) * rolloff);
    this.#kept = Array.from({ length: channels }, () => new Float32Array(this.#half));
    this.#keptFrom = -this.#half;
  }

  push(planes: Planes): Planes {
    this.#taken += framesOf(planes);
    return this.#make(planes, Number.POSITIVE_INFINITY);
  }

  /** What the last inputs still give, followed by silence. */
  end(): Planes {
    const silence = this.#kept.map(() => new Float32Array(this.#half + 1));
    return this.#make(silence, Math.round((this.#taken * this.#up) / this.#down));
  }

  #make(planes: Planes, most: number): Planes {
    const inputs = this.#kept.map((kept, channel) => join(kept, planes[channel] as Float32Array));
    const end = this.#keptFrom + framesOf(inputs);
    // The last output for which all inputs around it are there.
    const reachable = Math.floor(((end - 1 - this.#half) * this.#up) / this.#down) + 1;
    const until = Math.max(this.#made, Math.min(reachable, most));
    const made = inputs.map((input) => this.#outputs(input, until));
    this.#made = until;
    const from = Math.floor((until * this.#down) / this.#up) - this.#half;
    this.#kept = inputs.map((input) => input.slice(Math.max(0, from - this.#keptFrom)));
    this.#keptFrom = Math.max(this.#keptFrom, from);
    return made;
  }

  #outputs(input: Float32Array, until: number): Float32Array {
    const outputs = new Float32Array(until - this.#made);
    for (let i = 0; i < outputs.length; i++) {
      const position = (this.#made + i) * this.#down;
      const at = Math.floor(position / this.#up);
      const phase = Math.floor(((position % this.#up) * this.#kernels.length) / this.#up);
      const weights = this.#kernels[phase] as Float64Array;
      const first = at - (this.#half - 1) - this.#keptFrom;
      let sum = 0;
      for (let k = 0; k < weights.length; k++) sum += (input[first + k] as number) * (weights[k] as number);
      outputs[i] = sum;
    }
    return outputs;
  }
}

function join(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
