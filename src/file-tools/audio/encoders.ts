/** The encoders: FFmpeg's for AAC, libFLAC, LAME and libvorbis, all compiled to WebAssembly, and WAV with RIFF and ID3 tags. */

import { createHash } from "node:crypto";
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import { registerFlacEncoder } from "@mediabunny/flac-encoder";
import {
  AdtsOutputFormat,
  type AudioCodec,
  AudioSample,
  AudioSampleSource,
  EncodedPacket,
  FlacOutputFormat,
  MP3,
  Mp3OutputFormat,
  Mp4OutputFormat,
  NullTarget,
  OGG,
  OggOutputFormat,
  Output,
  WavOutputFormat,
} from "mediabunny";
import { createMp3Encoder, createOggEncoder } from "wasm-media-encoders";
import {
  type AudioFormat,
  checkOutputSize,
  type Encoder,
  type EncoderSettings,
  frameCount,
} from "./audio-source.js";
import { checksumOffset, setSampleRate } from "./flac-frames.js";
import { createInfoFrame } from "./mp3-frames.js";
import { demux, type EncodedStream, mux } from "./mux.js";
import { setSerial } from "./ogg-pages.js";
import { extensibleFormat, readChunks, riffChunk, u32le } from "./riff.js";
import { quantize, writeSamples } from "./samples.js";
import { patchMp4, toMetadata } from "./tags.js";

/** Speaker masks of 1 to 8 channels; bit 0 is front left. */
const speakerMasks = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];
/** The rest of the GUID of the PCM sub-format, after its tag. */
const pcmGuid = Buffer.from([1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);

/** Extends the format chunk with the speakers of more than two channels. */
function extendFormat(plain: Buffer, { channels, bits }: EncoderSettings): Buffer {
  if (channels <= 2) return plain;
  const extension = Buffer.alloc(8);
  extension.writeUInt16LE(6 + pcmGuid.length, 0);
  extension.writeUInt16LE(bits, 2);
  extension.writeUInt32LE(speakerMasks[channels - 1] ?? 0, 4);
  const extended = Buffer.concat([plain, extension, pcmGuid]);
  extended.writeUInt16LE(extensibleFormat, 0);
  return extended;
}

/** Returns the chunks before the samples: the format and the tags, in ID3 and in RIFF. */
async function writeHeader(settings: EncoderSettings): Promise<Buffer> {
  const { rate, channels, bits, tags } = settings;
  const codec = `pcm-s${bits}` as const;
  const config = { codec, sampleRate: rate, numberOfChannels: channels };
  // ID3 comes first, so that readers of both prefer its longer texts.
  const chunks = (["id3", "info"] as const).map(async (metadataFormat) => {
    const format = new WavOutputFormat({ metadataFormat });
    return [
      ...readChunks(await mux(format, { codec, config, packets: [] }, toMetadata(tags, metadataFormat))),
    ];
  });
  const [[format, ...id3] = [], [, ...info] = []] = await Promise.all(chunks);
  if (!format) throw new Error("The muxer wrote no format.");
  const tagChunks = [...id3, ...info].filter(({ id }) => id !== "data");
  return Buffer.concat([
    riffChunk(format.id, extendFormat(format.body, settings)),
    ...tagChunks.map(({ id, body }) => riffChunk(id, body)),
  ]);
}

async function startWav(settings: EncoderSettings): Promise<Encoder> {
  const { rate, channels, bits, seconds } = settings;
  if (seconds !== null) checkOutputSize((seconds * rate * channels * bits) / 8);
  const header = await writeHeader(settings);
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add(planes) {
      const samples = quantize(planes, bits);
      const part = Buffer.alloc((samples.length * bits) / 8);
      writeSamples(samples, bits, part);
      parts.push(part);
      size += part.length;
      checkOutputSize(size);
    },
    finish() {
      const padding = Buffer.alloc(size & 1);
      const riffSize = "WAVE".length + header.length + 8 + size + padding.length;
      const head = [
        Buffer.from("RIFF"),
        u32le(riffSize),
        Buffer.from("WAVE"),
        header,
        Buffer.from("data"),
        u32le(size),
      ];
      return Buffer.concat([...head, ...parts, padding]);
    },
  };
}

