/** Encodes FLAC with libFLAC and adds the length, the MD5 checksum and the tags that its stream encoder omits. */
import { createHash } from "node:crypto";
import encoder from "@audio/encode-flac";
import type { Encoder, EncoderSettings, Planes, Tags } from "./audio-types.js";
import { flacHeaderEnd } from "./flac-header.js";
import { OutputBuffer, u32be } from "./output-buffer.js";
import { quantize, writeSamples } from "./quantize.js";
import { pictureBlock, vorbisComment } from "./vorbis-comment.js";

const streamInfo = { type: 0, at: 8, bytes: 34 };
const commentBlockType = 4;
const pictureBlockType = 6;

function metadataBlock(type: number, body: Uint8Array, isLast: boolean): Uint8Array {
  const head = u32be(body.length);
  head[0] = type | (isLast ? 0x80 : 0);
  return Buffer.concat([head, body]);
}

function flacHeader(info: Uint8Array, tags: Tags): Uint8Array {
  const blocks = [metadataBlock(streamInfo.type, info, false)];
  if (tags.cover) blocks.push(metadataBlock(pictureBlockType, pictureBlock(tags.cover), false));
  return Buffer.concat([
    Buffer.from("fLaC"),
    ...blocks,
    metadataBlock(commentBlockType, vorbisComment(tags, { pictures: false }), true),
  ]);
}

/** Scales samples so that the encoder, which multiplies by one less than full scale, restores them exactly. */
function toEncoderScale(samples: Int32Array, channels: number, bits: 16 | 24): Planes {
  const scale = 2 ** (bits - 1) - 1;
  return Array.from({ length: channels }, (_, channel) => {
    const plane = new Float32Array(samples.length / channels);
    for (let i = 0; i < plane.length; i++) plane[i] = (samples[i * channels + channel] as number) / scale;
    return plane;
  });
}

export async function createFlacEncoder({
  rate,
  channels,
  bits,
  seconds,
  tags,
}: EncoderSettings): Promise<Encoder> {
  const flac = await encoder({ sampleRate: rate, channels, bitDepth: bits });
  const output = new OutputBuffer(((seconds * rate * channels * bits) / 8) * 0.7);
  const checksum = createHash("md5");
  let frames = 0;
  let head: Uint8Array = new Uint8Array();
  const write = (part: Uint8Array): void => {
    if (head.length > 0 || part.length === 0) return output.write(part);
    const end = flacHeaderEnd(part, 0);
    head = flacHeader(part.slice(streamInfo.at, streamInfo.at + streamInfo.bytes), tags);
    output.write(head);
    output.write(part.subarray(end));
  };
  return {
    add(planes) {
      const samples = quantize(planes, bits);
      const bytes = new Uint8Array((samples.length * bits) / 8);
      writeSamples(samples, bits, bytes);
      checksum.update(bytes);
      frames += samples.length / channels;
      write(flac.encode(toEncoderScale(samples, channels, bits)));
    },
    finish() {
      write(flac.flush());
      // The field has 36 bits, but two hours at the highest sample rate fit into 32.
      output.patch(streamInfo.at + 14, u32be(frames));
      output.patch(streamInfo.at + 18, checksum.digest());
      return output.finish();
    },
  };
}
