/** Tags: conversion from and to mediabunny's metadata, and what mediabunny leaves out of MP4. */
import type { MetadataTags } from "mediabunny";

/**
 * Clears the creation times in the three headers that have them, so that the output is reproducible, and renames the disc
 * number from mediabunny's `disc` to `disk`, the name that players read.
 */
export function patchMp4(mp4: Uint8Array): Uint8Array {
  const bytes = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.length);
  for (const box of ["mvhd", "tkhd", "mdhd"]) {
    const at = bytes.indexOf(box, 0, "latin1");
    // A version 0 header has one byte of version, three of flags, then four bytes each of creation and modification time.
    if (at > 0 && bytes[at + 4] === 0) bytes.fill(0, at + 8, at + 16);
  }
  const disc = bytes.indexOf("disc\0\0\0\x18data", 0, "latin1");
  if (disc > 0) bytes.write("disk", disc, "latin1");
  return mp4;
}

interface CoverArt {
  type: "image/jpeg" | "image/png";
  bytes: Uint8Array;
}

/** Trimmed, non-empty texts. `date` is YYYY, YYYY-MM or YYYY-MM-DD; `track` and `disc` are "3" or "3/12". */
export interface Tags {
  title?: string;
  artist?: string;
  album?: string;
  albumArtist?: string;
  date?: string;
  track?: string;
  disc?: string;
  genre?: string;
  comment?: string;
  composer?: string;
  copyright?: string;
  lyrics?: string;
  isrc?: string;
  cover?: CoverArt;
}

/** Longer texts are cut, since they are likely an attack on readers of tags. */
const maxTextLength = 10_000;
/** FLAC limits a metadata block to 16 MB. */
const maxCoverBytes = 10e6;

/** Decodes UTF-8 that was read as Latin-1, as RIFF prescribes but most programs do not write. */
function fixMisreadUtf8(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

const cleanText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : fixMisreadUtf8(text).replaceAll("\0", "").trim().slice(0, maxTextLength);

/** Returns texts by upper-case raw name, including user-defined ID3 frames. The first of several texts of a name wins. */
function rawTextsByName({ raw = {} }: MetadataTags): Map<string, string> {
  const { TXXX: userDefined, ...others } = raw;
  const texts = new Map<string, string>();
  for (const [name, value] of [...Object.entries(others), ...Object.entries(userDefined ?? {})]) {
    const text = Array.isArray(value) ? value.join(", ") : value;
    const key = name.toUpperCase();
    if (typeof text === "string" && text !== "" && !texts.has(key)) texts.set(key, text);
  }
  return texts;
}

/** Returns YYYY, YYYY-MM or YYYY-MM-DD, as precise as the tag. ID3v2.3 stores day and month in a frame of their own. */
function readDate(texts: Map<string, string>): string | undefined {
  const [, day, month] = /^(\d\d)(\d\d)$/.exec(texts.get("TDAT") ?? "") ?? [];
  for (const name of ["TDRC", "DATE", "ICRD", "©DAY", "TYER", "TYE", "YEAR"]) {
    const [date] = /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(texts.get(name)?.trim() ?? "") ?? [];
    if (date) return date.length === 4 && name === "TYER" && day ? `${date}-${month}-${day}` : date;
  }
  return undefined;
}

/** Drops January 1st, which stands for a date with only a year. */
const formatDate = (date: MetadataTags["date"]): string | undefined =>
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

const withoutEmpty = (all: object): object =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value));

/** Reads the tags. mediabunny maps only some of them and expands partial dates, so that others are read by their raw names. */
export function toTags(found: MetadataTags): Tags {
  const texts = rawTextsByName(found);
  const rawText = (...names: string[]): string | undefined =>
    names.map((name) => texts.get(name)).find((text) => text !== undefined);
  const all: { [K in keyof Tags]: Tags[K] | undefined } = {
    title: cleanText(found.title),
    artist: cleanText(found.artist),
    album: cleanText(found.album),
    albumArtist: cleanText(found.albumArtist),
    date: readDate(texts) ?? formatDate(found.date),
    track: formatOfTotal(found.trackNumber, found.tracksTotal),
    disc: formatOfTotal(found.discNumber, found.discsTotal),
    genre: cleanText(found.genre),
    comment: cleanText(found.comment ?? rawText("COMMENT") ?? found.description),
    composer: cleanText(rawText("TCOM", "TCM", "COMPOSER", "IMUS", "©WRT")),
    copyright: cleanText(rawText("TCOP", "TCR", "COPYRIGHT", "ICOP", "CPRT")),
    lyrics: cleanText(found.lyrics ?? rawText("LYRICS", "UNSYNCEDLYRICS", "USLT", "©LYR")),
    isrc: cleanText(rawText("TSRC", "TRC", "ISRC")),
    cover: pickCover(found.images),
  };
  return withoutEmpty(all) as Tags;
}

/** Names of the tags that mediabunny does not map, by the format of the tags. */
const rawNames = {
  id3: { date: "TDRC", composer: "TCOM", copyright: "TCOP", isrc: "TSRC" },
  vorbis: { date: "DATE", composer: "COMPOSER", copyright: "COPYRIGHT", isrc: "ISRC" },
  // mediabunny writes names of four letters, and the ISRC has none.
  mp4: { date: "©day", composer: "©wrt", copyright: "cprt", isrc: null },
  // In RIFF, ISRC is the source of the recording.
  info: { date: "ICRD", composer: "IMUS", copyright: "ICOP", isrc: null },
} as const;
type TagFormat = keyof typeof rawNames;

function parseOfTotal(text: string | undefined): [number | undefined, number | undefined] {
  const [number, total] = (text ?? "").split("/").map(Number);
  return [number || undefined, total || undefined];
}

/** Returns the texts such that mediabunny, which writes RIFF in Latin-1 alone, writes them in UTF-8, as other programs do. */
const asLatin1 = (tags: Tags): Tags =>
  Object.fromEntries(
    Object.entries(tags)
      .filter(([, text]) => typeof text === "string")
      .map(([name, text]) => [name, Buffer.from(text).toString("latin1")]),
  );

/** Converts tags to mediabunny's metadata, for writing. */
export function toMetadata(read: Tags, format: TagFormat): MetadataTags {
  const tags = format === "info" ? asLatin1(read) : read;
  const { title, artist, album, albumArtist, genre, comment, lyrics, cover } = tags;
  const [trackNumber, tracksTotal] = parseOfTotal(tags.track);
  const [discNumber, discsTotal] = parseOfTotal(tags.disc);
  const names = rawNames[format];
  const raw = withoutEmpty({
    [names.date]: tags.date,
    [names.composer]: tags.composer,
    [names.copyright]: tags.copyright,
    ...(names.isrc && { [names.isrc]: tags.isrc }),
  });
  return withoutEmpty({
    ...{ title, artist, album, albumArtist, genre, comment, lyrics },
    ...{ trackNumber, tracksTotal, discNumber, discsTotal },
    raw: Object.keys(raw).length > 0 && raw,
    images: cover && [{ data: cover.bytes, mimeType: cover.type, kind: "coverFront" }],
  });
}
