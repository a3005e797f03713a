/** Converts samples to integers, for lossless targets. */
import { frameCount, type Planes } from "./audio-source.js";

/** Returns interleaved integer samples, clipped at full scale. */
export function quantize(planes: Planes, bits: 16 | 24): Int32Array {
  const scale = 2 ** (bits - 1);
  const channels = planes.length;
  const samples = new Int32Array(frameCount(planes) * channels);
  for (const [channel, plane] of planes.entries())
    for (let i = 0, at = channel; i < plane.length; i++, at += channels) {
      const sample = Math.round((plane[i] as number) * scale);
      samples[at] = sample >= scale ? scale - 1 : sample < -scale ? -scale : sample;
    }
  return samples;
}

/** Writes samples in little-endian order, as WAV stores them and FLAC's checksum covers them. */
export function writeSamples(samples: Int32Array, bits: 16 | 24, bytes: Uint8Array): void {
  for (let i = 0, at = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    bytes[at++] = sample;
    bytes[at++] = sample >> 8;
    if (bits === 24) bytes[at++] = sample >> 16;
  }
}
