/** What goes before the frames of a FLAC stream: its mark, then blocks, of which STREAMINFO is the first. */
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
