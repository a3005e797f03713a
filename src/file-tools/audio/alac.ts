/** Decodes Apple Lossless with @audio/decode-aac, which users install themselves because it is licensed under the GPL. */
import { NotInstalled } from "../../contract/optional-packages.js";
import type { AudioBlock, AudioSource, Planes } from "./audio-source.js";
import { readPackets } from "./limits.js";

/** Start of the `alac` box within the `alac` sample entry: 36 bytes, of which the last 24 are the configuration. */
const sampleEntryStart = Buffer.from("\0\0\0\x24alac\0\0\0\0", "latin1");
const configurationBytes = 24;

export interface AlacInfo {
  configuration: Uint8Array;
  bitDepth: number;
  /** The true rate; the sample entry can only store rates up to 65,535 Hz. */
  sampleRate: number;
}

/** Reads the configuration of Apple Lossless in MP4, which mediabunny does not expose. Returns null if there is none. */
export function readAlacInfo(bytes: Uint8Array): AlacInfo | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = file.indexOf(sampleEntryStart);
  const from = at + sampleEntryStart.length;
  if (at < 0 || from + configurationBytes > file.length) return null;
  const configuration = file.subarray(from, from + configurationBytes);
  return { configuration, bitDepth: configuration.readUInt8(5), sampleRate: configuration.readUInt32BE(20) };
}

const packetsPerBatch = 64;

/**
 * Index of each WAV channel in the decoder's output, by number of channels. The decoder outputs centre, left, right, back
 * centre or surrounds, LFE.
 */
const channelOrders: Readonly<Record<number, number[]>> = {
  3: [1, 2, 0],
  4: [1, 2, 0, 3],
  5: [1, 2, 0, 3, 4],
  6: [1, 2, 0, 5, 3, 4],
};

const toWavOrder = (planes: Planes): Planes =>
  (channelOrders[planes.length] ?? [...planes.keys()]).map((channel) => planes[channel] as Float32Array);

async function loadDecoder() {
  try {
    return await import("@audio/decode-aac");
  } catch {
    throw new NotInstalled(
      "the package @audio/decode-aac (GPL-2.0), which decodes Apple Lossless, is not installed; add it with `npm install @audio/decode-aac`, or send the sound as flac",
    );
  }
}

export async function* decodeAlac(source: AudioSource): AsyncGenerator<AudioBlock> {
  const { decoder } = await loadDecoder();
  const alac = readAlacInfo(source.bytes)?.configuration ?? new Uint8Array();
  const decoding = await decoder({ alac });
  const batch: Uint8Array[] = [];
  const decodeBatch = (): AudioBlock => {
    const { channelData, sampleRate } = decoding.decode(batch.splice(0));
    return { planes: toWavOrder(channelData), rate: sampleRate };
  };
  try {
    for await (const { data } of readPackets(source))
      if (batch.push(data) === packetsPerBatch) yield decodeBatch();
    if (batch.length > 0) yield decodeBatch();
  } finally {
    decoding.free();
  }
}
