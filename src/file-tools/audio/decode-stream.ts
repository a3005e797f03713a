/** Decodes MP3, FLAC, Vorbis and Opus with decoders that take a file in chunks of bytes. */

import { type AudioBlock, type AudioSource, frameCount, type Planes } from "./audio-types.js";
import {
  flacHeaderEnd,
  lastBlockFlag,
  lastSafeSplit,
  readFlacBitDepth,
  readFlacHeader,
  streamInfoEnd,
} from "./flac-header.js";
import { audioEnd, audioStart } from "./id3.js";
import { readPackets } from "./packets.js";

interface DecodedAudio {
  channelData: Float32Array[];
  sampleRate: number;
}

/** The common interface of the decoder packages. */
interface Decoder {
  decode(bytes: Uint8Array): DecodedAudio;
  flush?(): DecodedAudio;
  free(): void;
}

const noAudio: DecodedAudio = { channelData: [], sampleRate: 0 };

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

interface StreamDecoder {
  load(): Promise<Decoder>;
  chunks(source: AudioSource): Chunks;
}

/** Small chunks, because 14 bytes of FLAC can decode to eight seconds of silence. */
const flacChunkBytes = 1_024;

const fileChunks = (chunkBytes: number) =>
  function* ({ bytes, container }: AudioSource): Generator<Uint8Array> {
    const from = container === "ogg" ? 0 : audioStart(bytes);
    for (let at = from; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };

/** Returns the stream marker and a STREAMINFO block that is flagged as the last metadata block. */
async function flacStreamInfo({ track }: AudioSource): Promise<Uint8Array> {
  const info = (await readFlacHeader(track)).slice(0, streamInfoEnd);
  info[4] = lastBlockFlag;
  return info;
}

/** Skips the other metadata blocks, because the decoder would parse a large cover again with every chunk. */
async function* flacChunks(source: AudioSource): AsyncGenerator<Uint8Array> {
  yield await flacStreamInfo(source);
  const { bytes } = source;
  const last = audioEnd(bytes);
  for (let at = flacHeaderEnd(bytes, audioStart(bytes)); at < last; ) {
    // The decoder misses a frame whose header is split across two chunks.
    const cut = lastSafeSplit(bytes, at + flacChunkBytes);
    const end = at + flacChunkBytes < last && cut > at ? cut : Math.min(at + flacChunkBytes, last);
    yield bytes.subarray(at, end);
    at = end;
  }
}

async function* flacPackets(source: AudioSource): AsyncGenerator<Uint8Array> {
  yield await flacStreamInfo(source);
  yield* readPackets(source);
}

const mp3 = async () => (await import("@audio/decode-mp3")).decoder();
const flac = async () => (await import("@audio/decode-flac")).decoder();
const vorbis = async () => (await import("@audio/decode-vorbis")).decoder();
const opus = async () => (await import("@audio/decode-opus")).decoder();

export const streamDecoders: Readonly<Record<string, StreamDecoder>> = {
  "mp3 in mp3": { load: mp3, chunks: fileChunks(65_536) },
  "mp3 in mp4": { load: mp3, chunks: readPackets },
  "flac in flac": { load: flac, chunks: flacChunks },
  "flac in mp4": { load: flac, chunks: flacPackets },
  "vorbis in ogg": { load: vorbis, chunks: fileChunks(8_192) },
  "opus in ogg": { load: opus, chunks: fileChunks(8_192) },
};

/** Restores exact samples: the FLAC decoder divides integers by one less than full scale. */
function undoFlacScaling(planes: Planes, bits: number): Planes {
  const full = 2 ** (bits - 1);
  return planes.map((plane) => plane.map((sample) => Math.round(sample * (full - 1)) / full));
}

/** Silences the decoders, which log every unreadable frame; a damaged file has thousands. */
function withoutConsoleErrors<T>(decode: () => T): T {
  const { error } = console;
  console.error = () => {};
  try {
    return decode();
  } finally {
    console.error = error;
  }
}

export async function* decodeStream(
  source: AudioSource,
  { load, chunks }: StreamDecoder,
): AsyncGenerator<AudioBlock> {
  const decoder = await load();
  const bits = source.codec === "flac" ? await readFlacBitDepth(source.track) : 0;
  const block = ({ channelData, sampleRate }: DecodedAudio): AudioBlock[] => {
    // The MP3 decoder returns mono audio as two channels.
    const planes = channelData.slice(0, source.channels);
    if (frameCount(planes) === 0) return [];
    return [{ planes: bits > 0 ? undoFlacScaling(planes, bits) : planes, rate: sampleRate }];
  };
  try {
    for await (const chunk of chunks(source)) yield* block(withoutConsoleErrors(() => decoder.decode(chunk)));
    if (decoder.flush) yield* block(withoutConsoleErrors(() => decoder.flush?.() ?? noAudio));
  } finally {
    decoder.free();
  }
}
