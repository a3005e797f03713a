/** Completes MP4 files that mediabunny writes. */

function mp4Box(name: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, body]);
}

const noFlags = Buffer.alloc(4);
const nameBox = mp4Box("name", noFlags, Buffer.from("ISRC"));
/** The `mean` (namespace) and `name` boxes of a freeform item (`----`), in which players look for the ISRC. */
const itemHeader = Buffer.concat([mp4Box("mean", noFlags, Buffer.from("com.apple.iTunes")), nameBox]);
/** Size, name, type and locale of a `data` box. */
const dataHeaderBytes = 16;
const textType = Buffer.from([0, 0, 0, 1]);

const isrcItem = (isrc: string): Buffer =>
  mp4Box("----", itemHeader, mp4Box("data", textType, noFlags, Buffer.from(isrc)));

/** Returns the text to write as the grouping, a tag that is not used otherwise. Its item is as long as that of the ISRC. */
export const isrcPlaceholder = (isrc: string): string =>
  "x".repeat(itemHeader.length + Buffer.byteLength(isrc));

/**
 * Clears the creation times in the three headers that have them, so that the output is reproducible, renames the disc
 * number from mediabunny's `disc` to `disk`, the name that players read, and replaces the placeholder of the ISRC.
 */
export function patchMp4(mp4: Uint8Array, isrc: string | undefined): Uint8Array {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  for (const box of ["mvhd", "tkhd", "mdhd"]) {
    const at = bytes.indexOf(box, 0, "latin1");
    // A version 0 header has one byte of version, three of flags, then four bytes each of creation and modification time.
    if (at > 0 && bytes[at + 4] === 0) bytes.fill(0, at + 8, at + 16);
  }
  const disc = bytes.indexOf("disc\0\0\0\x18data", 0, "latin1");
  if (disc > 0) bytes.write("disk", disc, "latin1");
  const placeholder = isrc === undefined ? -1 : bytes.indexOf(`\xa9grp`, 0, "latin1");
  if (isrc !== undefined && placeholder > 0) isrcItem(isrc).copy(bytes, placeholder - 4);
  return mp4;
}

/** Returns undefined if the file has no ISRC. */
export function readIsrc(mp4: Uint8Array): string | undefined {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  const at = bytes.indexOf(nameBox) + nameBox.length;
  if (at < nameBox.length || at + dataHeaderBytes > bytes.length) return undefined;
  return bytes.toString("utf8", at + dataHeaderBytes, at + Math.min(bytes.readUInt32BE(at), 100));
}
