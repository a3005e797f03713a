/**
 * The ISRC in MP4: an item that carries its name within, as players look for it. No writer here makes such items, so
 * that another one of the same length is written and then takes this one's place.
 */
import { ascii, concat, u32be } from "./sink.js";

const box = (name: string, text: string): Uint8Array =>
  concat([u32be(12 + text.length), ascii(name), u32be(0), ascii(text)]);

const name = box("name", "ISRC");
/** Whose name it is, and the name. */
const head = concat([box("mean", "com.apple.iTunes"), name]);
/** Of a `data` box: size, name, type and locale. */
const dataHead = 16;
const isText = 1;

/** What is to be written as the grouping, a tag that is not kept otherwise. */
export const groupingFor = (isrc: string): string => "x".repeat(head.length + ascii(isrc).length);

/** Changed in place. */
export function groupingToIsrc(mp4: Uint8Array, isrc: string): Uint8Array {
  const text = ascii(isrc);
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  const size = dataHead + text.length;
  const item = Buffer.concat([Buffer.from("\xa9grp", "latin1"), u32be(head.length + size), ascii("data")]);
  const at = bytes.indexOf(item);
  if (at > 0)
    mp4.set(concat([ascii("----"), head, u32be(size), ascii("data"), u32be(isText), u32be(0), text]), at);
  return mp4;
}

/** Undefined: it has none. */
export function isrcOf(mp4: Uint8Array): string | undefined {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  const at = bytes.indexOf(name) + name.length;
  if (at < head.length || at + dataHead > bytes.length) return undefined;
  return bytes.toString("utf8", at + dataHead, at + Math.min(bytes.readUInt32BE(at), 100));
}
