/** Limits of a conversion. The output is held in memory; decoded samples are processed block by block. */
import { UnreadableFileError } from "../engine.js";

/** A tiny file can decode to days of silence. */
const maxSeconds = 2 * 3600;
/** As much as 39 minutes of 16-bit stereo at 44.1 kHz. */
export const maxOutputBytes = 400e6;
const maxChannels = 8;
const minSampleRate = 1_000;
const maxSampleRate = 384_000;

export function checkLength(seconds: number): void {
  if (seconds <= maxSeconds) return;
  throw new UnreadableFileError(
    `it contains more than ${maxSeconds / 3600} hours of audio, the limit of a conversion; send a shorter file`,
  );
}

export function checkOutputSize(bytes: number): void {
  if (bytes <= maxOutputBytes) return;
  throw new UnreadableFileError(
    `the converted file would take more than ${maxOutputBytes / 1e6} MB; send a shorter file, or choose a compressed target such as mp3`,
  );
}

export function checkSampleRate(rate: number): void {
  if (rate >= minSampleRate && rate <= maxSampleRate) return;
  throw new UnreadableFileError(
    `its header declares a sample rate of ${rate} Hz; supported are ${minSampleRate} to ${maxSampleRate} Hz`,
  );
}

export function checkChannels(channels: number): void {
  if (channels >= 1 && channels <= maxChannels) return;
  throw new UnreadableFileError(
    `its header declares ${channels} channels; supported are 1 to ${maxChannels}`,
  );
}
