/** Tags: their names in each container, and conversion from and to mediabunny's metadata. */
import type { MetadataTags } from "mediabunny";
import type { CoverArt, Tags } from "./audio-types.js";
import { isrcPlaceholder } from "./mp4-isrc.js";
import { readRawTags } from "./raw-tags.js";

export type TextTag = Exclude<keyof Tags, "cover">;

/** RIFF has no names for some tags and gives ISRC another meaning. */
export const tagNames: Readonly<Record<TextTag, { id3: string; vorbis: string; riff?: string }>> = {
  title: { id3: "TIT2", vorbis: "TITLE", riff: "INAM" },
  artist: { id3: "TPE1", vorbis: "ARTIST", riff: "IART" },
  album: { id3: "TALB", vorbis: "ALBUM", riff: "IPRD" },
  albumArtist: { id3: "TPE2", vorbis: "ALBUMARTIST" },
  date: { id3: "TDRC", vorbis: "DATE", riff: "ICRD" },
  track: { id3: "TRCK", vorbis: "TRACKNUMBER", riff: "ITRK" },
  disc: { id3: "TPOS", vorbis: "DISCNUMBER" },
  genre: { id3: "TCON", vorbis: "GENRE", riff: "IGNR" },
  comment: { id3: "COMM", vorbis: "COMMENT", riff: "ICMT" },
  composer: { id3: "TCOM", vorbis: "COMPOSER", riff: "IMUS" },
  copyright: { id3: "TCOP", vorbis: "COPYRIGHT", riff: "ICOP" },
  lyrics: { id3: "USLT", vorbis: "LYRICS" },
  isrc: { id3: "TSRC", vorbis: "ISRC" },
};

export const textTags = Object.keys(tagNames) as TextTag[];

/** Longer texts are cut, since they are likely an attack on readers of tags. */
const maxTextLength = 10_000;
/** FLAC limits a metadata block to 16 MB. */
const maxCoverBytes = 10e6;

/** Decodes UTF-8 that was read as Latin-1, as RIFF prescribes but most programs do not write. */
function fixMisreadUtf8(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (c) => c.charCodeAt(0)));
  } catch {
    return text;
  }
}

const cleanText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : fixMisreadUtf8(text).replaceAll("\0", "").trim().slice(0, maxTextLength);

/** Drops January 1st, which stands for a date with only a year. */
const formatDate = (date: { toISOString(): string } | undefined): string | undefined =>
  date
    ?.toISOString()
    .slice(0, 10)
    .replace(/-01-01$/, "");

const formatOfTotal = (number: number | undefined, total: number | undefined): string | undefined =>
  number ? (total ? `${number}/${total}` : `${number}`) : undefined;

function pickCover(images: MetadataTags["images"]): CoverArt | undefined {
  const fits = images?.filter(({ data }) => data.length > 0 && data.length <= maxCoverBytes) ?? [];
  const image = fits.find(({ kind }) => kind === "coverFront") ?? fits[0];
  // The bytes decide, because some files declare no type or a wrong one.
  const [a, b] = image?.data ?? [];
  if (image && a === 0xff && b === 0xd8) return { type: "image/jpeg", bytes: image.data };
  if (image && a === 0x89 && b === 0x50) return { type: "image/png", bytes: image.data };
  return undefined;
}

export function toTags(found: MetadataTags): Tags {
  const raw = readRawTags(found);
  const all: { [K in keyof Tags]: Tags[K] | undefined } = {
    title: cleanText(found.title),
    artist: cleanText(found.artist),
    album: cleanText(found.album),
    albumArtist: cleanText(found.albumArtist),
    date: raw.date ?? formatDate(found.date),
    track: formatOfTotal(found.trackNumber, found.tracksTotal),
    disc: formatOfTotal(found.discNumber, found.discsTotal),
    genre: cleanText(found.genre),
    comment: cleanText(found.comment ?? raw.comment ?? found.description),
    composer: cleanText(raw.composer),
    copyright: cleanText(raw.copyright),
    lyrics: cleanText(found.lyrics ?? raw.lyrics),
    isrc: cleanText(raw.isrc),
    cover: pickCover(found.images),
  };
  return withoutEmpty(all) as Tags;
}

function parseOfTotal(text: string | undefined): [number | undefined, number | undefined] {
  const [number, total] = (text ?? "").split("/").map(Number);
  return [number || undefined, total || undefined];
}

const withoutEmpty = (all: object): object =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value));

/** Converts tags to mediabunny's metadata, for writing MP4. */
export function toMetadata(tags: Tags): MetadataTags {
  const { title, artist, album, albumArtist, genre, comment, lyrics, cover } = tags;
  const [trackNumber, tracksTotal] = parseOfTotal(tags.track);
  const [discNumber, discsTotal] = parseOfTotal(tags.disc);
  const images = cover && [{ data: cover.bytes, mimeType: cover.type, kind: "coverFront" as const }];
  // Raw MP4 names, since mediabunny does not support these tags and would expand a year to a full date.
  const raw = {
    "©day": tags.date,
    "©wrt": tags.composer,
    cprt: tags.copyright,
    "©grp": tags.isrc && isrcPlaceholder(tags.isrc),
  };
  const all = {
    title,
    artist,
    album,
    albumArtist,
    genre,
    comment,
    lyrics,
    trackNumber,
    tracksTotal,
    discNumber,
    discsTotal,
  };
  return {
    ...(withoutEmpty(all) as MetadataTags),
    raw: withoutEmpty(raw) as Record<string, string>,
    ...(images ? { images } : {}),
  };
}
