/** The checksums of FLAC and Ogg. */

/** Returns a function that computes a checksum of up to 32 bits, most significant bit first, starting at 0. */
export function createChecksum(bits: 8 | 16 | 32, polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte << 24;
    for (let bit = 0; bit < 8; bit++)
      value = value < 0 ? (value << 1) ^ (polynomial << (32 - bits)) : value << 1;
    return value;
  });
  return (bytes) => {
    let value = 0;
    for (const byte of bytes) value = (value << 8) ^ (table[(value >>> 24) ^ byte] as number);
    return value >>> (32 - bits);
  };
}
