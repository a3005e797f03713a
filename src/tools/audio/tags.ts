/** What a file says of itself, and how each container names it. */
import type { MetadataTags } from "mediabunny";
import { groupingFor } from "./mp4-isrc.js";
import { rawTexts } from "./raw-tags.js";
import type { Cover, Tags } from "./sound.js";

export type TextTag = Exclude<keyof Tags, "cover">;

/** RIFF has no name for some, and uses ISRC for another thing. */
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

/** Longer ones are no tags but an attack on who reads them. */
const longestText = 10_000;
/** A FLAC block holds 16 MB. */
const largestCover = 10e6;

/** RIFF texts come as Latin-1; most programs write UTF-8. */
function reread(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (c) => c.charCodeAt(0)));
  } catch {
    return text;
  }
}

const tidy = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : reread(text).replaceAll("\0", "").trim().slice(0, longestText);

/** A date of which only the year was given comes as its first of January. */
const sayDate = (date: { toISOString(): string } | undefined): string | undefined =>
  date
    ?.toISOString()
    .slice(0, 10)
    .replace(/-01-01$/, "");

const ofTotal = (number: number | undefined, total: number | undefined): string | undefined =>
  number ? (total ? `${number}/${total}` : `${number}`) : undefined;

function toCover(images: MetadataTags["images"]): Cover | undefined {
  const fits = images?.filter(({ data }) => data.length > 0 && data.length <= largestCover) ?? [];
  const image = fits.find(({ kind }) => kind === "coverFront") ?? fits[0];
  // Some files give no type or a wrong one: the bytes decide.
  const [a, b] = image?.data ?? [];
  if (image && a === 0xff && b === 0xd8) return { type: "image/jpeg", bytes: image.data };
  if (image && a === 0x89 && b === 0x50) return { type: "image/png", bytes: image.data };
  return undefined;
}

export function toTags(found: MetadataTags): Tags {
  const raw = rawTexts(found);
  const all: { [K in keyof Tags]: Tags[K] | undefined } = {
    title: tidy(found.title),
    artist: tidy(found.artist),
    album: tidy(found.album),
    albumArtist: tidy(found.albumArtist),
    date: raw.date ?? sayDate(found.date),
    track: ofTotal(found.trackNumber, found.tracksTotal),
    disc: ofTotal(found.discNumber, found.discsTotal),
    genre: tidy(found.genre),
    comment: tidy(found.comment ?? raw.comment ?? found.description),
    composer: tidy(raw.composer),
    copyright: tidy(raw.copyright),
    lyrics: tidy(found.lyrics ?? raw.lyrics),
    isrc: tidy(raw.isrc),
    cover: toCover(found.images),
  };
  return given(all) as Tags;
}

function numbers(text: string | undefined): [number | undefined, number | undefined] {
  const [number, total] = (text ?? "").split("/").map(Number);
  return [number || undefined, total || undefined];
}

const given = (all: object): object => Object.fromEntries(Object.entries(all).filter(([, value]) => value));

/** As the library that writes MP4 wants them. */
export function toMetadata(tags: Tags): MetadataTags {
  const { title, artist, album, albumArtist, genre, comment, lyrics, cover } = tags;
  const [trackNumber, tracksTotal] = numbers(tags.track);
  const [discNumber, discsTotal] = numbers(tags.disc);
  const images = cover && [{ data: cover.bytes, mimeType: cover.type, kind: "coverFront" as const }];
  // Under MP4's own names: the library has none for these, and would make a day of every year.
  const raw = {
    "©day": tags.date,
    "©wrt": tags.composer,
    cprt: tags.copyright,
    "©grp": tags.isrc && groupingFor(tags.isrc),
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
    ...(given(all) as MetadataTags),
    raw: given(raw) as Record<string, string>,
    ...(images ? { images } : {}),
  };
}