/** Collects the packets of an encoder that is registered with mediabunny, which exposes it only as part of an output file. */
async function collectPackets(codec: AudioCodec, { rate, channels }: AudioFormat, bitrate?: number) {
  const packets: EncodedPacket[] = [];
  let config: AudioDecoderConfig | undefined;
  let [bytes, samples] = [0, 0];
  const output = new Output({ format: new Mp4OutputFormat(), target: new NullTarget() });
  const source = new AudioSampleSource({
    codec,
    ...(bitrate === undefined ? {} : { bitrate }),
    onEncodedPacket(packet, meta) {
      packets.push(packet);
      bytes += packet.byteLength;
      config ??= meta?.decoderConfig;
    },
  });
  output.addAudioTrack(source);
  await output.start();
  return {
    /** Number of samples added, per channel. */
    get samples(): number {
      return samples;
    },
    async add(data: Uint8Array, format: "s16" | "s32" | "f32-planar", frames: number): Promise<void> {
      const timestamp = samples / rate;
      const sample = new AudioSample({
        data,
        format,
        numberOfChannels: channels,
        sampleRate: rate,
        timestamp,
      });
      samples += frames;
      await source.add(sample);
      sample.close();
      checkOutputSize(bytes);
    },
    async finish(): Promise<EncodedStream> {
      await output.finalize();
      if (!config) throw new Error(`The ${codec} encoder wrote nothing.`);
      return { codec, config, packets };
    },
  };
}

const stereoAacBitsPerSecond = 160_000;
const monoAacBitsPerSecond = 96_000;

const startAac =
  (toFile: (stream: EncodedStream, settings: EncoderSettings, samples: number) => Promise<Uint8Array>) =>
  async (settings: EncoderSettings): Promise<Encoder> => {
    registerAacEncoder();
    const bitrate = settings.channels === 1 ? monoAacBitsPerSecond : stereoAacBitsPerSecond;
    const encoder = await collectPackets("aac", settings, bitrate);
    return {
      async add(planes) {
        const parts = planes.map((plane) => new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength));
        await encoder.add(Buffer.concat(parts), "f32-planar", frameCount(planes));
      },
      finish: async () => toFile(await encoder.finish(), settings, encoder.samples),
    };
  };

const samplesPerAacPacket = 1024;

/** Moves the priming packet before time 0 and ends the last packet with the input, as MP4's edit list expresses it. */
function trimPriming({ packets, ...stream }: EncodedStream, rate: number, samples: number): EncodedStream {
  const trimmed = packets.flatMap(({ data }, index) => {
    const from = (index - 1) * samplesPerAacPacket;
    const length = Math.min(samplesPerAacPacket, samples - from);
    return length > 0 ? [new EncodedPacket(data, "key", from / rate, length / rate)] : [];
  });
  return { ...stream, packets: trimmed };
}

const startAdts = startAac((stream, { tags }) =>
  mux(new AdtsOutputFormat(), stream, toMetadata(tags, "id3")),
);

const startM4a = startAac(async (stream, { rate, tags }, samples) => {
  const format = new Mp4OutputFormat({ fastStart: "in-memory" });
  return patchMp4(await mux(format, trimPriming(stream, rate, samples), toMetadata(tags, "mp4")));
});

const flacEncoderRates = [
  8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
];

async function startFlac({ bits, channels, rate, tags }: EncoderSettings): Promise<Encoder> {
  registerFlacEncoder();
  // The encoder refuses other rates, which make no difference to how samples are encoded.
  const encoderRate = flacEncoderRates.includes(rate) ? rate : 48_000;
  const encoder = await collectPackets("flac", { bits, channels, rate: encoderRate });
  const checksum = createHash("md5");
  return {
    async add(planes) {
      const samples = quantize(planes, bits);
      const bytes = Buffer.alloc((samples.length * bits) / 8);
      writeSamples(samples, bits, bytes);
      checksum.update(bytes);
      // The encoder takes 24-bit samples as the upper bits of 32.
      if (bits === 16) return encoder.add(bytes, "s16", frameCount(planes));
      return encoder.add(
        new Uint8Array(samples.map((sample) => sample << 8).buffer),
        "s32",
        frameCount(planes),
      );
    },
    async finish() {
      const stream = setSampleRate(await encoder.finish(), rate);
      const file = await mux(new FlacOutputFormat(), stream, toMetadata(tags, "vorbis"));
      // mediabunny leaves the checksum out.
      file.set(checksum.digest(), checksumOffset);
      return file;
    },
  };
}

