/** Reads the decoder configuration of Apple Lossless in MP4, which mediabunny does not expose. */

/** Start of the `alac` box within the `alac` sample entry: 36 bytes, of which the last 24 are the configuration. */
const sampleEntryStart = Buffer.from("\0\0\0\x24alac\0\0\0\0", "latin1");
const configurationBytes = 24;

export interface AlacInfo {
  configuration: Uint8Array;
  bitDepth: number;
  /** The true rate; the sample entry can only store rates up to 65,535 Hz. */
  sampleRate: number;
}

/** Returns null if the file has no Apple Lossless track. */
export function findAlac(bytes: Uint8Array): AlacInfo | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = file.indexOf(sampleEntryStart);
  const from = at + sampleEntryStart.length;
  if (at < 0 || from + configurationBytes > file.length) return null;
  const configuration = file.subarray(from, from + configurationBytes);
  return { configuration, bitDepth: configuration.readUInt8(5), sampleRate: configuration.readUInt32BE(20) };
}
