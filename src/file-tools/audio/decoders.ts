/**
 * Decodes AAC, MP3, FLAC, Vorbis and Opus with FFmpeg's decoders, Apple Lossless with a package that users can install,
 * and uncompressed audio with mediabunny.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  type AudioCodec,
  AudioSampleSink,
  EncodedPacket,
  EncodedPacketSink,
  Mp4OutputFormat,
  type PacketRetrievalOptions,
} from "mediabunny";
import { NotInstalled } from "../../contract/optional-packages.js";
import { UnreadableFileError } from "../engine.js";
import { type AudioBlock, type AudioSource, minCompleteShare, type Planes } from "./audio-source.js";
import { readFlacInfo, splitFrames } from "./flac-frames.js";
import { audioStart } from "./mp3-frames.js";
import { mux } from "./mux.js";

/** Yields blocks of decoded audio, some of them empty. */
export function decode(source: AudioSource): AsyncGenerator<AudioBlock> {
  const { codec } = source;
  if (codec === "alac") return decodeAlac(source);
  return isDecodable(codec) ? decodeWithFfmpeg(source, codec) : decodePcm(source);
}

/** Maximum number of packets, which two hours of audio never reach. */
const maxPackets = 2e6;

/**
 * Yields the packets of a track. A few bytes of a container's index can reference empty or identical packets billions
 * of times.
 */
async function* readPackets(
  { bytes, container, track }: AudioSource,
  options?: PacketRetrievalOptions,
): AsyncGenerator<EncodedPacket> {
  let [packets, total] = [0, 0];
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, options)) {
    total += packet.byteLength;
    packets++;
    if (packet.byteLength === 0 || total > bytes.length || packets > maxPackets)
      throw new UnreadableFileError(
        "its index references more audio than the file contains; send a file that plays",
      );
    yield packet;
  }
  if (container === "aac" && total < (bytes.length - audioStart(bytes)) * minCompleteShare)
    throw new UnreadableFileError("it is damaged: large parts are not AAC frames; send the whole file");
}

/** Decodes uncompressed audio, and G.711. */
async function* decodePcm(source: AudioSource): AsyncGenerator<AudioBlock> {
  for await (const _ of readPackets(source, { metadataOnly: true })) {
    // Reading the packets checks the index.
  }
  for await (const sample of new AudioSampleSink(source.track).samples()) {
    const planes = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(sample.numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: "f32-planar" });
      // Float files may contain NaN or infinity.
      return plane.map((value) => (Number.isFinite(value) ? value : 0));
    });
    sample.close();
    yield { planes, rate: sample.sampleRate };
  }
}

const packageName = "@martel/audio-file-decoder";
type DecoderPackage = typeof import("@martel/audio-file-decoder");

/**
 * Loads the package, which is written for browsers: Node would not treat its file as an ES module, and in Node it would
 * install listeners that end the process and log every damaged packet. The module is evaluated without those globals.
 */
async function loadPackage(): Promise<{ decoders: DecoderPackage; wasm: string }> {
  const { resolve } = createRequire(import.meta.url);
  const script = await readFile(resolve(packageName), "utf8");
  const wasm = await readFile(resolve(`${packageName}/decode-audio.wasm`), "base64");
  const module = `const process = undefined, console = { log() {}, warn() {} };\n${script}`;
  return {
    decoders: await import(`data:text/javascript;base64,${Buffer.from(module).toString("base64")}`),
    wasm: `data:application/wasm;base64,${wasm}`,
  };
}

let loaded: ReturnType<typeof loadPackage> | undefined;

/** Maximum number of samples per channel in a decoded packet. 14 bytes of FLAC can hold eight seconds of silence. */
const maxPacketSamples: Partial<Record<AudioCodec, number>> = {
  aac: 2_048,
  mp3: 1_152,
  flac: 65_535,
  vorbis: 8_192,
  opus: 5_760,
};
/** Limit on the decoded samples of a batch, in all channels. They are held in memory several times. */
const maxBatchSamples = 2 ** 21;
/**
 * Number of packets of the previous batch with which each batch starts, because packets depend on earlier ones, as with
 * the bit reservoir of MP3.
 */
const prerollPackets = 10;
/** Maximum number of damaged packets, which are left out. */
const maxDamagedPackets = 10;

export const isDecodable = (codec: AudioCodec | "alac"): codec is AudioCodec => codec in maxPacketSamples;

async function* decodeWithFfmpeg(source: AudioSource, codec: AudioCodec): AsyncGenerator<AudioBlock> {
  const { bytes, channels, rate, track } = source;
  const config = await track.getDecoderConfig();
  if (!config) throw new Error("The track has no decoder configuration.");
  const decoder = new PacketDecoder(codec, withoutPreSkip(codec, config));
  const keep = codec === "flac" ? 0 : prerollPackets;
  // Frames of native FLAC state their length.
  const isExact = source.container === "flac";
  const samplesOf = ({ duration }: EncodedPacket): number =>
    isExact ? Math.round(duration * rate) : (maxPacketSamples[codec] ?? maxBatchSamples);
  const batch: EncodedPacket[] = [];
  let [preroll, samples] = [0, 0];
  for await (const packet of source.container === "flac" ? splitFrames(bytes, rate) : readPackets(source)) {
    batch.push(packet);
    samples += samplesOf(packet) * channels;
    if (samples < maxBatchSamples) continue;
    yield* await decoder.decode(batch, preroll);
    batch.splice(0, batch.length - keep);
    [preroll, samples] = [batch.length, 0];
  }
  if (batch.length > preroll) yield* await decoder.decode(batch, preroll);
}