/** Bit rates of music. Below 32 kHz, MP3 has 160 at most. */
const stereoKbps = 192;
const maxLowRateKbps = 160;
const monoKbps = 128;

async function startMp3({ channels, rate, tags }: EncoderSettings): Promise<Encoder> {
  const bitrate = channels === 1 ? monoKbps : rate < 32_000 ? maxLowRateKbps : stereoKbps;
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: channels === 1 ? 1 : 2, sampleRate: rate, bitrate });
  const parts: Buffer[] = [];
  let samples = 0;
  return {
    add(planes) {
      samples += frameCount(planes);
      // The encoder overwrites what it has returned.
      parts.push(Buffer.from(encoder.encode(planes)));
    },
    async finish() {
      const { packets, ...stream } = await demux(Buffer.concat([...parts, encoder.finalize()]), MP3);
      const infoFrame = new EncodedPacket(createInfoFrame(packets, samples), "key", 0, 0);
      const format = new Mp3OutputFormat({ xingHeader: false });
      return mux(format, { ...stream, packets: [infoFrame, ...packets] }, toMetadata(tags, "id3"));
    },
  };
}

/** About 160 kbit/s for stereo. */
const vorbisQuality = 5;
const oggSerial = 1;

async function startOgg({ channels, rate, tags }: EncoderSettings): Promise<Encoder> {
  const encoder = await createOggEncoder();
  encoder.configure({
    channels: channels === 1 ? 1 : 2,
    sampleRate: rate,
    vbrQuality: vorbisQuality,
    oggSerialNo: oggSerial,
  });
  const parts: Buffer[] = [];
  return {
    add: (planes) => void parts.push(Buffer.from(encoder.encode(planes))),
    async finish() {
      const stream = await demux(Buffer.concat([...parts, encoder.finalize()]), OGG);
      return setSerial(await mux(new OggOutputFormat(), stream, toMetadata(tags, "vorbis")), oggSerial);
    },
  };
}

export interface Target {
  /** Returns the sample rate to convert a source to. */
  outputRate(rate: number): number;
  maxChannels: number;
  startEncoder(settings: EncoderSettings): Promise<Encoder>;
}

const anyRate = (rate: number): number => rate;

/** Keeps the ratio an integer for common rates: 22.05 kHz doubles, 16 kHz triples. */
const standardRate = (rate: number): number => (rate % 11_025 === 0 ? 44_100 : 48_000);

const vorbisRate = (rate: number): number => (rate >= 8_000 && rate <= 192_000 ? rate : standardRate(rate));

/** At lower rates the delay of the encoder exceeds 50 ms, and not every player trims it. */
const frameRates = [22_050, 24_000, 32_000, 44_100, 48_000];

const frameRate = (rate: number): number => (frameRates.includes(rate) ? rate : standardRate(rate));

export const targets = {
  mp3: { outputRate: frameRate, maxChannels: 2, startEncoder: startMp3 },
  // The delay of its decoders is longer, so that 50 ms take a higher rate.
  aac: { outputRate: standardRate, maxChannels: 2, startEncoder: startAdts },
  m4a: { outputRate: frameRate, maxChannels: 2, startEncoder: startM4a },
  ogg: { outputRate: vorbisRate, maxChannels: 2, startEncoder: startOgg },
  flac: { outputRate: anyRate, maxChannels: 8, startEncoder: startFlac },
  wav: { outputRate: anyRate, maxChannels: 8, startEncoder: startWav },
} satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;
