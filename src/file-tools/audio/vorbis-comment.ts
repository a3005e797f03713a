/** Writes Vorbis comments and the picture block, the tags of FLAC and Ogg. */

import type { CoverArt, Tags } from "./audio-types.js";
import { u32be, u32le } from "./output-buffer.js";
import { tagNames, textTags } from "./tags.js";

const frontCover = 3;

const lengthPrefixed = (text: string): Uint8Array => {
  const bytes = Buffer.from(text);
  return Buffer.concat([u32le(bytes.length), bytes]);
};

/** Returns NAME=text entries. "3/12" becomes a number and a total. */
function commentEntries(name: string, text: string): string[] {
  const [number, total] = /^(?:TRACK|DISC)NUMBER$/.test(name) ? text.split("/") : [text];
  return total ? [`${name}=${number}`, `${name.replace("NUMBER", "TOTAL")}=${total}`] : [`${name}=${number}`];
}

/** Leaves width, height, depth and number of colours zero, which means unknown. */
export function pictureBlock({ type, bytes }: CoverArt): Uint8Array {
  const mime = Buffer.from(type);
  const unknown = new Uint8Array(16);
  return Buffer.concat([
    u32be(frontCover),
    u32be(mime.length),
    mime,
    u32be(0),
    unknown,
    u32be(bytes.length),
    bytes,
  ]);
}

/** `pictures`: whether to include the cover as base64, for containers without a block for pictures. */
export function vorbisComment(tags: Tags, { pictures }: { pictures: boolean }): Uint8Array {
  const entries = textTags.flatMap((tag) => {
    const text = tags[tag];
    return text === undefined ? [] : commentEntries(tagNames[tag].vorbis, text);
  });
  if (pictures && tags.cover)
    entries.push(`METADATA_BLOCK_PICTURE=${Buffer.from(pictureBlock(tags.cover)).toString("base64")}`);
  return Buffer.concat([lengthPrefixed("standin"), u32le(entries.length), ...entries.map(lengthPrefixed)]);
}