/** Offset of the two bytes of an Opus header with the samples to skip, which would be skipped in each batch. */
const preSkipOffset = 10;

export const readPreSkip = ({ description }: AudioDecoderConfig): number =>
  description instanceof Uint8Array && description.length >= preSkipOffset + 2
    ? Buffer.from(description).readUInt16LE(preSkipOffset)
    : 0;

function withoutPreSkip(codec: AudioCodec, config: AudioDecoderConfig): AudioDecoderConfig {
  if (codec !== "opus" || !(config.description instanceof Uint8Array)) return config;
  return {
    ...config,
    description: Uint8Array.from(config.description).fill(0, preSkipOffset, preSkipOffset + 2),
  };
}

class PacketDecoder {
  #damagedPackets = 0;
  readonly #is16BitFlac: boolean;

  constructor(
    readonly codec: AudioCodec,
    readonly config: AudioDecoderConfig,
  ) {
    this.#is16BitFlac = codec === "flac" && readFlacInfo(config).bits <= 16;
  }

  /** Decodes packets after the first `preroll`. FFmpeg stops at a damaged packet, so it is searched for by halving. */
  async decode(packets: readonly EncodedPacket[], preroll: number): Promise<AudioBlock[]> {
    try {
      return [await this.#decodeAll(packets, preroll)];
    } catch (error) {
      const count = packets.length - preroll;
      if (count === 1 && preroll > 0) return await this.decode(packets.slice(preroll), 0);
      if (count === 1 && ++this.#damagedPackets > maxDamagedPackets) throw error;
      if (count === 1) return [];
      const middle = preroll + Math.floor(count / 2);
      const from = Math.max(0, middle - prerollPackets);
      return [
        ...(await this.decode(packets.slice(0, middle), preroll)),
        ...(await this.decode(packets.slice(from), middle - from)),
      ];
    }
  }

  async #decodeAll(packets: readonly EncodedPacket[], preroll: number): Promise<AudioBlock> {
    loaded ??= loadPackage();
    const { decoders, wasm } = await loaded;
    const { codec, config } = this;
    const start = packets[0]?.timestamp ?? 0;
    const shifted = packets.map(
      ({ data, timestamp, duration }) => new EncodedPacket(data, "key", timestamp - start, duration),
    );
    const mp4 = await mux(new Mp4OutputFormat({ fastStart: "in-memory" }), {
      codec,
      config,
      packets: shifted,
    });
    const decoder = await decoders.getAudioDecoder(wasm, mp4.buffer);
    const { sampleRate, channelCount } = decoder;
    const samples = decoder.decodeAudioData(0, -1, { multiChannel: true });
    const frames = Math.floor(samples.length / channelCount);
    // Vorbis has no samples for the first packet.
    const extra = packets.slice(codec === "vorbis" ? 1 : 0, preroll);
    const skip = extra.reduce((sum, { duration }) => sum + Math.round(duration * sampleRate), 0);
    const planes = Array.from({ length: channelCount }, (_, channel) => {
      const plane = new Float32Array(Math.max(0, frames - skip));
      for (let i = 0, at = skip * channelCount + channel; i < plane.length; i++, at += channelCount)
        plane[i] = this.#toSample(samples[at] as number);
      return plane;
    });
    return { planes, rate: sampleRate };
  }

  /** Restores exact samples: 16-bit samples of FLAC are divided by one less than full scale. */
  #toSample(value: number): number {
    if (!Number.isFinite(value)) return 0;
    return this.#is16BitFlac ? Math.round(value * 32_767) / 32_768 : value;
  }
}

/** Start of the `alac` box within the `alac` sample entry: 36 bytes, of which the last 24 are the configuration. */
const sampleEntryStart = Buffer.from("\0\0\0\x24alac\0\0\0\0", "latin1");
const configurationBytes = 24;

interface AlacInfo {
  configuration: Uint8Array;
  bitDepth: number;
  /** True sample rate in Hz. The sample entry can only store rates up to 65,535 Hz. */
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

async function* decodeAlac(source: AudioSource): AsyncGenerator<AudioBlock> {
  const { decoder } = await loadDecoder();
  const alac = readAlacInfo(source.bytes)?.configuration ?? new Uint8Array();
  const decoding = await decoder({ alac });
  try {
    for await (const { data } of readPackets(source)) {
      const { channelData, sampleRate } = decoding.decode(data);
      yield { planes: toWavOrder(channelData), rate: sampleRate };
    }
  } finally {
    decoding.free();
  }
}
