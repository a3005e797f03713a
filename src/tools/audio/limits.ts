/** How much a conversion may take up. Samples are never held as a whole; the output is. */
import { Unreadable } from "../engine.js";

/** A tiny file can unpack to days of silence. */
const longestSeconds = 2 * 3600;
/** 39 minutes of 16-bit stereo at 44.1 kHz. */
export const mostBytes = 400e6;
const mostChannels = 8;
/** Hz. */
const lowestRate = 4_000;
const highestRate = 384_000;

export function checkLength(seconds: number): void {
  if (seconds <= longestSeconds) return;
  throw new Unreadable(
    `it unpacks to more than ${longestSeconds / 3600} hours of audio, the longest that is converted; send a shorter file`,
  );
}

export function checkSize(bytes: number): void {
  if (bytes <= mostBytes) return;
  throw new Unreadable(
    `converted it would take more than ${mostBytes / 1e6} MB; send a shorter file, or take a compressed target such as mp3`,
  );
}

export function checkRate(rate: number): void {
  if (rate >= lowestRate && rate <= highestRate) return;
  throw new Unreadable(
    `its header gives a sample rate of ${rate} Hz; audio has ${lowestRate} to ${highestRate} Hz`,
  );
}

export function checkChannels(channels: number): void {
  if (channels >= 1 && channels <= mostChannels) return;
  throw new Unreadable(`its header gives ${channels} channels; 1 to ${mostChannels} can be converted`);
}
