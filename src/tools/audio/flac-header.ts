/** What goes before the frames of a FLAC stream: its mark, then blocks, of which STREAMINFO is the first; and before each. */
import type { InputAudioTrack } from "mediabunny";

/** The mark, and STREAMINFO with its head. */
export const endOfStreamInfo = 42;

/** Where the frames begin; past the end when the blocks do not end. */
export function endOfHeader(bytes: Uint8Array, from: number): number {
  let at = from + 4;
  while (at < bytes.length) {
    const [head = 0, a = 0, b = 0, c = 0] = bytes.subarray(at, at + 4);
    at += 4 + ((a << 16) | (b << 8) | c);
    if (head & 0x80) return at;
  }
  return at;
}

/** The mark and STREAMINFO of a file that is read; empty where there is none. */
export async function flacHead(track: InputAudioTrack): Promise<Uint8Array> {
  const { description } = (await track.getDecoderConfig()) ?? {};
  return description instanceof Uint8Array ? description : new Uint8Array();
}

/** A sample. */
export async function flacBits(track: InputAudioTrack): Promise<number> {
  const [low = 0, high = 0] = (await flacHead(track)).subarray(20, 22);
  return (((low & 1) << 4) | (high >> 4)) + 1;
}

const longestFrameHeader = 16;

/** Bytes of the header that a frame at this place would have; 0 where none begins. Some places only look like one. */
function frameHeader(bytes: Uint8Array, at: number): number {
  const [a, b = 0, sizes = 0, , number = 0] = bytes.subarray(at, at + 5);
  if (a !== 0xff || (b & 0xfe) !== 0xf8) return 0;
  // Coded as UTF-8 is: as many bytes as there are ones at the top.
  const coded = number < 0x80 ? 1 : Math.clz32(~(number << 24));
  const [blockSize, rate] = [sizes >> 4, sizes & 15];
  const extra = (blockSize === 6 ? 1 : blockSize === 7 ? 2 : 0) + (rate === 12 ? 1 : rate > 12 ? 2 : 0);
  return 4 + coded + extra + 1;
}

/** The last place up to `end` that lies within no frame's header. */
export function outsideFrameHeader(bytes: Uint8Array, end: number): number {
  for (let at = Math.max(0, end - longestFrameHeader); at < end; at++)
    if (at + frameHeader(bytes, at) > end) return outsideFrameHeader(bytes, at);
  return end;
}
