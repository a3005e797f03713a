/** Reads and checks Ogg pages, and completes the pages of a Vorbis stream. */
import { UnreadableFileError } from "../engine.js";
import { createChecksum } from "./flac-frames.js";

interface OggPage {
  bytes: Buffer;
  /** Lengths of the segments in the body. A packet ends with a segment of less than 255 bytes. */
  lacing: Buffer;
  body: Buffer;
}

/** Offsets of fields in a page. */
const flagsOffset = 5;
const granuleOffset = 6;
const serialOffset = 14;
const sequenceOffset = 18;
const checksumOffset = 22;
const lacingOffset = 27;

const maxSegmentLength = 255;
const maxSegments = 255;
const continuedFlag = 1;

const endsPacket = (segmentLength: number): boolean => segmentLength < maxSegmentLength;

const lastPageFlag = 4;

/** Returns the length in bytes of the body of a page, or of some of its segments. */
const lengthOf = (lacing: Iterable<number>): number => [...lacing].reduce((sum, segment) => sum + segment, 0);

/** Yields whole pages, up to the first damaged or truncated page. */
function* readPages(bytes: Uint8Array): Generator<OggPage> {
  const ogg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + lacingOffset <= ogg.length; ) {
    if (ogg.toString("latin1", at, at + 4) !== "OggS") return;
    const bodyAt = at + lacingOffset + ogg.readUInt8(at + lacingOffset - 1);
    const lacing = ogg.subarray(at + lacingOffset, bodyAt);
    const end = bodyAt + lengthOf(lacing);
    if (end > ogg.length) return;
    yield { bytes: ogg.subarray(at, end), lacing, body: ogg.subarray(bodyAt, end) };
    at = end;
  }
}

/** Throws if the last page is truncated. A stream that was recorded may end without the flag of its last page. */
export function checkOgg(ogg: Uint8Array): void {
  let whole = 0;
  for (const { bytes } of readPages(ogg)) {
    if ((bytes.readUInt8(flagsOffset) & lastPageFlag) !== 0) return;
    whole += bytes.length;
  }
  if (whole < ogg.length)
    throw new UnreadableFileError(
      "it is cut off or damaged: its last Ogg page is missing; send the whole file",
    );
}

/** Returns the name of an audio codec that mediabunny does not recognise, or null if it is unknown. */
export function findOggCodec(ogg: Uint8Array): string | null {
  for (const { body } of readPages(ogg)) {
    const [name] = /^(?:Speex {3}|CELT {4}|PCM {5})/.exec(body.toString("latin1", 0, 8)) ?? [];
    if (name) return name.trim();
  }
  return null;
}

/** Start of the first packet of FLAC in Ogg, which continues with a version and the number of header packets. */
const flacSignature = "\x7fFLAC";
/** Offset of the native stream marker in that packet. */
const markerOffset = 9;

/** Returns the stream of FLAC in Ogg, whose packets are the metadata blocks and the frames of a native file, or the file. */
export function unwrapOgg(ogg: Uint8Array): Uint8Array {
  let serial: number | null = null;
  const stream: Buffer[] = [];
  for (const { bytes, body } of readPages(ogg)) {
    if (body.toString("latin1", 0, flacSignature.length) === flacSignature)
      serial ??= bytes.readUInt32LE(serialOffset);
    if (bytes.readUInt32LE(serialOffset) === serial) stream.push(body);
  }
  if (serial === null) return ogg;
  checkOgg(ogg);
  return Buffer.concat(stream).subarray(markerOffset);
}

const checksum = createChecksum(32, 0x04c11db7);

/** Ends the comments of a Vorbis stream, which mediabunny leaves out, so that most decoders refuse the stream. */
const framingByte = 1;

/**
 * Completes a Vorbis stream of mediabunny: ends its comments, and replaces its random serial number, so that the output is
 * reproducible.
 */
export function completeVorbis(ogg: Uint8Array, serial: number): Uint8Array {
  const [identification, ...others] = readPages(ogg);
  if (!identification) return ogg;
  const lacing: number[] = [];
  const bodies: Buffer[] = [];
  // The comments and the setup fill whole pages before the sound.
  for (let ended = 0; ended < 2; ) {
    const page = others.shift();
    if (!page) return ogg;
    lacing.push(...page.lacing);
    bodies.push(page.body);
    ended += page.lacing.filter(endsPacket).length;
  }
  const segments = lacing.findIndex(endsPacket) + 1;
  const end = lengthOf(lacing.slice(0, segments));
  const headers = Buffer.concat(bodies);
  const comments = Buffer.concat([headers.subarray(0, end), Buffer.of(framingByte)]);
  const pages = [
    identification.bytes,
    ...formatPages([comments, headers.subarray(end)]),
    ...others.map(({ bytes }) => bytes),
  ];
  for (const [number, page] of pages.entries()) {
    page.writeUInt32LE(serial, serialOffset);
    page.writeUInt32LE(number, sequenceOffset);
    page.writeUInt32LE(0, checksumOffset);
    page.writeUInt32LE(checksum(page), checksumOffset);
  }
  return Buffer.concat(pages);
}

/** Returns the pages of packets without sound, still without serial number, sequence and checksum. */
function formatPages(packets: readonly Buffer[]): Buffer[] {
  const lacing = packets.flatMap(({ length }) => [
    ...new Array<number>(Math.floor(length / maxSegmentLength)).fill(maxSegmentLength),
    length % maxSegmentLength,
  ]);
  const body = Buffer.concat(packets);
  const pages: Buffer[] = [];
  let at = 0;
  let isContinued = false;
  for (let first = 0; first < lacing.length; first += maxSegments) {
    const own = lacing.slice(first, first + maxSegments);
    const end = at + lengthOf(own);
    const head = Buffer.alloc(lacingOffset);
    head.write("OggS", "latin1");
    head.writeUInt8(isContinued ? continuedFlag : 0, flagsOffset);
    // The position in the sound is 0 until it begins, or -1 if no packet ends on the page.
    head.writeBigInt64LE(own.some(endsPacket) ? 0n : -1n, granuleOffset);
    head.writeUInt8(own.length, lacingOffset - 1);
    pages.push(Buffer.concat([head, Buffer.from(own), body.subarray(at, end)]));
    isContinued = !endsPacket(own.at(-1) as number);
    at = end;
  }
  return pages;
}
