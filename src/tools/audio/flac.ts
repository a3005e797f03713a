/** FLAC by libFLAC, with the length, the checksum and the tags that its stream writer leaves out. */
import { createHash } from "node:crypto";
import encoder from "@audio/encode-flac";
import { endOfHeader } from "./flac-header.js";
import { quantize, toBytes } from "./quantize.js";
import { ascii, concat, Sink, u32be } from "./sink.js";
import type { Encoder, Format, Planes, Tags } from "./sound.js";
import { pictureBlock, vorbisComment } from "./vorbis-comment.js";

const streamInfo = { type: 0, at: 8, bytes: 34 };
const comment = 4;
const picture = 6;

function block(type: number, body: Uint8Array, isLast: boolean): Uint8Array {
  const head = u32be(body.length);
  head[0] = type | (isLast ? 0x80 : 0);
  return concat([head, body]);
}

function header(info: Uint8Array, tags: Tags): Uint8Array {
  const blocks = [block(streamInfo.type, info, false)];
  if (tags.cover) blocks.push(block(picture, pictureBlock(tags.cover), false));
  return concat([ascii("fLaC"), ...blocks, block(comment, vorbisComment(tags, { pictures: false }), true)]);
}

/** The encoder multiplies by one less than full scale: this undoes it, so that lossless stays lossless. */
function toPlanes(samples: Int32Array, channels: number, bits: 16 | 24): Planes {
  const most = 2 ** (bits - 1) - 1;
  return Array.from({ length: channels }, (_, channel) => {
    const plane = new Float32Array(samples.length / channels);
    for (let i = 0; i < plane.length; i++) plane[i] = (samples[i * channels + channel] as number) / most;
    return plane;
  });
}

export async function flacEncoder({ rate, channels, bits, seconds, tags }: Format): Promise<Encoder> {
  const flac = await encoder({ sampleRate: rate, channels, bitDepth: bits });
  const sink = new Sink(((seconds * rate * channels * bits) / 8) * 0.7);
  const checksum = createHash("md5");
  let frames = 0;
  let head: Uint8Array = new Uint8Array();
  const take = (part: Uint8Array): void => {
    if (head.length > 0 || part.length === 0) return sink.write(part);
    const end = endOfHeader(part, 0);
    head = header(part.slice(streamInfo.at, streamInfo.at + streamInfo.bytes), tags);
    sink.write(head);
    sink.write(part.subarray(end));
  };
  return {
    add(planes) {
      const samples = quantize(planes, bits);
      const bytes = new Uint8Array((samples.length * bits) / 8);
      toBytes(samples, bits, bytes);
      checksum.update(bytes);
      frames += samples.length / channels;
      take(flac.encode(toPlanes(samples, channels, bits)));
    },
    finish() {
      take(flac.flush());
      // The length has 36 bits; two hours at the highest rate need 32.
      sink.patch(streamInfo.at + 14, u32be(frames));
      sink.patch(streamInfo.at + 18, checksum.digest());
      return sink.whole();
    },
  };
}
