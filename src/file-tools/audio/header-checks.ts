/** Compares what a file's headers declare with its contents, to detect truncated and damaged files. */
import { UnreadableFileError } from "../engine.js";
import type { AudioSource } from "./audio-types.js";
import { lastPageFlag, pageFlags, readPages } from "./ogg-pages.js";
import { readChunks } from "./riff.js";

/** Minimum share of the declared length that must be present. */
const minCompleteShare = 0.95;

const formatSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** Encoder delay and padding, which count towards the declared length but are not decoded. */
const encoderPaddingSamples = 2_400;

/** Throws if fewer than the declared `seconds` were decoded. */
export function checkDecodedLength(source: AudioSource, seconds: number): void {
  if (
    !source.isDeclared ||
    seconds >= source.seconds * minCompleteShare - encoderPaddingSamples / source.rate
  )
    return;
  throw new UnreadableFileError(
    `it is cut off or damaged: ${formatSeconds(seconds)} of ${formatSeconds(source.seconds)} can be read; send the whole file`,
  );
}

function checkFormatChunk(body: Buffer): void {
  if (body.length < 16) return;
  const [channels, align, bits] = [body.readUInt16LE(2), body.readUInt16LE(12), body.readUInt16LE(14)];
  if (channels === 0 || align === channels * Math.ceil(bits / 8)) return;
  throw new UnreadableFileError(
    `its header contradicts itself: ${align} bytes for ${channels} samples of ${bits} bits; send a file that plays`,
  );
}

/** Programs that write to a pipe declare 2 or 4 GB, or slightly less, because they do not know the size yet. */
const minUnknownSize = 0x7ff00000;

export function checkWav(bytes: Uint8Array): void {
  // RF64 files, which may exceed 4 GB, store their sizes elsewhere.
  const isRiff = Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "RIFF";
  for (const { id, size, body } of readChunks(bytes)) {
    if (id === "fmt ") checkFormatChunk(body);
    if (id === "data" && isRiff && size < minUnknownSize && body.length < size * minCompleteShare)
      throw new UnreadableFileError(
        `its header declares ${size} bytes of audio but only ${body.length} follow: it is cut off; send the whole file`,
      );
  }
}

/** Counts whole ADTS frames. Throws if many bytes, more than tags take up, belong to no frame. */
export function countAdtsFrames(bytes: Uint8Array, from: number): number {
  let [frames, skipped] = [0, 0];
  for (let at = from; at < bytes.length; ) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0] = bytes.subarray(at, at + 6);
    const size = ((c & 3) << 11) | (d << 3) | (e >> 5);
    const isFrame = a === 0xff && (b & 0xf6) === 0xf0 && size >= 7;
    // The stream states no length, so it may end in the middle of a frame.
    if (isFrame && at + size > bytes.length) break;
    frames += isFrame ? 1 : 0;
    skipped += isFrame ? 0 : 1;
    at += isFrame ? size : 1;
  }
  if (frames === 0 || skipped > (bytes.length - from) * (1 - minCompleteShare))
    throw new UnreadableFileError("it is damaged: large parts are not AAC frames; send the whole file");
  return frames;
}

/** Throws if the last page is truncated. A stream that was recorded may end without the flag of its last page. */
export function checkOgg(bytes: Uint8Array): void {
  let whole = 0;
  for (const page of readPages(bytes)) {
    if (pageFlags(page) & lastPageFlag) return;
    whole += page.bytes.length;
  }
  if (whole < bytes.length)
    throw new UnreadableFileError(
      "it is cut off or damaged: its last Ogg page is missing; send the whole file",
    );
}

/** Returns whether an MP3 starts with a Xing or Info frame, which declares the number of frames. */
export function hasXingHeader(bytes: Uint8Array, from: number): boolean {
  const start = Buffer.from(bytes.subarray(from, from + 4096)).toString("latin1");
  return /Xing|Info/.test(start);
}
