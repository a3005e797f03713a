/** Reads and writes the chunks of WAV files. */

export interface Chunk {
  id: string;
  /** Declared size in bytes, which may exceed the size of the body. */
  size: number;
  /** Contents, as far as the file goes. */
  body: Buffer;
}

/** Yields the chunks of a RIFF or RF64 file in order. */
export function* readChunks(bytes: Uint8Array): Generator<Chunk> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    yield { id: file.toString("latin1", at, at + 4), size, body: file.subarray(at + 8, at + 8 + size) };
    at += 8 + size + (size & 1);
  }
}

export function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Pads the chunk to an even length. */
export const riffChunk = (id: string, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(id), u32le(body.length), body, Buffer.alloc(body.length & 1)]);

/** Format tag of the extensible format, in which the actual tag is the start of the sub-format GUID. */
export const extensibleFormat = 0xfffe;

/** Returns the format tag and the bits per sample that the `fmt ` chunk declares, or null without such a chunk. */
export function readWaveFormat(bytes: Uint8Array): { tag: number; bits: number } | null {
  for (const { id, body } of readChunks(bytes)) {
    if (id !== "fmt " || body.length < 16) continue;
    const tag = body.readUInt16LE(0);
    const isExtensible = tag === extensibleFormat && body.length >= 26;
    return { tag: isExtensible ? body.readUInt16LE(24) : tag, bits: body.readUInt16LE(14) };
  }
  return null;
}
