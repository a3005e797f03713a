/** The formats to convert to: what each can hold, and its encoder. */
import { aacEncoder } from "./aac.js";
import { flacEncoder } from "./flac.js";
import { mp3Encoder } from "./mp3.js";
import { oggEncoder } from "./ogg.js";
import type { MakeEncoder } from "./sound.js";
import { wavEncoder } from "./wav.js";

export interface Target {
  /** The nearest sample rate that it holds well. */
  rate(rate: number): number;
  mostChannels: number;
  make: MakeEncoder;
}

const any = (rate: number): number => rate;

/** Keeps the family, so that 22.05 kHz doubles and 16 kHz trebles. */
const cdOrStudio = (rate: number): number => (rate % 11_025 === 0 ? 44_100 : 48_000);

/** Within the rates of both, those of which one is a multiple of the other sound best: out of range, the common ones. */
const between =
  (lowest: number, highest: number) =>
  (rate: number): number =>
    rate >= lowest && rate <= highest ? rate : cdOrStudio(rate);

/** At lower ones the last frame is longer than 50 ms, and not every reader leaves out what of it is too much. */
const m4aRates = [22_050, 24_000, 32_000, 44_100, 48_000];

export const targets = {
  // At lower rates the encoder's delay, which a reader may not know of, is longer than 50 ms; so with ADTS.
  mp3: { rate: cdOrStudio, mostChannels: 2, make: mp3Encoder },
  aac: { rate: cdOrStudio, mostChannels: 2, make: aacEncoder("aac") },
  m4a: {
    rate: (rate) => (m4aRates.includes(rate) ? rate : cdOrStudio(rate)),
    mostChannels: 2,
    make: aacEncoder("m4a"),
  },
  ogg: { rate: between(8_000, 192_000), mostChannels: 2, make: oggEncoder },
  flac: { rate: any, mostChannels: 8, make: flacEncoder },
  wav: { rate: any, mostChannels: 8, make: wavEncoder },
} satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;
