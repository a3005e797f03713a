/** MP3, FLAC, Vorbis and Opus: their decoders take the file's bytes piece by piece. */
import { endOfStreamInfo, flacBits, flacHead } from "./flac-header.js";
import { afterId3 } from "./id3.js";
import type { Sound } from "./open.js";
import { packetsOf } from "./packets.js";
import { concat } from "./sink.js";
import { type Block, framesOf, type Planes } from "./sound.js";

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
  /** Small where a few bytes may unpack to minutes of silence. */
  pieces(sound: Sound): Pieces;
}

const bytesBy = (step: number) =>
  function* ({ bytes, container }: Sound): Generator<Uint8Array> {
    const from = container === "ogg" ? 0 : afterId3(bytes);
    for (let at = from; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  };

/** A frame of FLAC may hold 2 MB of silence. */
const packetsAtOnce = 16;

async function* packets(sound: Sound): AsyncGenerator<Uint8Array> {
  for await (const batch of packetsOf(sound, packetsAtOnce)) yield concat(batch);
}

/**
 * Whole frames: the decoder overlooks a frame whose header lies across two pieces.
 * Without the tags: a cover of megabytes would be gone through again with every piece.
 */
async function* flacFrames(sound: Sound): AsyncGenerator<Uint8Array> {
  const info = (await flacHead(sound.track)).slice(0, endOfStreamInfo);
  // Marks the block as the last before the audio.
  info[4] = 0x80;
  yield info;
  yield* packets(sound);
}

const mp3 = async () => (await import("@audio/decode-mp3")).decoder();
const flac = async () => (await import("@audio/decode-flac")).decoder();
const vorbis = async () => (await import("@audio/decode-vorbis")).decoder();
const opus = async () => (await import("@audio/decode-opus")).decoder();

export const streamed: Readonly<Record<string, Streamed>> = {
  "mp3 in mp3": { load: mp3, pieces: bytesBy(65_536) },
  "mp3 in mp4": { load: mp3, pieces: packets },
  "flac in flac": { load: flac, pieces: flacFrames },
  "flac in mp4": { load: flac, pieces: flacFrames },
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
