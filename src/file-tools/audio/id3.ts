/** Writes ID3v2.4 tags, for MP3, ADTS and, as a chunk, WAV. */

import type { CoverArt, Tags } from "./audio-types.js";
import { tagNames, textTags } from "./tags.js";

const utf8Encoding = 3;
const frontCover = 3;

/** Encodes a length with seven bits per byte, so that it cannot look like the sync code of an MPEG frame. */
const synchsafe = (value: number): Uint8Array =>
  Uint8Array.of((value >>> 21) & 127, (value >>> 14) & 127, (value >>> 7) & 127, value & 127);

const id3Frame = (id: string, ...body: Uint8Array[]): Uint8Array => {
  const content = Buffer.concat(body);
  return Buffer.concat([Buffer.from(id), synchsafe(content.length), Uint8Array.of(0, 0), content]);
};

function textFrame(id: string, text: string): Uint8Array {
  // Comments and lyrics have a language and an empty description before their text.
  const head = id === "COMM" || id === "USLT" ? Buffer.from("eng\0") : new Uint8Array();
  return id3Frame(id, Uint8Array.of(utf8Encoding), head, Buffer.from(text));
}

const coverFrame = ({ type, bytes }: CoverArt): Uint8Array =>
  id3Frame(
    "APIC",
    Uint8Array.of(utf8Encoding),
    Buffer.from(`${type}\0`),
    Uint8Array.of(frontCover),
    Buffer.from("\0"),
    bytes,
  );

/** Returns an ID3 tag, or an empty array without tags. */
export function encodeId3(tags: Tags): Uint8Array {
  const frames = textTags.flatMap((tag) => {
    const text = tags[tag];
    return text === undefined ? [] : [textFrame(tagNames[tag].id3, text)];
  });
  if (tags.cover) frames.push(coverFrame(tags.cover));
  if (frames.length === 0) return new Uint8Array();
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from("ID3"), Uint8Array.of(4, 0, 0), synchsafe(body.length), body]);
}

/** Returns the offset of the audio in MP3, FLAC and ADTS, after an ID3v2 tag and its optional footer. */
export function audioStart(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes;
  const isTag = i === 0x49 && d === 0x44 && three === 0x33;
  return isTag ? 10 + ((a << 21) | (b << 14) | (c << 7) | e) + (flags & 0x10 ? 10 : 0) : 0;
}

/** Returns the offset of the end of the audio, before an ID3v1 tag, which would confuse a decoder of whole frames. */
export function audioEnd(bytes: Uint8Array): number {
  const at = bytes.length - 128;
  const [t, a, g] = at < 0 ? [] : bytes.subarray(at);
  return t === 0x54 && a === 0x41 && g === 0x47 ? at : bytes.length;
}
