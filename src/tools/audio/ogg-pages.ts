/** Ogg pages: how they are found, and how packets are laid into them. */
import { ascii, concat, u32le } from "./sink.js";

export interface Page {
  bytes: Uint8Array;
  /** Lengths of the pieces of packets; a piece of 255 goes on in the next. */
  lacing: Uint8Array;
  body: Uint8Array;
}

/** Where things stand in a page. */
const flagsAt = 5;
const serialAt = 14;
const sequenceAt = 18;
const checksumAt = 22;
const lacingAt = 27;
const mostPieces = 255;

export const firstPage = 2;
export const lastPage = 4;
const continued = 1;

export const flagsOf = (page: Page): number => page.bytes[flagsAt] ?? 0;

/** Ends where what follows is no whole page. */
export function* pagesOf(ogg: Uint8Array): Generator<Page> {
  for (let at = 0; at + lacingAt <= ogg.length; ) {
    if (Buffer.from(ogg.buffer, ogg.byteOffset + at, 4).toString("latin1") !== "OggS") return;
    const bodyAt = at + lacingAt + (ogg[at + lacingAt - 1] ?? 0);
    const lacing = ogg.subarray(at + lacingAt, bodyAt);
    const end = bodyAt + lacing.reduce((sum, piece) => sum + piece, 0);
    if (end > ogg.length) return;
    yield { bytes: ogg.subarray(at, end), lacing, body: ogg.subarray(bodyAt, end) };
    at = end;
  }
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Gives a page its place in a stream, and its checksum. */
export function seal(page: Uint8Array, serial: number, sequence: number): void {
  page.set(u32le(serial), serialAt);
  page.set(u32le(sequence), sequenceAt);
  page.set([0, 0, 0, 0], checksumAt);
  let crc = 0;
  for (let i = 0; i < page.length; i++)
    crc = ((crc << 8) ^ (table[((crc >>> 24) ^ (page[i] as number)) & 255] as number)) >>> 0;
  page.set(u32le(crc), checksumAt);
}

/** Pages of header packets, which stand at granule 0; not sealed. */
export function headerPages(packets: readonly Uint8Array[], flags: number): Uint8Array[] {
  const pieces = packets.flatMap(({ length }) => [
    ...new Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const body = concat(packets);
  const pages: Uint8Array[] = [];
  let at = 0;
  for (let first = 0; first < pieces.length; first += mostPieces) {
    const lacing = pieces.slice(first, first + mostPieces);
    const end = at + lacing.reduce((sum, piece) => sum + piece, 0);
    const goesOn = pieces[first - 1] === 255 ? continued : 0;
    // No packet ends in a page whose pieces are all full: its granule is then none.
    const granule = new Uint8Array(8).fill(lacing.every((piece) => piece === 255) ? 255 : 0);
    const head = [ascii("OggS"), Uint8Array.of(0, first === 0 ? flags : goesOn), granule, new Uint8Array(12)];
    pages.push(concat([...head, Uint8Array.of(lacing.length, ...lacing), body.subarray(at, end)]));
    at = end;
  }
  return pages;
}

/** The packets that a run of whole pages holds. */
export function packetsOf(pages: readonly Page[]): Uint8Array[] {
  const packets: Uint8Array[] = [];
  const parts: Uint8Array[] = [];
  for (const { lacing, body } of pages) {
    let at = 0;
    for (const piece of lacing) {
      parts.push(body.subarray(at, at + piece));
      at += piece;
      if (piece < 255) packets.push(concat(parts.splice(0)));
    }
  }
  return packets;
}
