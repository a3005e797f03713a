/** Decodes uncompressed audio in WAV and MP4: PCM and G.711. */

import type { AudioBlock, AudioSource, Planes } from "./audio-types.js";
import { readPackets } from "./packets.js";

type ReadSample = (view: DataView, at: number) => number;

interface PcmFormat {
  bytes: number;
  read: ReadSample;
}

/** Expands a G.711 mu-law code. */
function decodeMulaw(code: number): number {
  const bits = ~code & 255;
  const magnitude = (((bits & 15) << 3) + 132) << ((bits >> 4) & 7);
  return (bits & 128 ? 132 - magnitude : magnitude - 132) / 32_768;
}

/** Expands a G.711 A-law code. */
function decodeAlaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 7;
  const low = ((bits & 15) << 4) + 8;
  const magnitude = segment === 0 ? low : (low + 256) << (segment - 1);
  return (bits & 128 ? magnitude : -magnitude) / 32_768;
}

const readS24 = (view: DataView, at: number, isLittle: boolean): number => {
  const [low, high] = isLittle ? [at, at + 2] : [at + 2, at];
  return (view.getInt8(high) << 16) | (view.getUint8(at + 1) << 8) | view.getUint8(low);
};

/** Returns how to read a sample of a codec, or null if it is not PCM. */
export function pcmFormat(codec: string): PcmFormat | null {
  const isLittle = !codec.endsWith("be");
  const samples: Record<string, PcmFormat> = {
    ulaw: { bytes: 1, read: (view, at) => decodeMulaw(view.getUint8(at)) },
    alaw: { bytes: 1, read: (view, at) => decodeAlaw(view.getUint8(at)) },
    "pcm-u8": { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) / 128 },
    "pcm-s8": { bytes: 1, read: (view, at) => view.getInt8(at) / 128 },
    "pcm-s16": { bytes: 2, read: (view, at) => view.getInt16(at, isLittle) / 32_768 },
    "pcm-s24": { bytes: 3, read: (view, at) => readS24(view, at, isLittle) / 8_388_608 },
    "pcm-s32": { bytes: 4, read: (view, at) => view.getInt32(at, isLittle) / 2_147_483_648 },
    "pcm-f32": { bytes: 4, read: (view, at) => view.getFloat32(at, isLittle) },
    "pcm-f64": { bytes: 8, read: (view, at) => view.getFloat64(at, isLittle) },
  };
  return samples[codec.replace(/be$/, "")] ?? null;
}

export async function* decodePcm(
  source: AudioSource,
  { bytes, read }: PcmFormat,
): AsyncGenerator<AudioBlock> {
  const { rate, channels } = source;
  for await (const data of readPackets(source)) {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const frames = Math.floor(data.length / (bytes * channels));
    const planes: Planes = Array.from({ length: channels }, () => new Float32Array(frames));
    for (const [channel, plane] of planes.entries())
      for (let i = 0, at = channel * bytes; i < frames; i++, at += channels * bytes) {
        const sample = read(view, at);
        // Float files may contain NaN or infinity.
        plane[i] = Number.isFinite(sample) ? sample : 0;
      }
    yield { planes, rate };
  }
}
