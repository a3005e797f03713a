/** Parses FLAC headers: the metadata blocks, of which STREAMINFO is the first, and the headers of frames. */
import type { InputAudioTrack } from "mediabunny";
import { audioStart } from "./id3.js";

/** Length of the `fLaC` marker and the STREAMINFO block. */
export const streamInfoEnd = 42;
/** Marks the last metadata block in the first byte of its header, which is otherwise its type. */
export const lastBlockFlag = 0x80;

/** Returns the offset of the first frame, or one beyond the end if the last metadata block is missing. */
export function flacHeaderEnd(bytes: Uint8Array, from: number): number {
  let at = from + 4;
  while (at < bytes.length) {
    const [head = 0, a = 0, b = 0, c = 0] = bytes.subarray(at, at + 4);
    at += 4 + ((a << 16) | (b << 8) | c);
    if (head & lastBlockFlag) return at;
  }
  return at;
}

/** Returns the file with no metadata but STREAMINFO, which every decoder needs. */
export function withoutMetadata(flac: Uint8Array): Uint8Array {
  const start = audioStart(flac);
  const head = new Uint8Array(flac.subarray(start, start + streamInfoEnd));
  head[4] = lastBlockFlag;
  return Buffer.concat([head, flac.subarray(flacHeaderEnd(flac, start))]);
}

/** Returns the `fLaC` marker and STREAMINFO block of a track, or an empty array without one. */
export async function readFlacHeader(track: InputAudioTrack): Promise<Uint8Array> {
  const { description } = (await track.getDecoderConfig()) ?? {};
  return description instanceof Uint8Array ? description : new Uint8Array();
}

/** Returns the number of bits per sample. */
export async function readFlacBitDepth(track: InputAudioTrack): Promise<number> {
  const [low = 0, high = 0] = (await readFlacHeader(track)).subarray(20, 22);
  return (((low & 1) << 4) | (high >> 4)) + 1;
}

const maxFrameHeaderBytes = 16;

/** Returns the header length of a frame that may start at an offset, or 0 without a sync code. May be a false positive. */
function frameHeaderLength(bytes: Uint8Array, at: number): number {
  const [a, b = 0, sizes = 0, , number = 0] = bytes.subarray(at, at + 5);
  if (a !== 0xff || (b & 0xfe) !== 0xf8) return 0;
  // The frame number is encoded like UTF-8: the leading ones of the first byte give the number of bytes.
  const coded = number < 0x80 ? 1 : Math.clz32(~(number << 24));
  const [blockSize, rate] = [sizes >> 4, sizes & 15];
  const extra = (blockSize === 6 ? 1 : blockSize === 7 ? 2 : 0) + (rate === 12 ? 1 : rate > 12 ? 2 : 0);
  return 4 + coded + extra + 1;
}

/** Returns the last offset up to `end` that does not split a frame header. */
export function lastSafeSplit(bytes: Uint8Array, end: number): number {
  for (let at = Math.max(0, end - maxFrameHeaderBytes); at < end; at++)
    if (at + frameHeaderLength(bytes, at) > end) return lastSafeSplit(bytes, at);
  return end;
}
