/** Encodes WAV with 16 or 24 bits, up to eight channels, and both RIFF and ID3 tags. */

import type { Encoder, EncoderSettings, Tags } from "./audio-types.js";
import { encodeId3 } from "./id3.js";
import { checkOutputSize } from "./limits.js";
import { OutputBuffer, u32le } from "./output-buffer.js";
import { quantize, writeSamples } from "./quantize.js";
import { tagNames, textTags } from "./tags.js";

const pcmFormatTag = 1;
const extensibleFormatTag = 0xfffe;
/** Speaker masks of 1 to 8 channels; bit 0 is front left. */
const speakerMasks = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];
/** The GUID of the PCM sub-format, after its two-byte tag. */
const pcmGuidSuffix = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

const u16le = (value: number): Uint8Array => Uint8Array.of(value, value >>> 8);

/** Pads the chunk to an even length. */
export const riffChunk = (id: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(id), u32le(body.length), body, new Uint8Array(body.length & 1)]);

function formatChunk({ rate, channels, bits }: EncoderSettings): Uint8Array {
  const frame = (channels * bits) / 8;
  const isPlain = channels <= 2;
  const plain = [
    u16le(isPlain ? pcmFormatTag : extensibleFormatTag),
    u16le(channels),
    u32le(rate),
    u32le(rate * frame),
    u16le(frame),
    u16le(bits),
  ];
  const extension = [
    u16le(22),
    u16le(bits),
    u32le(speakerMasks[channels - 1] ?? 0),
    u16le(pcmFormatTag),
    Uint8Array.from(pcmGuidSuffix),
  ];
  return riffChunk("fmt ", Buffer.concat(isPlain ? plain : [...plain, ...extension]));
}

/** Returns the RIFF tags, or no bytes without any. */
export function infoChunk(tags: Tags): Uint8Array {
  const entries = textTags.flatMap((tag) => {
    const { riff } = tagNames[tag];
    return riff && tags[tag] ? [riffChunk(riff, Buffer.from(`${tags[tag]}\0`))] : [];
  });
  return entries.length === 0
    ? new Uint8Array()
    : riffChunk("LIST", Buffer.concat([Buffer.from("INFO"), ...entries]));
}

export async function createWavEncoder(format: EncoderSettings): Promise<Encoder> {
  const { rate, channels, bits, seconds, isDeclared, tags } = format;
  const id3Tag = encodeId3(tags);
  const head = Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WAVE"),
    formatChunk(format),
    // Before the RIFF tags, so that readers of both prefer its longer texts.
    id3Tag.length === 0 ? id3Tag : riffChunk("id3 ", id3Tag),
    infoChunk(tags),
    Buffer.from("data\0\0\0\0"),
  ]);
  const frame = (channels * bits) / 8;
  const data = Math.round(seconds * rate) * frame;
  if (isDeclared) checkOutputSize(data);
  const output = new OutputBuffer(head.length + data + (data & 1));
  output.write(head);
  return {
    add(planes) {
      const samples = quantize(planes, bits);
      writeSamples(samples, bits, output.reserve((samples.length * bits) / 8));
    },
    finish() {
      const size = output.length - head.length;
      output.reserve(size & 1);
      output.patch(4, u32le(output.length - 8));
      output.patch(head.length - 4, u32le(size));
      return output.finish();
    },
  };
}
