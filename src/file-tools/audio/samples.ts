/** Processes samples: converts their rate, mixes channels, and makes integers of them for lossless targets. */
import { frameCount, type Planes } from "./audio-source.js";

/**
 * Zero crossings of the filter on each side: over 90 dB of stopband attenuation, flat up to 0.9 of the lower Nyquist
 * frequency.
 */
const zeroCrossings = 24;
const kaiserBeta = 9;
const rolloff = 0.95;
/** Maximum number of phases, for unusual pairs of rates. Rounding to the nearest phase keeps the error below -70 dB. */
const maxPhases = 4096;

function bessel(x: number): number {
  let sum = 1;
  for (let term = 1, k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Returns the filter coefficients of each phase. */
function createKernels(phases: number, half: number, cutoff: number): Float64Array[] {
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

/** Resamples block by block. The output is exactly as long as the input. */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #kernels: Float64Array[];
  /** Input samples that later output needs, and the index of the first. */
  #kept: Planes;
  #keptFrom: number;
  #inputFrames = 0;
  #outputFrames = 0;

  constructor(from: number, to: number, channels: number) {
    const divisor = gcd(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    this.#half = Math.ceil(zeroCrossings * Math.max(1, from / to));
    this.#kernels = createKernels(
      Math.min(this.#up, maxPhases),
      this.#half,
      Math.min(1, to / from) * rolloff,
    );
    this.#kept = Array.from({ length: channels }, () => new Float32Array(this.#half));
    this.#keptFrom = -this.#half;
  }

  push(planes: Planes): Planes {
    this.#inputFrames += frameCount(planes);
    return this.#resample(planes, Number.POSITIVE_INFINITY);
  }

  /** Returns the rest of the output. */
  end(): Planes {
    const silence = this.#kept.map(() => new Float32Array(this.#half + 1));
    return this.#resample(silence, Math.round((this.#inputFrames * this.#up) / this.#down));
  }

  #resample(planes: Planes, maxFrames: number): Planes {
    const inputs = this.#kept.map((kept, channel) => concatSamples(kept, planes[channel] as Float32Array));
    const end = this.#keptFrom + frameCount(inputs);
    // Number of outputs whose surrounding inputs are all available.
    const reachable = Math.floor(((end - 1 - this.#half) * this.#up) / this.#down) + 1;
    const until = Math.max(this.#outputFrames, Math.min(reachable, maxFrames));
    const outputs = inputs.map((input) => this.#filter(input, until));
    this.#outputFrames = until;
    const from = Math.floor((until * this.#down) / this.#up) - this.#half;
    this.#kept = inputs.map((input) => input.slice(Math.max(0, from - this.#keptFrom)));
    this.#keptFrom = Math.max(this.#keptFrom, from);
    return outputs;
  }

  #filter(input: Float32Array, until: number): Float32Array {
    const outputs = new Float32Array(until - this.#outputFrames);
    for (let i = 0; i < outputs.length; i++) {
      const position = (this.#outputFrames + i) * this.#down;
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

function concatSamples(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Gain of centre and surround channels per ITU-R BS.775. The LFE channel is dropped. */
const minus3dB = Math.SQRT1_2;

/** Weights of each kind of speaker in the left and the right output channel. */
const speakers: Readonly<Record<string, readonly [left: number, right: number]>> = {
  L: [1, 0],
  R: [0, 1],
  centre: [minus3dB, minus3dB],
  LFE: [0, 0],
  left: [minus3dB, 0],
  right: [0, minus3dB],
  back: [minus3dB / 2, minus3dB / 2],
};

/** Speakers of the input channels, in WAV order, by the number of channels. */
const layouts: Readonly<Record<number, string>> = {
  3: "L R centre",
  4: "L R left right",
  5: "L R centre left right",
  6: "L R centre LFE left right",
  7: "L R centre LFE back left right",
  8: "L R centre LFE left right left right",
};

export const outputChannels = (channels: number, max: number): number => (channels > max ? 2 : channels);

/** Mixes to the given number of channels. Weights are normalised, so that full scale in every channel does not clip. */
export function downmix(planes: Planes, channels: number): Planes {
  if (planes.length <= channels) return planes;
  const layout = layouts[planes.length]?.split(" ");
  if (!layout) return planes.slice(0, channels);
  return [0, 1].map((side) => {
    const weights = layout.map((speaker) => speakers[speaker]?.[side] ?? 0);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const mixed = new Float32Array(frameCount(planes));
    for (const [channel, plane] of planes.entries()) {
      const share = (weights[channel] as number) / sum;
      if (share > 0)
        for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] as number) + (plane[i] as number) * share;
    }
    return mixed;
  });
}

/**
 * Returns interleaved integer samples in little-endian order, as WAV stores them and FLAC's checksum covers them, clipped at
 * full scale. They are the upper bits of `storedBits`.
 */
export function toBytes(planes: Planes, bits: 16 | 24, storedBits: 16 | 24 | 32 = bits): Buffer {
  const scale = 2 ** (bits - 1);
  const width = storedBits / 8;
  const bytes = Buffer.alloc(frameCount(planes) * planes.length * width);
  for (const [channel, plane] of planes.entries())
    for (let i = 0, at = channel * width; i < plane.length; i++, at += planes.length * width) {
      const sample = Math.min(scale - 1, Math.max(-scale, Math.round((plane[i] as number) * scale)));
      bytes.writeIntLE(sample * 2 ** (storedBits - bits), at, width);
    }
  return bytes;
}
