/** Tags: the kept part of mediabunny's metadata, and the names under which it is written where mediabunny has none. */
import type { AttachedImage, MetadataTags } from "mediabunny";

/** Tags as trimmed, non-empty texts. `date` is YYYY, YYYY-MM or YYYY-MM-DD. */
export interface Tags extends Omit<MetadataTags, "raw" | "date"> {
  date?: string;
  composer?: string;
  copyright?: string;
  isrc?: string;
}

/** Maximum number of characters of a text. Longer texts are probably an attack on readers of tags, and are cut. */
const maxTextLength = 10_000;
/** Maximum size in bytes of a cover. FLAC limits a metadata block to 16 MB. */
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

const cleanText = (text: string): string =>
  fixMisreadUtf8(text).replaceAll("\0", "").trim().slice(0, maxTextLength);

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

/** Returns the front cover, or else the first picture. */
function pickCover(images: AttachedImage[] = []): AttachedImage[] | undefined {
  const fits = images.filter(({ data }) => data.length > 0 && data.length <= maxCoverBytes);
  const { data } = fits.find(({ kind }) => kind === "coverFront") ?? fits[0] ?? {};
  // The bytes decide, because some files declare no type or a wrong type.
  const [a, b] = data ?? [];
  const mimeType = a === 0xff && b === 0xd8 ? "image/jpeg" : a === 0x89 && b === 0x50 ? "image/png" : null;
  return data && mimeType ? [{ data, mimeType, kind: "coverFront" }] : undefined;
}

const withoutEmpty = <Value>(all: Readonly<Record<string, Value>>): Record<string, NonNullable<Value>> =>
  Object.fromEntries(Object.entries(all).flatMap(([tag, value]) => (value ? [[tag, value]] : [])));

/**
 * Reads the tags. mediabunny maps only some of them and expands partial dates, so the others are read by their raw
 * names.
 */
export function toTags(found: MetadataTags): Tags {
  const texts = rawTextsByName(found);
  const rawText = (...names: string[]): string | undefined =>
    names.map((name) => texts.get(name)).find((text) => text !== undefined);
  const { title, artist, album, albumArtist, genre } = found;
  const { trackNumber, tracksTotal, discNumber, discsTotal } = found;
  const all = {
    ...{ title, artist, album, albumArtist, genre },
    comment: found.comment ?? rawText("COMMENT") ?? found.description,
    lyrics: found.lyrics ?? rawText("LYRICS", "UNSYNCEDLYRICS", "USLT", "©LYR"),
    date: readDate(texts) ?? formatDate(found.date),
    composer: rawText("TCOM", "TCM", "COMPOSER", "IMUS", "©WRT"),
    copyright: rawText("TCOP", "TCR", "COPYRIGHT", "ICOP", "CPRT"),
    isrc: rawText("TSRC", "TRC", "ISRC"),
    ...{ trackNumber, tracksTotal, discNumber, discsTotal },
    images: pickCover(found.images),
  };
  const cleaned = Object.entries(all).map(([tag, value]) => [
    tag,
    typeof value === "string" ? cleanText(value) : value,
  ]);
  return withoutEmpty<unknown>(Object.fromEntries(cleaned)) as Tags;
}

/** Names of the tags that mediabunny does not map, by the format of the tags. */
const rawNames = {
  id3: { date: "TDRC", composer: "TCOM", copyright: "TCOP", isrc: "TSRC" },
  vorbis: { date: "DATE", composer: "COMPOSER", copyright: "COPYRIGHT", isrc: "ISRC" },
  // mediabunny writes names of four letters, and the ISRC has none.
  mp4: { date: "©day", composer: "©wrt", copyright: "cprt", isrc: null },
} as const;

/** Converts tags to mediabunny's metadata, for writing. */
export function toMetadata(tags: Tags, format: keyof typeof rawNames): MetadataTags {
  const { date, composer, copyright, isrc, ...mapped } = tags;
  const names = rawNames[format];
  const raw = withoutEmpty({
    [names.date]: date,
    [names.composer]: composer,
    [names.copyright]: copyright,
    ...(names.isrc && { [names.isrc]: isrc }),
  });
  return Object.keys(raw).length > 0 ? { ...mapped, raw } : mapped;
}
