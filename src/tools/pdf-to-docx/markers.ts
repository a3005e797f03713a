/** What begins a list's item: a bullet, or a number or letter with its dot or bracket. */
import type { Marker } from "./model.js";

const bullet = /^([•◦▪▫■□●○‣⁃∙·➢➤✓✔❖*–—-])(?:\s+|$)/u;
const numbered = /^(\(?)(\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})([.)])(?:\s+|$)/;

/** The marker at the text's beginning, and how much of the text it takes. Letters that are Roman digits too are read as `after` goes on. */
export function markerOf(
  text: string,
  after: Marker | null = null,
): { marker: Marker; length: number } | null {
  const point = bullet.exec(text);
  if (point)
    return { marker: { kind: "bullet", pattern: point[1] as string, value: 0 }, length: point[0].length };
  const found = numbered.exec(text);
  if (!found) return null;
  const [all, open = "", label = "", close = ""] = found;
  if (open === "(" && close !== ")") return null;
  const pattern = `${open}%1${close}`;
  const readings = readingsOf(label).map((reading) => ({ ...reading, pattern }));
  const marker = readings.find((reading) => after && follows(after, reading)) ?? readings[0];
  return marker ? { marker, length: all.length } : null;
}

export const follows = (before: Marker, marker: Marker): boolean =>
  isAlike(before, marker) && (marker.kind === "bullet" || marker.value === before.value + 1);

export const isAlike = (a: Marker, b: Marker): boolean => a.kind === b.kind && a.pattern === b.pattern;

/** The likelier reading first: lists of letters start with a, Roman ones with i. */
function readingsOf(label: string): Pick<Marker, "kind" | "value">[] {
  if (/^\d/.test(label)) return [{ kind: "decimal", value: Number(label) }];
  const isLower = label === label.toLowerCase();
  const roman = romanValue(label.toLowerCase());
  const romans = roman ? [{ kind: isLower ? "lowerRoman" : "upperRoman", value: roman } as const] : [];
  if (label.length > 1) return romans;
  const letter = {
    kind: isLower ? "lowerLetter" : "upperLetter",
    value: label.toLowerCase().charCodeAt(0) - 96,
  } as const;
  return /i/i.test(label) ? [...romans, letter] : [letter, ...romans];
}

const numerals = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];

function romanValue(label: string): number | null {
  const tens = /^x*/.exec(label)?.[0].length ?? 0;
  const ones = numerals.indexOf(label.slice(tens));
  return ones < 0 || tens > 3 || label === "" ? null : tens * 10 + ones;
}
