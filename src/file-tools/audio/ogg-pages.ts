/** Reads Ogg pages, and gives a stream another serial number. */

export interface OggPage {
  bytes: Buffer;
  /** Segment lengths. A packet continues after a segment of 255 bytes. */
  lacing: Buffer;
  body: Buffer;
}

/** Offsets of fields in a page. */
const flagsOffset = 5;
const serialOffset = 14;
const checksumOffset = 22;
const lacingOffset = 27;

const lastPageFlag = 4;

export const isLastPage = ({ bytes }: OggPage): boolean =>
  (bytes.readUInt8(flagsOffset) & lastPageFlag) !== 0;

const pageSerial = ({ bytes }: OggPage): number => bytes.readUInt32LE(serialOffset);

/** Yields whole pages, up to the first that is damaged or truncated. */
export function* readPages(bytes: Uint8Array): Generator<OggPage> {
  const ogg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + lacingOffset <= ogg.length; ) {
    if (ogg.toString("latin1", at, at + 4) !== "OggS") return;
    const bodyAt = at + lacingOffset + ogg.readUInt8(at + lacingOffset - 1);
    const lacing = ogg.subarray(at + lacingOffset, bodyAt);
    const end = bodyAt + lacing.reduce((sum, segment) => sum + segment, 0);
    if (end > ogg.length) return;
    yield { bytes: ogg.subarray(at, end), lacing, body: ogg.subarray(bodyAt, end) };
    at = end;
  }
}

/** Returns the packets of the stream to which `first` belongs. */
export function joinPackets(pages: readonly OggPage[], first: OggPage): Buffer[] {
  const packets: Buffer[] = [];
  const parts: Buffer[] = [];
  for (const { lacing, body } of pages.filter((page) => pageSerial(page) === pageSerial(first))) {
    let at = 0;
    for (const segment of lacing) {
      parts.push(body.subarray(at, at + segment));
      at += segment;
      if (segment < 255) packets.push(Buffer.concat(parts.splice(0)));
    }
  }
  return packets;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Replaces the random serial number of a stream, so that the output is reproducible. */
export function setSerial(ogg: Uint8Array, serial: number): Uint8Array {
  for (const { bytes } of readPages(ogg)) {
    bytes.writeUInt32LE(serial, serialOffset);
    bytes.writeUInt32LE(0, checksumOffset);
    let crc = 0;
    for (const byte of bytes) crc = ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 255] as number)) >>> 0;
    bytes.writeUInt32LE(crc, checksumOffset);
  }
  return ogg;
}
