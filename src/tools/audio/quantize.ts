/** Samples as whole numbers of so many bits, as lossless targets hold them. */
import { framesOf, type Planes } from "./sound.js";

/** Interleaved; what is beyond full scale is clipped. */
export function quantize(planes: Planes, bits: 16 | 24): Int32Array {
  const scale = 2 ** (bits - 1);
  const channels = planes.length;
  const samples = new Int32Array(framesOf(planes) * channels);
  for (const [channel, plane] of planes.entries())
    for (let i = 0, at = channel; i < plane.length; i++, at += channels) {
      const sample = Math.round((plane[i] as number) * scale);
      samples[at] = sample >= scale ? scale - 1 : sample < -scale ? -scale : sample;
    }
  return samples;
}

/** Little-endian, as WAV holds them and as FLAC's checksum is taken. */
export function toBytes(samples: Int32Array, bits: 16 | 24, bytes: Uint8Array): void {
  for (let i = 0, at = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    bytes[at++] = sample;
    bytes[at++] = sample >> 8;
    if (bits === 24) bytes[at++] = sample >> 16;
  }
}
