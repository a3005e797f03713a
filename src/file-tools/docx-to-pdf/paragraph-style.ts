/** Reads paragraph properties (`w:pPr`) of paragraphs and styles. Lengths are points. */
import type { TabStop } from "./nodes.js";
import { compact, isOn, pointsOf, shadeOf } from "./run-style.js";
import { child, children, valOf, type XmlElement } from "./xml.js";

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
