/** The encoders: FFmpeg's for AAC, libFLAC, LAME and libvorbis, all compiled to WebAssembly, and WAV. */

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
  Mp3OutputFormat,
  Mp4OutputFormat,
  NullTarget,
  OggOutputFormat,
  Output,
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
import { audioStart, createInfoFrame } from "./mp3-frames.js";
import { demuxOgg, type EncodedStream, mux } from "./mux.js";
import { completeVorbis } from "./ogg.js";
import { toBytes } from "./samples.js";
import { type Tags, toMetadata } from "./tags.js";
import { writeWav } from "./wav.js";

/** Returns the tags as an ID3 tag, or no bytes if there are none. */
async function toId3(tags: Tags): Promise<Uint8Array> {
  const config = { codec: "mp3", sampleRate: 48_000, numberOfChannels: 2 };
  const file = await mux(
    new Mp3OutputFormat(),
    { codec: "mp3", config, packets: [] },
    toMetadata(tags, "id3"),
  );
  return file.subarray(0, audioStart(file));
}

function startWav(settings: EncoderSettings): Encoder {
  const { rate, channels, bits, seconds, tags } = settings;
  checkOutputSize(((seconds ?? 0) * rate * channels * bits) / 8);
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add(planes) {
      const part = toBytes(planes, bits);
      parts.push(part);
      size += part.length;
      checkOutputSize(size);
    },
    finish: async () => writeWav(settings, parts, await toId3(tags), tags),
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

/**
 * Clears the creation times in the three headers that have them, so that the output is reproducible, and renames the disc
 * number from mediabunny's `disc` to `disk`, the name that players read.
 */
function patchMp4(mp4: Uint8Array): Uint8Array {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  for (const box of ["mvhd", "tkhd", "mdhd"]) {
    const at = bytes.indexOf(box, 0, "latin1");
    // A version 0 header has one byte of version, three of flags, then four bytes each of creation and modification time.
    if (at > 0 && bytes[at + 4] === 0) bytes.fill(0, at + 8, at + 16);
  }
  const disc = bytes.indexOf("disc\0\0\0\x18data", 0, "latin1");
  if (disc > 0) bytes.write("disk", disc, "latin1");
  return mp4;
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
  // The encoder refuses other rates. The rate does not affect how samples are encoded.
  const encoderRate = flacEncoderRates.includes(rate) ? rate : 48_000;
  const encoder = await collectPackets("flac", { bits, channels, rate: encoderRate });
  const checksum = createHash("md5");
  return {
    async add(planes) {
      const samples = toBytes(planes, bits);
      checksum.update(samples);
      if (bits === 16) await encoder.add(samples, "s16", frameCount(planes));
      // The encoder takes 24-bit samples as the upper bits of 32.
      else await encoder.add(toBytes(planes, bits, 32), "s32", frameCount(planes));
    },
    async finish() {
      const stream = setSampleRate(await encoder.finish(), rate);
      const file = await mux(new FlacOutputFormat(), stream, toMetadata(tags, "vorbis"));
      // mediabunny omits the checksum.
      file.set(checksum.digest(), checksumOffset);
      return file;
    },
  };
}

/** Bit rates of music in kbit/s. Below 32 kHz, MP3 allows at most 160. */
const stereoKbps = 192;
const maxLowRateKbps = 160;
const monoKbps = 128;

/** Collects the output of an encoder of wasm-media-encoders. `toFile` takes it, and the number of samples per channel. */
function collectStream(
  encoder: Pick<Awaited<ReturnType<typeof createMp3Encoder>>, "encode" | "finalize">,
  toFile: (stream: Buffer, samples: number) => Promise<Uint8Array>,
): Encoder {
  const parts: Buffer[] = [];
  let samples = 0;
  return {
    add(planes) {
      samples += frameCount(planes);
      // The encoder reuses the buffer that it returns.
      parts.push(Buffer.from(encoder.encode(planes)));
    },
    finish: () => toFile(Buffer.concat([...parts, encoder.finalize()]), samples),
  };
}

const monoOrStereo = (channels: number): 1 | 2 => (channels === 1 ? 1 : 2);

async function startMp3({ channels, rate, tags }: EncoderSettings): Promise<Encoder> {
  const bitrate = channels === 1 ? monoKbps : rate < 32_000 ? maxLowRateKbps : stereoKbps;
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: monoOrStereo(channels), sampleRate: rate, bitrate });
  return collectStream(encoder, async (frames, samples) =>
    Buffer.concat([await toId3(tags), createInfoFrame(frames, samples), frames]),
  );
}

/** Quality of Vorbis: about 160 kbit/s for stereo. */
const vbrQuality = 5;
const oggSerialNo = 1;

async function startOgg({ channels, rate, tags }: EncoderSettings): Promise<Encoder> {
  const encoder = await createOggEncoder();
  encoder.configure({ channels: monoOrStereo(channels), sampleRate: rate, vbrQuality, oggSerialNo });
  return collectStream(encoder, async (pages) => {
    const file = await mux(new OggOutputFormat(), await demuxOgg(pages), toMetadata(tags, "vorbis"));
    return completeVorbis(file, oggSerialNo);
  });
}

export interface Target {
  /** Returns the sample rate to convert a source to. */
  outputRate(rate: number): number;
  maxChannels: number;
  startEncoder(settings: EncoderSettings): Promise<Encoder> | Encoder;
}

const anyRate = (rate: number): number => rate;

/** Returns 44.1 or 48 kHz. The ratio is an integer for common rates: 22.05 kHz doubles, 16 kHz triples. */
const standardRate = (rate: number): number => (rate % 11_025 === 0 ? 44_100 : 48_000);

const vorbisRate = (rate: number): number => (rate >= 8_000 && rate <= 192_000 ? rate : standardRate(rate));

/** Sample rates in Hz. At lower rates, the delay of the encoder exceeds 50 ms, and not every player trims it. */
const frameRates = [22_050, 24_000, 32_000, 44_100, 48_000];

const frameRate = (rate: number): number => (frameRates.includes(rate) ? rate : standardRate(rate));

export const targets = {
  mp3: { outputRate: frameRate, maxChannels: 2, startEncoder: startMp3 },
  // Its decoders have a longer delay, so it needs a higher rate to stay below 50 ms.
  aac: { outputRate: standardRate, maxChannels: 2, startEncoder: startAdts },
  m4a: { outputRate: frameRate, maxChannels: 2, startEncoder: startM4a },
  ogg: { outputRate: vorbisRate, maxChannels: 2, startEncoder: startOgg },
  flac: { outputRate: anyRate, maxChannels: 8, startEncoder: startFlac },
  wav: { outputRate: anyRate, maxChannels: 8, startEncoder: startWav },
} satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;
