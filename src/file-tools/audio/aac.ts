/** Encodes AAC-LC with FFmpeg's encoder, compiled to WebAssembly, as ADTS or in MP4. */
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import {
  AdtsOutputFormat,
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  NullTarget,
  Output,
  type OutputFormat,
} from "mediabunny";
import {
  type CreateEncoder,
  type Encoder,
  type EncoderSettings,
  frameCount,
  type Tags,
} from "./audio-types.js";
import { encodeId3 } from "./id3.js";
import { replaceIsrcPlaceholder } from "./mp4-isrc.js";
import { toMetadata } from "./tags.js";

const stereoBitsPerSecond = 160_000;
const monoBitsPerSecond = 96_000;
const samplesPerPacket = 1024;
/** Encoder delay: one packet of silence before the first input sample. */
const primingSamples = samplesPerPacket;

interface EncodedPackets {
  list: EncodedPacket[];
  meta: EncodedAudioChunkMetadata | undefined;
}

/** Collects the encoder's packets. mediabunny exposes the encoder only as part of an output file, which is discarded. */
async function startEncoder({ rate, channels }: EncoderSettings, packets: EncodedPackets) {
  registerAacEncoder();
  const output = new Output({ format: new Mp4OutputFormat(), target: new NullTarget() });
  const source = new AudioSampleSource({
    codec: "aac",
    bitrate: channels === 1 ? monoBitsPerSecond : stereoBitsPerSecond,
    onEncodedPacket(packet, meta) {
      packets.list.push(packet);
      packets.meta ??= meta;
    },
  });
  output.addAudioTrack(source);
  await output.start();
  const add = async (planes: Float32Array[], timestamp: number): Promise<void> => {
    const data = Buffer.concat(
      planes.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    );
    const sample = new AudioSample({
      data,
      format: "f32-planar",
      numberOfChannels: channels,
      sampleRate: rate,
      timestamp,
    });
    await source.add(sample);
    sample.close();
  };
  return { output, add };
}

async function mux(format: OutputFormat, { list, meta }: EncodedPackets, tags: Tags): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource("aac");
  output.addAudioTrack(source);
  output.setMetadataTags(toMetadata(tags));
  await output.start();
  for (const packet of list) await source.add(packet, meta);
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

/** Moves the priming samples before time 0 and ends the last packet with the input, as MP4's edit list expresses it. */
function trimPriming({ list, meta }: EncodedPackets, rate: number, samples: number): EncodedPackets {
  const shifted = list.flatMap(({ data }, index) => {
    const from = index * samplesPerPacket - primingSamples;
    const length = Math.min(samplesPerPacket, samples - from);
    return length > 0 ? [new EncodedPacket(data, "key", from / rate, length / rate)] : [];
  });
  return { list: shifted, meta };
}

/**
 * Clears the creation times in the three headers that have them, so that the output is reproducible, and renames the
 * disc number from mediabunny's `disc` to `disk`, the name that players read.
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

const writers = {
  aac: async (packets: EncodedPackets, { tags }: EncoderSettings) =>
    Buffer.concat([encodeId3(tags), await mux(new AdtsOutputFormat(), packets, {})]),
  m4a: async (packets: EncodedPackets, { rate, tags }: EncoderSettings, samples: number) => {
    const format = new Mp4OutputFormat({ fastStart: "in-memory" });
    const mp4 = patchMp4(await mux(format, trimPriming(packets, rate, samples), tags));
    return tags.isrc ? replaceIsrcPlaceholder(mp4, tags.isrc) : mp4;
  },
};

export const createAacEncoder =
  (target: keyof typeof writers): CreateEncoder =>
  async (settings): Promise<Encoder> => {
    const packets: EncodedPackets = { list: [], meta: undefined };
    const { output, add } = await startEncoder(settings, packets);
    let samples = 0;
    return {
      async add(planes) {
        const timestamp = samples / settings.rate;
        samples += frameCount(planes);
        await add(planes, timestamp);
      },
      async finish() {
        await output.finalize();
        return writers[target](packets, settings, samples);
      },
    };
  };
