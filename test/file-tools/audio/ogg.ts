/** Writes and changes Ogg pages. */
import { createChecksum } from "../../../src/file-tools/audio/flac-frames.js";

/** Offsets of fields in a page. */
const flagsOffset = 5;
const serialOffset = 14;
const sequenceOffset = 18;
const checksumOffset = 22;
const lacingOffset = 27;

/** Returns the offsets of the pages. */
export function pageOffsets(ogg: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < ogg.length; ) {
    offsets.push(at);
    const lacing = ogg.subarray(at + lacingOffset).subarray(0, ogg[at + lacingOffset - 1]);
    at += lacingOffset + lacing.length + lacing.reduce((sum, segment) => sum + segment, 0);
  }
  return offsets;
}

/** Returns the packets of a stream. Fails if the pages are not numbered from 0 on, or if one has a wrong checksum. */
export function packetsOf(ogg: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let parts: Buffer[] = [];
  for (const [number, offset] of pageOffsets(ogg).entries()) {
    const page = Buffer.from(ogg.subarray(offset));
    const lacing = page.subarray(lacingOffset, lacingOffset + page.readUInt8(lacingOffset - 1));
    let at = lacingOffset + lacing.length;
    const end = at + lacing.reduce((sum, segment) => sum + segment, 0);
    const found = page.readUInt32LE(checksumOffset);
    page.writeUInt32LE(0, checksumOffset);
    if (page.readUInt32LE(sequenceOffset) !== number || checksum(page.subarray(0, end)) !== found)
      throw new Error(`page ${number} is damaged`);
    for (const length of lacing) {
      parts.push(page.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      packets.push(Buffer.concat(parts));
      parts = [];
    }
  }
  return packets;
}

const checksum = createChecksum(32, 0x04c11db7);

/** Sets the flags of a page: 2 for the first, 4 for the last. */
export function setFlags(page: Buffer, flags: number): void {
  page.writeUInt8(flags, flagsOffset);
  page.writeUInt32LE(0, checksumOffset);
  page.writeUInt32LE(checksum(page), checksumOffset);
}

/** Returns a page with whole packets, which may have 65,025 bytes together. */
export function oggPage(packets: readonly Uint8Array[], flags: number, sequence: number): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...new Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const head = Buffer.alloc(lacingOffset);
  head.write("OggS");
  head.writeUInt32LE(7, serialOffset);
  head.writeUInt32LE(sequence, sequenceOffset);
  head.writeUInt8(lacing.length, lacingOffset - 1);
  const page = Buffer.concat([head, Buffer.from(lacing), ...packets]);
  setFlags(page, flags);
  return page;
}
