/** Tags in files converted by ffmpeg: arguments for those that it writes, and code that adds the others to its output. */

import type { CoverArt, Tags } from "./audio-types.js";
import { encodeId3 } from "./id3.js";
import { isrcPlaceholder, replaceIsrcPlaceholder } from "./mp4-isrc.js";
import { replaceTags } from "./ogg.js";
import { u32le } from "./output-buffer.js";
import { type TextTag, textTags } from "./tags.js";
import type { TargetName } from "./targets.js";

/** Targets into which ffmpeg can copy a cover. */
const targetsWithCover: readonly TargetName[] = ["flac", "m4a"];

const coverDemuxers: Record<CoverArt["type"], string> = {
  "image/jpeg": "jpeg_pipe",
  "image/png": "png_pipe",
};

const ffmpegTagName = (tag: TextTag): string => (tag === "albumArtist" ? "album_artist" : tag);

/** Returns the cover that ffmpeg should copy. */
export const coverFor = ({ cover }: Tags, target: TargetName): CoverArt | null =>
  cover && targetsWithCover.includes(target) ? cover : null;

/** Arguments that add the cover as a second input. */
export const coverInputArguments = ({ type }: CoverArt, from: string): string[] => [
  ...["-protocol_whitelist", "file", "-f", coverDemuxers[type], "-i", from],
];

/** The comment marks the picture as the front cover. */
const coverOutputArguments = [
  ...["-map", "1:v:0", "-c:v", "copy", "-disposition:v:0", "attached_pic"],
  ...["-metadata:s:v:0", "comment=Cover (front)"],
];

/** Selects the first audio track and sets the tags that we have read, since ffmpeg would drop those of an Ogg track. */
export function tagArguments(tags: Tags, target: TargetName, cover: CoverArt | null): string[] {
  const texts = textTags.flatMap((tag) =>
    tags[tag] === undefined ? [] : ["-metadata", `${ffmpegTagName(tag)}=${tags[tag]}`],
  );
  if (tags.isrc && target === "m4a") texts.push("-metadata", `grouping=${isrcPlaceholder(tags.isrc)}`);
  const picture = cover ? coverOutputArguments : [];
  return ["-map", "0:a:0", ...picture, "-map_metadata", "-1", ...texts];
}

/** Appends an ID3 chunk, since RIFF's own tags have no album artist, disc or cover. */
function appendId3Chunk(wav: Uint8Array, tags: Tags): Uint8Array {
  const tag = encodeId3(tags);
  const parts = [Buffer.from("id3 "), u32le(tag.length), tag, new Uint8Array(tag.length & 1)];
  const whole = Buffer.concat([wav, new Uint8Array(wav.length & 1), ...parts]);
  whole.set(u32le(whole.length - 8), 4);
  return whole;
}

/** Adds the tags that ffmpeg cannot write. */
export function addMissingTags(file: Uint8Array, target: TargetName, tags: Tags): Uint8Array {
  if (Object.keys(tags).length === 0) return file;
  if (target === "wav") return appendId3Chunk(file, tags);
  if (target === "mp3" || target === "aac") return Buffer.concat([encodeId3(tags), file]);
  if (target === "m4a" && tags.isrc) return replaceIsrcPlaceholder(file, tags.isrc);
  if (target === "ogg" && tags.cover) return replaceTags(file, tags);
  return file;
}
