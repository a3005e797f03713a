/** Decodes AAC and Apple Lossless with @audio/decode-aac, an optional dependency because it is licensed under the GPL. */

import type { RawOptions } from "@audio/decode-aac";
import { notInstalled } from "../../contract/optional-packages.js";
import type { AudioBlock, AudioSource, Planes } from "./audio-types.js";
import { audioStart } from "./id3.js";
import { readPackets } from "./packets.js";

export type LoadAacDecoder = () => Promise<typeof import("@audio/decode-aac")>;

export const loadAacDecoder: LoadAacDecoder = () => import("@audio/decode-aac");

const packetsPerBatch = 64;
const adtsChunkBytes = 16_384;

async function loadOrExplain(from: LoadAacDecoder): ReturnType<LoadAacDecoder> {
  try {
    return await from();
  } catch {
    throw notInstalled("@audio/decode-aac (GPL-2.0)");
  }
}

function* adtsChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = audioStart(bytes); at < bytes.length; at += adtsChunkBytes)
    yield bytes.subarray(at, at + adtsChunkBytes);
}

async function* packetBatches(source: AudioSource): AsyncGenerator<Uint8Array[]> {
  const batch: Uint8Array[] = [];
  for await (const packet of readPackets(source)) {
    batch.push(packet);
    if (batch.length === packetsPerBatch) yield batch.splice(0);
  }
  if (batch.length > 0) yield batch;
}

/** Returns options that tell the decoder to drop the priming samples and the padding of the last packet. */
async function mp4DecoderOptions({ alac, track, seconds }: AudioSource): Promise<RawOptions | null> {
  const { description } = (await track.getDecoderConfig()) ?? {};
  const gapless = { start: Math.max(0, -(await track.getFirstTimestamp())), duration: seconds };
  if (alac) return { alac: alac.configuration, gapless };
  return description instanceof Uint8Array ? { asc: description, gapless } : null;
}

/**
 * Index of each WAV channel in the decoder's output, by number of channels. The decoder outputs Apple Lossless as centre,
 * left, right, back centre or surrounds, LFE, and 7.1 AAC as centre, fronts, sides, backs, LFE. Other AAC is in WAV order.
 */
const aacOrders: Readonly<Record<number, number[]>> = { 8: [1, 2, 0, 7, 5, 6, 3, 4] };
const alacOrders: Readonly<Record<number, number[]>> = {
  3: [1, 2, 0],
  4: [1, 2, 0, 3],
  5: [1, 2, 0, 3, 4],
  6: [1, 2, 0, 5, 3, 4],
};

function toWavOrder(planes: Planes, { alac }: AudioSource): Planes {
  const order = (alac ? alacOrders : aacOrders)[planes.length];
  return order ? order.map((channel) => planes[channel] as Float32Array) : planes;
}

export async function* decodeAac(source: AudioSource, from: LoadAacDecoder): AsyncGenerator<AudioBlock> {
  const { decoder } = await loadOrExplain(from);
  const raw = source.container === "mp4" ? await mp4DecoderOptions(source) : null;
  const decoding = await decoder(raw ?? {});
  try {
    for await (const part of raw ? packetBatches(source) : adtsChunks(source.bytes)) {
      const { channelData, sampleRate } = decoding.decode(part);
      if (channelData[0]?.length) yield { planes: toWavOrder(channelData, source), rate: sampleRate };
    }
  } finally {
    decoding.free();
  }
}
