/** Reads and resolves the styles of runs, paragraphs and named styles. Lengths are points. */

import type { DocxPackage } from "./docx-package.js";
import { child, children, findElement, isTrue, valOf, type XmlElement } from "./xml.js";

export interface RunStyle {
  /** Font name in the document. */
  font?: string;
  size?: number;
  bold?: boolean;
  italics?: boolean;
  underline?: boolean;
  strike?: boolean;
  /** Colour as `#rrggbb`. Automatic colours are black. */
  color?: string;
  background?: string;
  capitals?: boolean;
  hidden?: boolean;
  vertical?: "super" | "sub" | "none";
}

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
  return !["0", "false", "off", "none"].includes(element.attributes.val ?? "true");
}

export const shadeOf = (parent: XmlElement | undefined): string | undefined =>
  colorOf(child(parent, "shd")?.attributes.fill);

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));

/** Reads a size in half-points, limited to what fits on a page. */
function sizeOf(properties: XmlElement): number | undefined {
  const value = valOf(properties, "sz");
  const size = value?.endsWith("pt") ? Number(value.slice(0, -2)) : Number(value) / 2;
  return size > 0 ? clamp(size, 1, 200) : undefined;
}

interface ThemeFonts {
  major: string | undefined;
  minor: string | undefined;
}

function fontOf(properties: XmlElement, themeFonts: ThemeFonts): string | undefined {
  const attributes = child(properties, "rFonts")?.attributes;
  const theme = attributes?.asciiTheme ?? attributes?.hAnsiTheme;
  if (theme) return theme.startsWith("major") ? themeFonts.major : themeFonts.minor;
  return attributes?.ascii ?? attributes?.hAnsi ?? attributes?.cs;
}

/** Removes undefined entries, so that spreading one style over another inherits. */
function compact<T extends object>(entries: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T;
}

/** Colour of every highlight, on which any text is legible. */
const highlightColor = "#ffff00";

