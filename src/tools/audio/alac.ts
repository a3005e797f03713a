/** Apple Lossless in MP4: what the MP4 reader does not tell of it. */

/** A box in the sample entry of the same name: 36 bytes, of which the last 24 are the decoder's configuration. */
const box = Buffer.from("\0\0\0\x24alac\0\0\0\0", "latin1");
const configurationBytes = 24;

export interface Alac {
  configuration: Uint8Array;
  bits: number;
  /** The sample entry has no room for rates above 65,535 Hz. */
  rate: number;
}

/** Null where the file has none. */
export function alacOf(bytes: Uint8Array): Alac | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = file.indexOf(box);
  const from = at + box.length;
  if (at < 0 || from + configurationBytes > file.length) return null;
  const configuration = file.subarray(from, from + configurationBytes);
  return { configuration, bits: configuration.readUInt8(5), rate: configuration.readUInt32BE(20) };
}
