/** Reads and checks Ogg pages, and gives a stream another serial number. */
import { UnreadableFileError } from "../engine.js";
import { createChecksum } from "./flac-frames.js";

interface OggPage {
  bytes: Buffer;
  body: Buffer;
}

/** Offsets of fields in a page. */
const flagsOffset = 5;
const serialOffset = 14;
const checksumOffset = 22;
const lacingOffset = 27;

const lastPageFlag = 4;

/** Yields whole pages, up to the first damaged or truncated page. */
function* readPages(bytes: Uint8Array): Generator<OggPage> {
  const ogg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + lacingOffset <= ogg.length; ) {
    if (ogg.toString("latin1", at, at + 4) !== "OggS") return;
    const bodyAt = at + lacingOffset + ogg.readUInt8(at + lacingOffset - 1);
    const lacing = ogg.subarray(at + lacingOffset, bodyAt);
    const end = bodyAt + lacing.reduce((sum, segment) => sum + segment, 0);
    if (end > ogg.length) return;
    yield { bytes: ogg.subarray(at, end), body: ogg.subarray(bodyAt, end) };
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

/** Replaces the random serial number of a stream, so that the output is reproducible. */
export function setSerial(ogg: Uint8Array, serial: number): Uint8Array {
  for (const { bytes } of readPages(ogg)) {
    bytes.writeUInt32LE(serial, serialOffset);
    bytes.writeUInt32LE(0, checksumOffset);
    bytes.writeUInt32LE(checksum(bytes), checksumOffset);
  }
  return ogg;
}
