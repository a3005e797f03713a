/** AAC and Apple Lossless, by a package that is under the GPL: not a part of this program, used where the user has installed it. */

import type { RawOptions } from "@audio/decode-aac";
import { notInstalled } from "../../contract/optional-packages.js";
import { afterId3 } from "./id3.js";
import { packetsOf } from "./packets.js";
import type { Block, Planes, Sound } from "./sound.js";

export type LoadAac = () => Promise<typeof import("@audio/decode-aac")>;

export const loadAac: LoadAac = () => import("@audio/decode-aac");

/** Packets, or bytes of ADTS, that are decoded at once. */
const packetsAtOnce = 64;
const step = 16_384;

async function load(from: LoadAac): ReturnType<LoadAac> {
  try {
    return await from();
  } catch {
    throw notInstalled("@audio/decode-aac (GPL-2.0)", "put ffmpeg on the PATH");
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = afterId3(bytes); at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

/** In MP4 the packets before the start, and what of the last is too much, are not to be heard. */
async function inMp4({ alac, track, seconds }: Sound): Promise<RawOptions | null> {
  const { description } = (await track.getDecoderConfig()) ?? {};
  const gapless = { start: Math.max(0, -(await track.getFirstTimestamp())), duration: seconds };
  if (alac) return { alac: alac.configuration, gapless };
  return description instanceof Uint8Array ? { asc: description, gapless } : null;
}

/**
 * Where the channels of WAV order stand in what the decoder gives: centre, left, right, back centre or surrounds, LFE.
 * It orders AAC itself, but for 7.1: centre, fronts, sides, backs, LFE.
 */
const aacOrders: Readonly<Record<number, number[]>> = { 8: [1, 2, 0, 7, 5, 6, 3, 4] };
const alacOrders: Readonly<Record<number, number[]>> = {
  3: [1, 2, 0],
  4: [1, 2, 0, 3],
  5: [1, 2, 0, 3, 4],
  6: [1, 2, 0, 5, 3, 4],
};

function ordered(planes: Planes, { alac }: Sound): Planes {
  const order = (alac ? alacOrders : aacOrders)[planes.length];
  return order ? order.map((channel) => planes[channel] as Float32Array) : planes;
}

export async function* decodeAac(sound: Sound, from: LoadAac): AsyncGenerator<Block> {
  const { decoder } = await load(from);
  const raw = sound.container === "mp4" ? await inMp4(sound) : null;
  const decoding = await decoder(raw ?? {});
  try {
    for await (const part of raw ? packetsOf(sound, packetsAtOnce) : piecesOf(sound.bytes)) {
      const { channelData, sampleRate } = decoding.decode(part);
      if (channelData[0]?.length) yield { planes: ordered(channelData, sound), rate: sampleRate };
    }
  } finally {
    decoding.free();
  }
}
