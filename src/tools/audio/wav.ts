/** WAV: 16 or 24 bits, up to eight channels; tags both as RIFF has them and as ID3. */
import { id3 } from "./id3.js";
import { checkSize } from "./limits.js";
import { quantize, toBytes } from "./quantize.js";
import { ascii, concat, Sink, u32le } from "./sink.js";
import type { Encoder, Format, Tags } from "./sound.js";
import { tagNames, textTags } from "./tags.js";

const pcm = 1;
const extensible = 0xfffe;
/** Speakers of 1 to 8 channels, front left being bit 0. */
const speakers = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];
/** Of the PCM sub-format, after its tag. */
const guid = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

const u16le = (value: number): Uint8Array => Uint8Array.of(value, value >>> 8);

/** Chunks begin at even places. */
const chunk = (id: string, body: Uint8Array): Uint8Array =>
  concat([ascii(id), u32le(body.length), body, new Uint8Array(body.length & 1)]);

function formatChunk({ rate, channels, bits }: Format): Uint8Array {
  const frame = (channels * bits) / 8;
  const isPlain = channels <= 2;
  const plain = [
    u16le(isPlain ? pcm : extensible),
    u16le(channels),
    u32le(rate),
    u32le(rate * frame),
    u16le(frame),
    u16le(bits),
  ];
  const more = [
    u16le(22),
    u16le(bits),
    u32le(speakers[channels - 1] ?? 0),
    u16le(pcm),
    Uint8Array.from(guid),
  ];
  return chunk("fmt ", concat(isPlain ? plain : [...plain, ...more]));
}

function infoChunk(tags: Tags): Uint8Array {
  const entries = textTags.flatMap((tag) => {
    const { riff } = tagNames[tag];
    return riff && tags[tag] ? [chunk(riff, ascii(`${tags[tag]}\0`))] : [];
  });
  return entries.length === 0 ? new Uint8Array() : chunk("LIST", concat([ascii("INFO"), ...entries]));
}

export async function wavEncoder(format: Format): Promise<Encoder> {
  const { rate, channels, bits, seconds, isClaimed, tags } = format;
  const id3Tag = id3(tags);
  const head = concat([
    ascii("RIFF\0\0\0\0WAVE"),
    formatChunk(format),
    // First, so that readers of both take its longer texts.
    id3Tag.length === 0 ? id3Tag : chunk("id3 ", id3Tag),
    infoChunk(tags),
    ascii("data\0\0\0\0"),
  ]);
  const frame = (channels * bits) / 8;
  const data = Math.round(seconds * rate) * frame;
  if (isClaimed) checkSize(data);
  const sink = new Sink(head.length + data + (data & 1));
  sink.write(head);
  return {
    add(planes) {
      const samples = quantize(planes, bits);
      toBytes(samples, bits, sink.room((samples.length * bits) / 8));
    },
    finish() {
      const size = sink.length - head.length;
      sink.room(size & 1);
      sink.patch(4, u32le(sink.length - 8));
      sink.patch(head.length - 4, u32le(size));
      return sink.whole();
    },
  };
}
