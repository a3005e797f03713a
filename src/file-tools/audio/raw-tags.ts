/** Reads tags by their raw names, since mediabunny maps only some of them and expands partial dates. */
import type { MetadataTags } from "mediabunny";

/** Returns texts by upper-case name, including user-defined ID3 frames. The first of several texts of a name wins. */
function rawTextsByName({ raw = {} }: MetadataTags): Map<string, string> {
  const texts = new Map<string, string>();
  const put = (name: string, value: unknown): void => {
    const text = Array.isArray(value) ? value.join(", ") : value;
    const key = name.toUpperCase();
    if (typeof text === "string" && text !== "" && !texts.has(key)) texts.set(key, text);
  };
  for (const [name, value] of Object.entries(raw)) if (name !== "TXXX") put(name, value);
  for (const [name, value] of Object.entries(raw.TXXX ?? {})) put(name, value);
  return texts;
}

/** Names in newer and older ID3, Vorbis, RIFF and MP4. */
const tagAliases = {
  composer: ["TCOM", "TCM", "COMPOSER", "IMUS", "©WRT"],
  copyright: ["TCOP", "TCR", "COPYRIGHT", "ICOP", "CPRT"],
  lyrics: ["LYRICS", "UNSYNCEDLYRICS", "USLT", "©LYR"],
  isrc: ["TSRC", "TRC", "ISRC"],
  comment: ["COMMENT"],
  date: ["TDRC", "DATE", "ICRD", "©DAY", "TYER", "TYE", "YEAR"],
} as const;

export type RawTag = keyof typeof tagAliases;

export function readRawTags(found: MetadataTags): Partial<Record<RawTag, string>> {
  const texts = rawTextsByName(found);
  const pairs = Object.entries(tagAliases).map(([tag, all]) => [
    tag,
    all.map((name) => texts.get(name)).find((text) => text !== undefined),
  ]);
  return { ...Object.fromEntries(pairs), date: readDate(texts) };
}

/** Returns YYYY, YYYY-MM or YYYY-MM-DD, as precise as the tag. ID3v2.3 stores day and month in a frame of their own. */
function readDate(texts: Map<string, string>): string | undefined {
  const [, day, month] = /^(\d\d)(\d\d)$/.exec(texts.get("TDAT") ?? "") ?? [];
  for (const name of tagAliases.date) {
    const [date] = /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(texts.get(name)?.trim() ?? "") ?? [];
    if (date) return date.length === 4 && name === "TYER" && day ? `${date}-${month}-${day}` : date;
  }
  return undefined;
}
