/** Reads and resolves the styles of runs, paragraphs and named styles. Lengths are points. */

import type { DocxPackage } from "./docx-package.js";
import type { TabStop } from "./nodes.js";
import { child, children, findElement, isTrue, valOf, type XmlElement } from "./xml.js";

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

interface ThemeFonts {
  major: string | undefined;
  minor: string | undefined;
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));

/** Removes undefined entries, so that spreading one style over another inherits. */
function compact<T extends object>(entries: { [K in keyof T]: T[K] | undefined }): T {
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

export interface ParagraphStyle {
  alignment?: "left" | "right" | "center" | "justify";
  before?: number;
  after?: number;
  /** Line height as a factor of the font's own, or in points. */
  line?: { times: number } | { points: number };
  left?: number;
  right?: number;
  firstLine?: number;
  tabs?: TabStop[];
  rightToLeft?: boolean;
  /** Whether there is no space between paragraphs of the same style. */
  isContextual?: boolean;
  startsPage?: boolean;
  keepsWithNext?: boolean;
  /** List and level. List "0" removes the numbering of a style. */
  list?: string;
  level?: number;
  /** Outline level of a heading, from 0. */
  outline?: number;
  shade?: string;
}

/** Alignment by `w:jc`, mirrored in right-to-left paragraphs. */
const alignments: Readonly<Record<string, ParagraphStyle["alignment"]>> = {
  left: "left",
  start: "left",
  right: "right",
  end: "right",
  center: "center",
  both: "justify",
  distribute: "justify",
};

const mirrored: Readonly<Record<string, ParagraphStyle["alignment"]>> = { left: "right", right: "left" };

function alignmentOf(properties: XmlElement): ParagraphStyle["alignment"] {
  const alignment = alignments[valOf(properties, "w:jc") ?? ""];
  const isMirrored = isOn(properties, "w:bidi") && alignment !== undefined;
  return isMirrored ? (mirrored[alignment] ?? alignment) : alignment;
}

function lineOf(attributes: Readonly<Record<string, string>> | undefined): ParagraphStyle["line"] {
  const line = pointsOf(attributes?.["w:line"]);
  if (line === undefined || line <= 0) return undefined;
  const rule = attributes?.["w:lineRule"];
  if (rule === "exact") return { points: line };
  // A minimum of up to 14 points is less than most fonts need, so their own height applies.
  if (rule === "atLeast") return line > 14 ? { points: line } : { times: 1 };
  return { times: line / 12 };
}

function firstLineOf(attributes: Readonly<Record<string, string>> | undefined): number | undefined {
  const hanging = pointsOf(attributes?.["w:hanging"]);
  return hanging === undefined ? pointsOf(attributes?.["w:firstLine"]) : -hanging;
}

const leaders: Readonly<Record<string, string>> = { dot: ".", middleDot: "·", hyphen: "-", underscore: "_" };

function tabsOf(properties: XmlElement): TabStop[] | undefined {
  const tabs = child(properties, "w:tabs");
  if (!tabs) return undefined;
  return children(tabs, "w:tab").flatMap(({ attributes }) => {
    const kind = attributes["w:val"] ?? "left";
    const at = pointsOf(attributes["w:pos"]);
    if (at === undefined || kind === "clear" || kind === "bar") return [];
    const isRight = ["right", "end", "decimal"].includes(kind);
    const leader = leaders[attributes["w:leader"] ?? ""] ?? "";
    return [{ at, leader, kind: isRight ? "right" : kind === "center" ? "center" : "left" } as const];
  });
}

const numberOf = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,2}$/.test(value) ? Number(value) : undefined;

/** Automatic spacing is 14 points, as in HTML. */
const spaceOf = (
  attributes: Readonly<Record<string, string>> | undefined,
  side: string,
): number | undefined =>
  ["1", "true", "on"].includes(attributes?.[`w:${side}Autospacing`] ?? "")
    ? 14
    : pointsOf(attributes?.[`w:${side}`]);

