/** Reads run properties (`w:rPr`) of runs and styles. */
import { child, valOf, type XmlElement } from "./xml.js";

export interface RunStyle {
  /** Font name in the document. */
  font?: string;
  /** Points. */
  size?: number;
  bold?: boolean;
  italics?: boolean;
  underline?: boolean;
  strike?: boolean;
  /** `#rrggbb`. Automatic is black. */
  color?: string;
  background?: string;
  capitals?: boolean;
  smallCapitals?: boolean;
  hidden?: boolean;
  vertical?: "sup" | "sub" | "none";
  /** Character spacing in points. */
  spacing?: number;
}

const highlights: Readonly<Record<string, string>> = {
  yellow: "#ffff00",
  green: "#00ff00",
  cyan: "#00ffff",
  magenta: "#ff00ff",
  blue: "#0000ff",
  red: "#ff0000",
  darkBlue: "#000080",
  darkCyan: "#008080",
  darkGreen: "#008000",
  darkMagenta: "#800080",
  darkRed: "#800000",
  darkYellow: "#808000",
  darkGray: "#808080",
  lightGray: "#c0c0c0",
  black: "#000000",
};

/** Returns `#rrggbb`, or undefined for automatic and invalid colours. */
export const colorOf = (value: string | undefined): string | undefined =>
  value && /^[0-9a-f]{6}$/i.test(value) ? `#${value.toLowerCase()}` : undefined;

const pointsPerUnit: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 28.346, mm: 2.8346, pc: 12 };

/** Converts a length in twentieths of a point, or with a unit as in strict OOXML, to points. */
export function pointsOf(value: string | undefined): number | undefined {
  const [, amount, unit] = /^(-?\d+(?:\.\d+)?)(pt|in|cm|mm|pc)?$/.exec(value ?? "") ?? [];
  if (amount === undefined) return undefined;
  const points = unit ? Number(amount) * (pointsPerUnit[unit] ?? 1) : Number(amount) / 20;
  return Math.abs(points) < 10_000 ? points : undefined;
}

/** Reads an on/off property: true without a value, undefined if absent. */
export function isOn(parent: XmlElement | undefined, name: string): boolean | undefined {
  const element = child(parent, name);
  if (!element) return undefined;
  return !["0", "false", "off", "none"].includes(element.attributes["w:val"] ?? "true");
}

export const shadeOf = (parent: XmlElement | undefined): string | undefined =>
  colorOf(child(parent, "w:shd")?.attributes["w:fill"]);

/** Reads a size in half-points, limited to what fits on a page. */
function sizeOf(properties: XmlElement): number | undefined {
  const value = valOf(properties, "w:sz");
  const size = value?.endsWith("pt") ? Number(value.slice(0, -2)) : Number(value) / 2;
  return size > 0 ? Math.min(Math.max(size, 1), 200) : undefined;
}

function fontOf(properties: XmlElement, themeFonts: ThemeFonts): string | undefined {
  const attributes = child(properties, "w:rFonts")?.attributes;
  const theme = attributes?.["w:asciiTheme"] ?? attributes?.["w:hAnsiTheme"];
  if (theme) return theme.startsWith("major") ? themeFonts.major : themeFonts.minor;
  return attributes?.["w:ascii"] ?? attributes?.["w:hAnsi"] ?? attributes?.["w:cs"];
}

export interface ThemeFonts {
  major: string | undefined;
  minor: string | undefined;
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));

/** Removes undefined entries, so that spreading one style over another inherits. */
export function compact<T extends object>(entries: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T;
}

export function readRunStyle(properties: XmlElement | undefined, themeFonts: ThemeFonts): RunStyle {
  if (!properties) return {};
  const vertical = valOf(properties, "w:vertAlign");
  const color = valOf(properties, "w:color");
  const underline = valOf(properties, "w:u");
  return compact<RunStyle>({
    font: fontOf(properties, themeFonts),
    size: sizeOf(properties),
    bold: isOn(properties, "w:b"),
    italics: isOn(properties, "w:i"),
    underline: underline === undefined ? undefined : underline !== "none",
    strike: isOn(properties, "w:strike") ?? isOn(properties, "w:dstrike"),
    color: color === "auto" ? "#000000" : colorOf(color),
    background: highlights[valOf(properties, "w:highlight") ?? ""] ?? shadeOf(properties),
    capitals: isOn(properties, "w:caps"),
    smallCapitals: isOn(properties, "w:smallCaps"),
    hidden: isOn(properties, "w:vanish"),
    vertical:
      vertical === undefined
        ? undefined
        : (({ superscript: "sup", subscript: "sub" } as const)[vertical] ?? "none"),
    spacing: pointsOf(valOf(properties, "w:spacing")),
  });
}
