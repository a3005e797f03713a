/** Tags where ffmpeg is at work: what it writes itself, and what has to be added to its output. */
import { id3 } from "./id3.js";
import { groupingFor, groupingToIsrc } from "./mp4-isrc.js";
import { withTags } from "./ogg.js";
import { ascii, concat, u32le } from "./sink.js";
import type { Cover, Tags } from "./sound.js";
import { type TextTag, textTags } from "./tags.js";
import type { TargetName } from "./targets.js";

/** Containers into which ffmpeg copies a picture. */
const takesCover: readonly TargetName[] = ["flac", "m4a"];

const coverDemuxers: Record<Cover["type"], string> = { "image/jpeg": "jpeg_pipe", "image/png": "png_pipe" };

const tagName = (tag: TextTag): string => (tag === "albumArtist" ? "album_artist" : tag);

/** The picture that ffmpeg is to copy. */
export const coverFor = ({ cover }: Tags, target: TargetName): Cover | null =>
  cover && takesCover.includes(target) ? cover : null;

/** The second input. */
export const coverInput = ({ type }: Cover, from: string): string[] => [
  ...["-protocol_whitelist", "file", "-f", coverDemuxers[type], "-i", from],
];

/** Without its kind, it would be any picture. */
const pictureArguments = [
  ...["-map", "1:v:0", "-c:v", "copy", "-disposition:v:0", "attached_pic"],
  ...["-metadata:s:v:0", "comment=Cover (front)"],
];

/** The first audio track alone, with the tags that were read here: those of an Ogg track would be lost. */
export function tagArguments(tags: Tags, target: TargetName, cover: Cover | null): string[] {
  const texts = textTags.flatMap((tag) =>
    tags[tag] === undefined ? [] : ["-metadata", `${tagName(tag)}=${tags[tag]}`],
  );
  if (tags.isrc && target === "m4a") texts.push("-metadata", `grouping=${groupingFor(tags.isrc)}`);
  const picture = cover ? pictureArguments : [];
  return ["-map", "0:a:0", ...picture, "-map_metadata", "-1", ...texts];
}

/** At its end: players read RIFF's own tags, which know no album artist, disc or cover, and these. */
function withId3(wav: Uint8Array, tags: Tags): Uint8Array {
  const tag = id3(tags);
  const parts = [ascii("id3 "), u32le(tag.length), tag, new Uint8Array(tag.length & 1)];
  const whole = concat([wav, new Uint8Array(wav.length & 1), ...parts]);
  whole.set(u32le(whole.length - 8), 4);
  return whole;
}

/** What ffmpeg has no way to write. */
export function finish(made: Uint8Array, target: TargetName, tags: Tags): Uint8Array {
  if (Object.keys(tags).length === 0) return made;
  if (target === "wav") return withId3(made, tags);
  if (target === "mp3" || target === "aac") return concat([id3(tags), made]);
  if (target === "m4a" && tags.isrc) return groupingToIsrc(made, tags.isrc);
  if (target === "ogg" && tags.cover) return withTags(made, tags);
  return made;
}
