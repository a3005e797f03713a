/** The look of a font, from what the PDF says of it: mostly its name. */

import type { Face } from "./model.js";
import type { PdfPage } from "./open.js";

interface FontData {
  name?: string;
  bold?: boolean;
  black?: boolean;
  italic?: boolean;
  isMonospace?: boolean;
  isSerifFont?: boolean;
}

/** Of the fourteen fonts that every reader has, and of what TeX calls its own; word processors have these instead. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^(arial|helvetica|nimbussan|liberationsans)/i, "Arial"],
  [/^(times|nimbusrom|liberationserif|cmr|cmbx|cmti|cmsl|sfrm|sfbx|sfti|lmroman)/i, "Times New Roman"],
  [/^(courier|nimbusmon|liberationmono|cmtt|sftt|lmmono)/i, "Courier New"],
];

const weights: readonly (readonly [RegExp, number])[] = [
  [/black|heavy|extrabold|ultrabold/i, 900],
  [/semi-?bold|demi/i, 600],
  [/bold|cmbx|sfbx|[-,]b(i|$)/i, 700],
  [/medium/i, 500],
  [/thin|light/i, 300],
];

/** `ABCDEF+Family-Style`, as embedded subsets are named. */
const subset = /^[A-Z]{6}\+/;
const style =
  /[-,](regular|roman|book|bold|semi|demi|extra|ultra|black|heavy|medium|thin|light|italic|oblique|it|obl|mt|ps)+$/i;

export function facesOf(page: PdfPage): (name: string, generic: string) => Face {
  const known = new Map<string, Face>();
  return (name, generic) => {
    let face = known.get(name);
    if (!face) {
      const font: FontData = page.commonObjs.has(name) ? (page.commonObjs.get(name) as FontData) : {};
      face = faceOf(font, generic);
      known.set(name, face);
    }
    return face;
  };
}

export function faceOf(font: FontData, generic: string): Face {
  const name = (font.name ?? "").replace(subset, "");
  const weight = weights.find(([pattern]) => pattern.test(name))?.[1] ?? 400;
  return {
    family: familyOf(name, font, generic),
    weight: font.black ? 900 : font.bold ? Math.max(700, weight) : weight,
    italic: font.italic === true || /italic|oblique|cmti|sfti|[-,](bi|i|it|obl)$/i.test(name),
  };
}

function familyOf(name: string, font: FontData, generic: string): string {
  const known = families.find(([pattern]) => pattern.test(name))?.[1];
  if (known) return known;
  const bare = name.replace(style, "").replace(/(PS)?(MT)?$/, "");
  // Names made up by whoever embedded the font say nothing.
  if (/^[A-Za-z][A-Za-z -]{2,}$/.test(bare) && !/^(g_|font|unnamed|type3)/i.test(bare))
    return bare.replace(/([a-z])([A-Z])/g, "$1 $2").trim();
  if (font.isMonospace || generic === "monospace") return "Courier New";
  return font.isSerifFont || generic === "serif" ? "Times New Roman" : "Arial";
}
