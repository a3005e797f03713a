/** AAC-LC by the encoder of FFmpeg compiled to WASM, as ADTS or in MP4. */
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
import { id3 } from "./id3.js";
import { groupingToIsrc } from "./mp4-isrc.js";
import { concat } from "./sink.js";
import { type Encoder, type Format, framesOf, type MakeEncoder, type Tags } from "./sound.js";
import { toMetadata } from "./tags.js";

/** bit/s. */
const stereo = 160_000;
const mono = 96_000;
/** Samples that the encoder puts before the first of the input: one frame. */
const priming = 1024;

interface Packets {
  list: EncodedPacket[];
  meta: EncodedAudioChunkMetadata | undefined;
}

/** The encoder is to be had with a file around it only: that file is thrown away. */
async function startEncoder({ rate, channels }: Format, packets: Packets) {
  registerAacEncoder();
  const output = new Output({ format: new Mp4OutputFormat(), target: new NullTarget() });
  const source = new AudioSampleSource({
    codec: "aac",
    bitrate: channels === 1 ? mono : stereo,
    onEncodedPacket(packet, meta) {
      packets.list.push(packet);
      packets.meta ??= meta;
    },
  });
  output.addAudioTrack(source);
  await output.start();
  const add = async (planes: Float32Array[], timestamp: number): Promise<void> => {
    const data = concat(
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

async function mux(format: OutputFormat, { list, meta }: Packets, tags: Tags): Promise<Uint8Array> {
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

/** The priming lies before the start, and the last packets end with the input: MP4 says so in its edit list. */
function trimmed({ list, meta }: Packets, rate: number, samples: number): Packets {
  const inPacket = 1024;
  const shifted = list.flatMap(({ data }, index) => {
    const from = index * inPacket - priming;
    const length = Math.min(inPacket, samples - from);
    return length > 0 ? [new EncodedPacket(data, "key", from / rate, length / rate)] : [];
  });
  return { list: shifted, meta };
}

/**
 * The time of writing is no part of what was converted: the three headers that give it are told none.
 * And the number of the disc goes by the name that players know, which is not the one that was written.
 */
function patched(mp4: Uint8Array): Uint8Array {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  for (const box of ["mvhd", "tkhd", "mdhd"]) {
    const at = bytes.indexOf(box, 0, "latin1");
    // Version and flags first; then, in version 0, four bytes each of creation and modification.
    if (at > 0 && bytes[at + 4] === 0) bytes.fill(0, at + 8, at + 16);
  }
  const disc = bytes.indexOf("disc\0\0\0\x18data", 0, "latin1");
  if (disc > 0) bytes.write("disk", disc, "latin1");
  return mp4;
}

const writers = {
  aac: async (packets: Packets, { tags }: Format) =>
    concat([id3(tags), await mux(new AdtsOutputFormat(), packets, {})]),
  m4a: async (packets: Packets, { rate, tags }: Format, samples: number) => {
    const format = new Mp4OutputFormat({ fastStart: "in-memory" });
    const mp4 = patched(await mux(format, trimmed(packets, rate, samples), tags));
    return tags.isrc ? groupingToIsrc(mp4, tags.isrc) : mp4;
  },
};

export const aacEncoder =
  (target: keyof typeof writers): MakeEncoder =>
  async (format): Promise<Encoder> => {
    const packets: Packets = { list: [], meta: undefined };
    const { output, add } = await startEncoder(format, packets);
    let samples = 0;
    return {
      async add(planes) {
        const timestamp = samples / format.rate;
        samples += framesOf(planes);
        await add(planes, timestamp);
      },
      async finish() {
        await output.finalize();
        return writers[target](packets, format, samples);
      },
    };
  };
