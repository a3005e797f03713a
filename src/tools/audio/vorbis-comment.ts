/** Vorbis comments and the picture block, the tags of FLAC and Ogg. */
import { ascii, concat, u32be, u32le } from "./sink.js";
import type { Cover, Tags } from "./sound.js";
import { tagNames, textTags } from "./tags.js";

const frontCover = 3;

const sized = (text: string): Uint8Array => {
  const bytes = ascii(text);
  return concat([u32le(bytes.length), bytes]);
};

/** "3/12" becomes a number and a total. */
function entry(name: string, text: string): string[] {
  const [number, total] = /^(?:TRACK|DISC)NUMBER$/.test(name) ? text.split("/") : [text];
  return total ? [`${name}=${number}`, `${name.replace("NUMBER", "TOTAL")}=${total}`] : [`${name}=${number}`];
}

/** Width, height, depth and colours are left unknown: four zeros. */
export function pictureBlock({ type, bytes }: Cover): Uint8Array {
  const mime = ascii(type);
  const unknown = new Uint8Array(16);
  return concat([u32be(frontCover), u32be(mime.length), mime, u32be(0), unknown, u32be(bytes.length), bytes]);
}

/** `pictures`: where the container has no block of its own for them, they go in as base64. */
export function vorbisComment(tags: Tags, { pictures }: { pictures: boolean }): Uint8Array {
  const entries = textTags.flatMap((tag) => {
    const text = tags[tag];
    return text === undefined ? [] : entry(tagNames[tag].vorbis, text);
  });
  if (pictures && tags.cover)
    entries.push(`METADATA_BLOCK_PICTURE=${Buffer.from(pictureBlock(tags.cover)).toString("base64")}`);
  return concat([sized("standin"), u32le(entries.length), ...entries.map(sized)]);
}
