/** MP3, FLAC, Vorbis and Opus: their decoders take the file's bytes piece by piece. */

import { endOfHeader, endOfStreamInfo, flacBits, flacHead, outsideFrameHeader } from "./flac-header.js";
import { afterId3, beforeId3v1 } from "./id3.js";
import { packetsOf } from "./packets.js";
import { type Block, framesOf, type Planes, type Sound } from "./sound.js";

interface Decoded {
  channelData: Float32Array[];
  sampleRate: number;
}

/** What the decoders have in common. */
interface Decoder {
  decode(bytes: Uint8Array): Decoded;
  flush?(): Decoded;
  free(): void;
}

const silence: Decoded = { channelData: [], sampleRate: 0 };

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

interface Streamed {
  load(): Promise<Decoder>;
  pieces(sound: Sound): Pieces;
}

/** Few bytes at a time: fourteen may unpack to eight seconds of silence. */
const flacStep = 1_024;

const bytesBy = (step: number) =>
  function* ({ bytes, container }: Sound): Generator<Uint8Array> {
    const from = container === "ogg" ? 0 : afterId3(bytes);
    for (let at = from; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  };

async function* packets(sound: Sound): AsyncGenerator<Uint8Array> {
  for await (const [packet] of packetsOf(sound, 1)) if (packet) yield packet;
}

/** Marked as the last block before the audio. */
async function flacInfo({ track }: Sound): Promise<Uint8Array> {
  const info = (await flacHead(track)).slice(0, endOfStreamInfo);
  info[4] = 0x80;
  return info;
}

/** Without the tags: a cover of megabytes would be gone through again with every piece. */
async function* flacBytes(sound: Sound): AsyncGenerator<Uint8Array> {
  yield await flacInfo(sound);
  const { bytes } = sound;
  const last = beforeId3v1(bytes);
  for (let at = endOfHeader(bytes, afterId3(bytes)); at < last; ) {
    // The decoder overlooks a frame whose header lies across two pieces.
    const cut = outsideFrameHeader(bytes, at + flacStep);
    const end = at + flacStep < last && cut > at ? cut : Math.min(at + flacStep, last);
    yield bytes.subarray(at, end);
    at = end;
  }
}

async function* flacPackets(sound: Sound): AsyncGenerator<Uint8Array> {
  yield await flacInfo(sound);
  yield* packets(sound);
}

const mp3 = async () => (await import("@audio/decode-mp3")).decoder();
const flac = async () => (await import("@audio/decode-flac")).decoder();
const vorbis = async () => (await import("@audio/decode-vorbis")).decoder();
const opus = async () => (await import("@audio/decode-opus")).decoder();

export const streamed: Readonly<Record<string, Streamed>> = {
  "mp3 in mp3": { load: mp3, pieces: bytesBy(65_536) },
  "mp3 in mp4": { load: mp3, pieces: packets },
  "flac in flac": { load: flac, pieces: flacBytes },
  "flac in mp4": { load: flac, pieces: flacPackets },
  "vorbis in ogg": { load: vorbis, pieces: bytesBy(8_192) },
  "opus in ogg": { load: opus, pieces: bytesBy(8_192) },
};

/** The FLAC decoder divides by one less than full scale: this finds the whole numbers again, so that nothing is lost. */
function exact(planes: Planes, bits: number): Planes {
  const full = 2 ** (bits - 1);
  return planes.map((plane) => plane.map((sample) => Math.round(sample * (full - 1)) / full));
}

/** The decoders tell the console of each frame that they cannot read: a damaged file has thousands. */
function quietly<T>(decode: () => T): T {
  const { error } = console;
  console.error = () => {};
  try {
    return decode();
  } finally {
    console.error = error;
  }
}

export async function* decodeStream(sound: Sound, { load, pieces }: Streamed): AsyncGenerator<Block> {
  const decoder = await load();
  const bits = sound.codec === "flac" ? await flacBits(sound.track) : 0;
  const block = ({ channelData, sampleRate }: Decoded): Block[] => {
    // Mono comes out of the MP3 decoder twice.
    const planes = channelData.slice(0, sound.channels);
    if (framesOf(planes) === 0) return [];
    return [{ planes: bits > 0 ? exact(planes, bits) : planes, rate: sampleRate }];
  };
  try {
    for await (const piece of pieces(sound)) yield* block(quietly(() => decoder.decode(piece)));
    if (decoder.flush) yield* block(quietly(() => decoder.flush?.() ?? silence));
  } finally {
    decoder.free();
  }
}
