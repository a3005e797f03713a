/** Reads Ogg pages and packs packets into them. */
import { u32le } from "./output-buffer.js";

export interface OggPage {
  bytes: Uint8Array;
  /** Segment lengths. A packet continues after a segment of 255 bytes. */
  lacing: Uint8Array;
  body: Uint8Array;
}

/** Offsets of fields in a page. */
const flagsOffset = 5;
const serialOffset = 14;
const sequenceOffset = 18;
const checksumOffset = 22;
const lacingOffset = 27;
const maxSegments = 255;

export const firstPageFlag = 2;
export const lastPageFlag = 4;
const continuedFlag = 1;

export const pageFlags = (page: OggPage): number => page.bytes[flagsOffset] ?? 0;

/** Returns the serial number of the page's stream. */
export const pageSerial = ({ bytes }: OggPage): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(serialOffset, true);

/** Yields whole pages, up to the first that is damaged or truncated. */
export function* readPages(ogg: Uint8Array): Generator<OggPage> {
  for (let at = 0; at + lacingOffset <= ogg.length; ) {
    if (Buffer.from(ogg.buffer, ogg.byteOffset + at, 4).toString("latin1") !== "OggS") return;
    const bodyAt = at + lacingOffset + (ogg[at + lacingOffset - 1] ?? 0);
    const lacing = ogg.subarray(at + lacingOffset, bodyAt);
    const end = bodyAt + lacing.reduce((sum, segment) => sum + segment, 0);
    if (end > ogg.length) return;
    yield { bytes: ogg.subarray(at, end), lacing, body: ogg.subarray(bodyAt, end) };
    at = end;
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Sets the serial number, the sequence number and the checksum of a page. */
export function finalizePage(page: Uint8Array, serial: number, sequence: number): void {
  page.set(u32le(serial), serialOffset);
  page.set(u32le(sequence), sequenceOffset);
  page.set([0, 0, 0, 0], checksumOffset);
  let crc = 0;
  for (let i = 0; i < page.length; i++)
    crc = ((crc << 8) ^ (crcTable[((crc >>> 24) ^ (page[i] as number)) & 255] as number)) >>> 0;
  page.set(u32le(crc), checksumOffset);
}

/** Packs header packets, whose granule position is 0, into pages that still need to be finalized. */
export function packHeaderPages(packets: readonly Uint8Array[], flags: number): Uint8Array[] {
  const segments = packets.flatMap(({ length }) => [
    ...new Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const body = Buffer.concat(packets);
  const pages: Uint8Array[] = [];
  let at = 0;
  for (let first = 0; first < segments.length; first += maxSegments) {
    const lacing = segments.slice(first, first + maxSegments);
    const end = at + lacing.reduce((sum, segment) => sum + segment, 0);
    const continuation = segments[first - 1] === 255 ? continuedFlag : 0;
    // If no packet ends in the page, its granule position is -1.
    const granule = new Uint8Array(8).fill(lacing.every((segment) => segment === 255) ? 255 : 0);
    const head = [
      Buffer.from("OggS"),
      Uint8Array.of(0, first === 0 ? flags : continuation),
      granule,
      new Uint8Array(12),
    ];
    pages.push(Buffer.concat([...head, Uint8Array.of(lacing.length, ...lacing), body.subarray(at, end)]));
    at = end;
  }
  return pages;
}

/** Returns the packets in consecutive pages. */
export function joinPackets(pages: readonly OggPage[]): Uint8Array[] {
  const packets: Uint8Array[] = [];
  const parts: Uint8Array[] = [];
  for (const { lacing, body } of pages) {
    let at = 0;
    for (const segment of lacing) {
      parts.push(body.subarray(at, at + segment));
      at += segment;
      if (segment < 255) packets.push(Buffer.concat(parts.splice(0)));
    }
  }
  return packets;
}
