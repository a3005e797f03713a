/** The target formats: their limits and encoders. */
import { createAacEncoder } from "./aac.js";
import type { CreateEncoder } from "./audio-types.js";
import { createFlacEncoder } from "./flac.js";
import { createMp3Encoder } from "./mp3.js";
import { createOggEncoder } from "./ogg.js";
import { createWavEncoder } from "./wav.js";

export interface Target {
  /** Returns the sample rate to convert a source to. */
  outputRate(rate: number): number;
  maxChannels: number;
  createEncoder: CreateEncoder;
}

const anyRate = (rate: number): number => rate;

/** Keeps the ratio an integer for common rates: 22.05 kHz doubles, 16 kHz triples. */
const standardRate = (rate: number): number => (rate % 11_025 === 0 ? 44_100 : 48_000);

/** Keeps rates within a range. */
const rateWithin =
  (min: number, max: number) =>
  (rate: number): number =>
    rate >= min && rate <= max ? rate : standardRate(rate);

/** At lower rates the delay of the encoder exceeds 50 ms, and not every player trims it. */
const frameRates = [22_050, 24_000, 32_000, 44_100, 48_000];

const frameRate = (rate: number): number => (frameRates.includes(rate) ? rate : standardRate(rate));

export const targets = {
  mp3: { outputRate: frameRate, maxChannels: 2, createEncoder: createMp3Encoder },
  // The delay of its decoders is longer, so that 50 ms take a higher rate.
  aac: { outputRate: standardRate, maxChannels: 2, createEncoder: createAacEncoder("aac") },
  m4a: { outputRate: frameRate, maxChannels: 2, createEncoder: createAacEncoder("m4a") },
  ogg: { outputRate: rateWithin(8_000, 192_000), maxChannels: 2, createEncoder: createOggEncoder },
  flac: { outputRate: anyRate, maxChannels: 8, createEncoder: createFlacEncoder },
  wav: { outputRate: anyRate, maxChannels: 8, createEncoder: createWavEncoder },
} satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;
