/** Tags under the names that files give them: the reader knows some of them only, and takes every date for a whole one. */
import type { MetadataTags } from "mediabunny";

/** By upper-case name; where a name comes twice, the first. ID3 has frames whose name is the sender's. */
function textsOf({ raw = {} }: MetadataTags): Map<string, string> {
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

/** The newer and the older ID3, Vorbis, RIFF, MP4. */
const names = {
  composer: ["TCOM", "TCM", "COMPOSER", "IMUS", "©WRT"],
  copyright: ["TCOP", "TCR", "COPYRIGHT", "ICOP", "CPRT"],
  lyrics: ["LYRICS", "UNSYNCEDLYRICS", "USLT", "©LYR"],
  isrc: ["TSRC", "TRC", "ISRC"],
  comment: ["COMMENT"],
  date: ["TDRC", "DATE", "ICRD", "©DAY", "TYER", "TYE", "YEAR"],
} as const;

export type RawTag = keyof typeof names;

export function rawTexts(found: MetadataTags): Partial<Record<RawTag, string>> {
  const texts = textsOf(found);
  const pairs = Object.entries(names).map(([tag, all]) => [
    tag,
    all.map((name) => texts.get(name)).find((text) => text !== undefined),
  ]);
  return { ...Object.fromEntries(pairs), date: dateOf(texts) };
}

/** As exact as it was given: YYYY, YYYY-MM or YYYY-MM-DD. The older ID3 has day and month in a frame of their own. */
function dateOf(texts: Map<string, string>): string | undefined {
  const [, day, month] = /^(\d\d)(\d\d)$/.exec(texts.get("TDAT") ?? "") ?? [];
  for (const name of names.date) {
    const [date] = /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(texts.get(name)?.trim() ?? "") ?? [];
    if (date) return date.length === 4 && name === "TYER" && day ? `${date}-${month}-${day}` : date;
  }
  return undefined;
}