export function readRunStyle(properties: XmlElement | undefined, themeFonts: ThemeFonts): RunStyle {
  if (!properties) return {};
  const vertical = valOf(properties, "vertAlign");
  const color = valOf(properties, "color");
  const underline = valOf(properties, "u");
  const highlight = valOf(properties, "highlight") ?? "none";
  return compact<RunStyle>({
    font: fontOf(properties, themeFonts),
    size: sizeOf(properties),
    bold: isOn(properties, "b"),
    italics: isOn(properties, "i"),
    underline: underline === undefined ? undefined : underline !== "none",
    strike: isOn(properties, "strike") ?? isOn(properties, "dstrike"),
    color: color === "auto" ? "#000000" : colorOf(color),
    background: highlight === "none" ? shadeOf(properties) : highlightColor,
    capitals: isOn(properties, "caps"),
    hidden: isOn(properties, "vanish"),
    vertical:
      vertical === undefined
        ? undefined
        : (({ superscript: "super", subscript: "sub" } as const)[vertical] ?? "none"),
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
  /** Leader of tabs at which text ends or is centred, such as page numbers. Empty if there is none. */
  endTab?: string;
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
  borders?: XmlElement;
}

/** Returns the alignment by `jc`: at the start or the end of lines, which swap sides in right-to-left paragraphs. */
function alignmentOf(properties: XmlElement): ParagraphStyle["alignment"] {
  const value = valOf(properties, "jc") ?? "";
  const [start, end] = isOn(properties, "bidi") ? (["right", "left"] as const) : (["left", "right"] as const);
  if (value === "center") return "center";
  if (value === "both" || value === "distribute") return "justify";
  if (value === "left" || value === "start") return start;
  return value === "right" || value === "end" ? end : undefined;
}

function lineOf(spacing: XmlElement["attributes"] | undefined): ParagraphStyle["line"] {
  const line = pointsOf(spacing?.line);
  if (line === undefined || line <= 0) return undefined;
  const rule = spacing?.lineRule;
  if (rule === "exact") return { points: line };
  // A minimum of up to 14 points is less than most fonts need, so their own height applies.
  if (rule === "atLeast") return line > 14 ? { points: line } : { times: 1 };
  return { times: line / 12 };
}

const leaders: Readonly<Record<string, string>> = { dot: ".", middleDot: "·", hyphen: "-", underscore: "_" };

function endTabOf(properties: XmlElement): string | undefined {
  const stops = children(child(properties, "tabs"), "tab");
  const end = stops.find(({ attributes }) => /^(?:right|end|center|decimal)$/.test(attributes.val ?? ""));
  return end && (leaders[end.attributes.leader ?? ""] ?? "");
}

const levelOf = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,2}$/.test(value) ? Number(value) : undefined;

/** Returns the space on a side. Automatic spacing is 14 points, as in HTML. */
const spaceOf = (spacing: XmlElement["attributes"] | undefined, side: string): number | undefined =>
  isTrue(spacing?.[`${side}Autospacing`]) ? 14 : pointsOf(spacing?.[`${side}`]);

export function readParagraphStyle(properties: XmlElement | undefined): ParagraphStyle {
  if (!properties) return {};
  const indent = child(properties, "ind")?.attributes;
  const spacing = child(properties, "spacing")?.attributes;
  const numbering = child(properties, "numPr");
  const hanging = pointsOf(indent?.hanging);
  return compact<ParagraphStyle>({
    alignment: alignmentOf(properties),
    before: spaceOf(spacing, "before"),
    after: spaceOf(spacing, "after"),
    line: lineOf(spacing),
    left: pointsOf(indent?.left ?? indent?.start),
    right: pointsOf(indent?.right ?? indent?.end),
    firstLine: hanging === undefined ? pointsOf(indent?.firstLine) : -hanging,
    endTab: endTabOf(properties),
    rightToLeft: isOn(properties, "bidi"),
    isContextual: isOn(properties, "contextualSpacing"),
    startsPage: isOn(properties, "pageBreakBefore"),
    keepsWithNext: isOn(properties, "keepNext"),
    list: valOf(numbering, "numId"),
    level: levelOf(valOf(numbering, "ilvl")),
    outline: levelOf(valOf(properties, "outlineLvl")),
    shade: shadeOf(properties),
    borders: child(properties, "pBdr"),
  });
}

interface Style {
  run: RunStyle;
  paragraph: ParagraphStyle;
  /** The `style` elements, most specific first. */
  sources: readonly XmlElement[];
}

const emptyStyle: Style = { run: {}, paragraph: {}, sources: [] };
/** Maximum length of a chain of styles, which may be circular. */
const maxStyleChain = 32;

function readThemeFonts(file: DocxPackage): ThemeFonts {
  const theme = file.readRelated("theme");
  const fontOf = (kind: string): string | undefined => {
    const [scheme] = theme ? findElement(theme, `${kind}Font`) : [];
    return child(scheme, "latin")?.attributes.typeface || undefined;
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
    for (const style of children(root, "style")) {
      const id = style.attributes.styleId;
      if (id === undefined) continue;
      this.#elements.set(id, style);
      if (isTrue(style.attributes.default)) this.#defaults.set(style.attributes.type ?? "", id);
    }
    const defaults = child(root, "docDefaults");
    this.base = {
      run: readRunStyle(child(child(defaults, "rPrDefault"), "rPr"), this.themeFonts),
      paragraph: readParagraphStyle(child(child(defaults, "pPrDefault"), "pPr")),
      sources: [],
    };
  }

  /** Returns a style by id, or the default style of its kind. */
  get(kind: "paragraph" | "character" | "table", id: string | undefined): Style {
    const known = id !== undefined && this.#elements.has(id) ? id : this.#defaults.get(kind);
    if (known === undefined) return emptyStyle;
    const style = this.#resolved.get(known) ?? this.#resolve(known);
    this.#resolved.set(known, style);
    return style;
  }

  #resolve(id: string): Style {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < maxStyleChain; ) {
      const element = this.#elements.get(next);
      if (!element || chain.includes(element)) break;
      chain.push(element);
      next = valOf(element, "basedOn");
    }
    const run: RunStyle = {};
    const paragraph: ParagraphStyle = {};
    for (const style of chain.toReversed()) {
      const properties = child(style, "pPr");
      const [, heading] = /^heading ([1-9])$/i.exec(valOf(style, "name") ?? "") ?? [];
      Object.assign(run, readRunStyle(child(style, "rPr"), this.themeFonts));
      // A built-in heading need not declare its outline level.
      if (heading !== undefined) paragraph.outline ??= Number(heading) - 1;
      Object.assign(paragraph, readParagraphStyle(properties));
    }
    return { run, paragraph, sources: chain };
  }
}
