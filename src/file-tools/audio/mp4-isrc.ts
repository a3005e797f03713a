/**
 * Stores the ISRC in MP4 as a freeform item (`----`), where players look for it. mediabunny cannot write
 * freeform items, so a placeholder of the same length is written as the grouping and then replaced.
 */
import { u32be } from "./output-buffer.js";

const mp4Box = (name: string, text: string): Uint8Array =>
  Buffer.concat([u32be(12 + text.length), Buffer.from(name), u32be(0), Buffer.from(text)]);

const nameBox = mp4Box("name", "ISRC");
/** The item's `mean` (namespace) and `name` boxes. */
const itemHeader = Buffer.concat([mp4Box("mean", "com.apple.iTunes"), nameBox]);
/** Size, name, type and locale of a `data` box. */
const dataHeaderBytes = 16;
const textDataType = 1;

/** Returns the text to write as the grouping, a tag that is not used otherwise. */
export const isrcPlaceholder = (isrc: string): string =>
  "x".repeat(itemHeader.length + Buffer.from(isrc).length);

/** Replaces the placeholder in place. */
export function replaceIsrcPlaceholder(mp4: Uint8Array, isrc: string): Uint8Array {
  const text = Buffer.from(isrc);
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  const size = dataHeaderBytes + text.length;
  const item = Buffer.concat([
    Buffer.from("\xa9grp", "latin1"),
    u32be(itemHeader.length + size),
    Buffer.from("data"),
  ]);
  const at = bytes.indexOf(item);
  if (at > 0)
    mp4.set(
      Buffer.concat([
        Buffer.from("----"),
        itemHeader,
        u32be(size),
        Buffer.from("data"),
        u32be(textDataType),
        u32be(0),
        text,
      ]),
      at,
    );
  return mp4;
}

/** Returns undefined if the file has no ISRC. */
export function readIsrc(mp4: Uint8Array): string | undefined {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  const at = bytes.indexOf(nameBox) + nameBox.length;
  if (at < itemHeader.length || at + dataHeaderBytes > bytes.length) return undefined;
  return bytes.toString("utf8", at + dataHeaderBytes, at + Math.min(bytes.readUInt32BE(at), 100));
}
