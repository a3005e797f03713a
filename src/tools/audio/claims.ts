/** What headers claim, held against what is there: a file that is cut off says so itself. */
import { Unreadable } from "../engine.js";
import { flagsOf, lastPage, pagesOf } from "./ogg-pages.js";
import type { Sound } from "./sound.js";

/** A cut-off end costs less than this of the length, or the file is refused. */
const mostlyThere = 0.95;

const say = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** Samples of the ends of a file that are an encoder's own, and are not played. */
const encoderEnds = 2_400;

/** After decoding: so much came out. */
export function checkDecoded(sound: Sound, seconds: number): void {
  if (!sound.isClaimed || seconds >= sound.seconds * mostlyThere - encoderEnds / sound.rate) return;
  throw new Unreadable(
    `it is cut off or damaged: ${say(seconds)} of ${say(sound.seconds)} can be read; send the whole file`,
  );
}

function checkFormat(view: DataView, at: number): void {
  const [channels, align, bits] = [at + 2, at + 12, at + 14].map((place) => view.getUint16(place, true));
  if (channels === undefined || align === undefined || bits === undefined) return;
  if (channels === 0 || align === channels * Math.ceil(bits / 8)) return;
  throw new Unreadable(
    `its header contradicts itself: ${align} bytes for ${channels} samples of ${bits} bits; send a file that plays`,
  );
}

/** What writes to a pipe knows no size: it promises 2 or 4 GB, or a little less, and the audio goes on to the end. */
const unknownSize = 0x7ff00000;

export function checkWav(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const id = (at: number): string => Buffer.from(bytes.subarray(at, at + 4)).toString("latin1");
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const there = bytes.length - at - 8;
    if (id(at) === "fmt " && size >= 16 && there >= 16) checkFormat(view, at + 8);
    const isUnknown = size >= unknownSize;
    // Files beyond 4 GB, RF64, keep their sizes elsewhere.
    if (id(at) === "data" && id(0) === "RIFF" && !isUnknown && there < size * mostlyThere)
      throw new Unreadable(
        `its header promises ${size} bytes of audio and ${there} follow: it is cut off; send the whole file`,
      );
    at += 8 + size + (size & 1);
  }
}

/** Frames follow one another without a gap, and the last is whole; tags at the end are short. How many there are. */
export function countAdts(bytes: Uint8Array, from: number): number {
  let [frames, lost] = [0, 0];
  for (let at = from; at < bytes.length; ) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0] = bytes.subarray(at, at + 6);
    const size = ((c & 3) << 11) | (d << 3) | (e >> 5);
    const isFrame = a === 0xff && (b & 0xf6) === 0xf0 && size >= 7;
    const isCut = isFrame ? at + size > bytes.length : a === 0xff && at + 7 > bytes.length;
    if (isCut && lost === 0)
      throw new Unreadable("it is cut off in the middle of a frame; send the whole file");
    frames += isFrame ? 1 : 0;
    lost += isFrame ? 0 : 1;
    at += isFrame ? size : 1;
  }
  if (lost > (bytes.length - from) * (1 - mostlyThere))
    throw new Unreadable("it is damaged: much of it is no AAC; send it whole");
  return frames;
}

export function checkOgg(bytes: Uint8Array): void {
  for (const page of pagesOf(bytes)) if (flagsOf(page) & lastPage) return;
  throw new Unreadable("it is cut off or damaged: its last Ogg page is missing; send the whole file");
}

/** An encoder that knows the number of frames writes it into a frame of its own at the start. */
export function hasMp3Length(bytes: Uint8Array, from: number): boolean {
  const start = Buffer.from(bytes.subarray(from, from + 4096)).toString("latin1");
  return /Xing|Info/.test(start);
}