export function readParagraphStyle(properties: XmlElement | undefined): ParagraphStyle {
  if (!properties) return {};
  const indent = child(properties, "w:ind")?.attributes;
  const spacing = child(properties, "w:spacing")?.attributes;
  const numbering = child(properties, "w:numPr");
  return compact<ParagraphStyle>({
    alignment: alignmentOf(properties),
    before: spaceOf(spacing, "before"),
    after: spaceOf(spacing, "after"),
    line: lineOf(spacing),
    left: pointsOf(indent?.["w:left"] ?? indent?.["w:start"]),
    right: pointsOf(indent?.["w:right"] ?? indent?.["w:end"]),
    firstLine: firstLineOf(indent),
    tabs: tabsOf(properties),
    rightToLeft: isOn(properties, "w:bidi"),
    isContextual: isOn(properties, "w:contextualSpacing"),
    startsPage: isOn(properties, "w:pageBreakBefore"),
    keepsWithNext: isOn(properties, "w:keepNext"),
    list: valOf(numbering, "w:numId"),
    level: numberOf(valOf(numbering, "w:ilvl")),
    outline: numberOf(valOf(properties, "w:outlineLvl")),
    shade: shadeOf(properties),
  });
}

interface Style {
  run: RunStyle;
  paragraph: ParagraphStyle;
  /** The `w:style` elements of a table style, most specific first. */
  sources: readonly XmlElement[];
}

const emptyStyle: Style = { run: {}, paragraph: {}, sources: [] };
/** Limits chains of styles, which may also be circular. */
const maxStyleChain = 32;

function readThemeFonts(file: DocxPackage): ThemeFonts {
  const theme = file.readRelated("theme");
  const fontOf = (kind: string): string | undefined => {
    const [scheme] = theme ? findElement(theme, `a:${kind}Font`) : [];
    return child(scheme, "a:latin")?.attributes.typeface || undefined;
  };
  return { major: fontOf("major"), minor: fontOf("minor") };
}

export class Styles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #resolved = new Map<string, Style>();
  readonly #defaults = new Map<string, string>();
  readonly themeFonts: ThemeFonts;
  /** The document defaults. */
  readonly base: Style;

  constructor(file: DocxPackage) {
    const root = file.readRelated("styles");
    this.themeFonts = readThemeFonts(file);
    for (const style of children(root, "w:style")) {
      const id = style.attributes["w:styleId"];
      if (id === undefined) continue;
      this.#elements.set(id, style);
      if (isTrue(style.attributes["w:default"])) this.#defaults.set(style.attributes["w:type"] ?? "", id);
    }
    const defaults = child(root, "w:docDefaults");
    this.base = {
      run: readRunStyle(child(child(defaults, "w:rPrDefault"), "w:rPr"), this.themeFonts),
      paragraph: readParagraphStyle(child(child(defaults, "w:pPrDefault"), "w:pPr")),
      sources: [],
    };
  }

  /** Returns a style by id, or the default style of its kind. */
  get(kind: "paragraph" | "character" | "table", id: string | undefined): Style {
    const known = id !== undefined && this.#elements.has(id) ? id : this.#defaults.get(kind);
    if (known === undefined) return emptyStyle;
    let style = this.#resolved.get(known);
    if (!style) {
      style = this.#resolve(known);
      this.#resolved.set(known, style);
    }
    return style;
  }

  #resolve(id: string): Style {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < maxStyleChain; ) {
      const element = this.#elements.get(next);
      if (!element || chain.includes(element)) break;
      chain.push(element);
      next = valOf(element, "w:basedOn");
    }
    const run: RunStyle = {};
    const paragraph: ParagraphStyle = {};
    for (const one of chain.toReversed()) {
      Object.assign(run, readRunStyle(child(one, "w:rPr"), this.themeFonts));
      Object.assign(paragraph, readParagraphStyle(child(one, "w:pPr")), builtInHeading(one, paragraph));
    }
    return { run, paragraph, sources: chain };
  }
}

/** Returns the outline level of a built-in heading style that does not declare one. */
function builtInHeading(style: XmlElement, below: ParagraphStyle): ParagraphStyle {
  const [, level] = /^heading ([1-9])$/i.exec(valOf(style, "w:name") ?? "") ?? [];
  const own = valOf(child(style, "w:pPr"), "w:outlineLvl");
  if (own !== undefined || level === undefined) return {};
  return { outline: below.outline ?? Number(level) - 1 };
}
