/** Recognises list markers: bullets, and numbers or letters with a dot or a bracket. */
import type { Marker } from "./page-model.js";

const bullet = /^([•◦▪▫■□●○‣⁃∙·➢➤✓✔❖*–—-])(?:\s+|$)/u;
const numbered = /^(\(?)(\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})([.)])(?:\s+|$)/;

/**
 * Parses the marker at the start of a text and returns it with its length. A letter that may be a Roman numeral is read
 * as whichever follows `after`.
 */
export function parseMarker(
  text: string,
  after: Marker | null = null,
): { marker: Marker; length: number } | null {
  const [bulletText, symbol] = bullet.exec(text) ?? [];
  if (bulletText && symbol)
    return { marker: { kind: "bullet", pattern: symbol, value: 0 }, length: bulletText.length };
  const match = numbered.exec(text);
  if (!match) return null;
  const [all, open = "", label = "", close = ""] = match;
  if (open === "(" && close !== ")") return null;
  const pattern = `${open}%1${close}`;
  const readings = possibleValues(label).map((reading) => ({ ...reading, pattern }));
  const marker = readings.find((reading) => after && isNextMarker(after, reading)) ?? readings[0];
  return marker ? { marker, length: all.length } : null;
}

export const isNextMarker = (before: Marker, marker: Marker): boolean =>
  isSameKind(before, marker) && (marker.kind === "bullet" || marker.value === before.value + 1);

export const isSameKind = (a: Marker, b: Marker): boolean => a.kind === b.kind && a.pattern === b.pattern;

/** Returns the likelier reading first: lists of letters start with a, Roman ones with i. */
function possibleValues(label: string): Pick<Marker, "kind" | "value">[] {
  if (/^\d/.test(label)) return [{ kind: "decimal", value: Number(label) }];
  const isLower = label === label.toLowerCase();
  const roman = parseRoman(label.toLowerCase());
  const romans = roman ? [{ kind: isLower ? "lowerRoman" : "upperRoman", value: roman } as const] : [];
  if (label.length > 1) return romans;
  const letter = {
    kind: isLower ? "lowerLetter" : "upperLetter",
    value: label.toLowerCase().charCodeAt(0) - 96,
  } as const;
  return /i/i.test(label) ? [...romans, letter] : [letter, ...romans];
}

const numerals = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];

function parseRoman(label: string): number | null {
  const tens = /^x*/.exec(label)?.[0].length ?? 0;
  const ones = numerals.indexOf(label.slice(tens));
  return ones < 0 || tens > 3 || label === "" ? null : tens * 10 + ones;
}
