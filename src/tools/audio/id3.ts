/** ID3v2.4, the tags of MP3 and ADTS; WAV takes them as a chunk. */
import { ascii, concat } from "./sink.js";
import type { Cover, Tags } from "./sound.js";
import { tagNames, textTags } from "./tags.js";

const utf8 = 3;
const frontCover = 3;

/** Seven bits a byte, so that no length looks like the start of an MPEG frame. */
const synchsafe = (value: number): Uint8Array =>
  Uint8Array.of((value >>> 21) & 127, (value >>> 14) & 127, (value >>> 7) & 127, value & 127);

const frame = (id: string, ...body: Uint8Array[]): Uint8Array => {
  const whole = concat(body);
  return concat([ascii(id), synchsafe(whole.length), Uint8Array.of(0, 0), whole]);
};

function textFrame(id: string, text: string): Uint8Array {
  // Comments and lyrics have a language and a description before their text.
  const head = id === "COMM" || id === "USLT" ? ascii("eng\0") : new Uint8Array();
  return frame(id, Uint8Array.of(utf8), head, ascii(text));
}

const coverFrame = ({ type, bytes }: Cover): Uint8Array =>
  frame("APIC", Uint8Array.of(utf8), ascii(`${type}\0`), Uint8Array.of(frontCover), ascii("\0"), bytes);

/** Empty when there is nothing to say. */
export function id3(tags: Tags): Uint8Array {
  const frames = textTags.flatMap((tag) => {
    const text = tags[tag];
    return text === undefined ? [] : [textFrame(tagNames[tag].id3, text)];
  });
  if (tags.cover) frames.push(coverFrame(tags.cover));
  if (frames.length === 0) return new Uint8Array();
  const body = concat(frames);
  return concat([ascii("ID3"), Uint8Array.of(4, 0, 0), synchsafe(body.length), body]);
}

/** Where the audio begins: before that of MP3, FLAC and ADTS there may be a tag, which may have a foot of ten bytes. */
export function afterId3(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes;
  const isTag = i === 0x49 && d === 0x44 && three === 0x33;
  return isTag ? 10 + ((a << 21) | (b << 14) | (c << 7) | e) + (flags & 0x10 ? 10 : 0) : 0;
}

/** Where the audio ends: the older tag comes after it, and is no audio to a decoder that wants whole frames. */
export function beforeId3v1(bytes: Uint8Array): number {
  const at = bytes.length - 128;
  const [t, a, g] = at < 0 ? [] : bytes.subarray(at);
  return t === 0x54 && a === 0x41 && g === 0x47 ? at : bytes.length;
}
