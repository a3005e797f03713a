/** Reads borders, shading and padding of a table and of its styles. */
import type { ParagraphStyle } from "./paragraph-style.js";
import { readParagraphStyle } from "./paragraph-style.js";
import { clamp, colorOf, pointsOf, type RunStyle, readRunStyle, shadeOf } from "./run-style.js";
import type { Styles } from "./styles.js";
import { child, children, isTrue, valOf, type XmlElement } from "./xml.js";

export type BorderSide = "left" | "top" | "right" | "bottom";

interface BorderLine {
  isDrawn: boolean;
  color: string;
}

export interface TableStyle {
  /** Returns the border of a cell's side. `isOuter`: on the edge of the table. */
  border(side: BorderSide, isOuter: boolean): BorderLine;
  lineWidth: number;
  padding: Record<BorderSide, number>;
  shade: string | undefined;
  firstRow: { shade: string | undefined; run: RunStyle };
  /** Shade of every second row. */
  band: string | undefined;
  run: RunStyle;
  paragraph: ParagraphStyle;
}

const sideAliases: Readonly<Record<string, string>> = { left: "start", right: "end" };

/** Returns the border of a side, or undefined if it is not specified. */
export function readBorder(borders: XmlElement | undefined, name: string): BorderLine | undefined {
  const edge = child(borders, `w:${name}`) ?? child(borders, `w:${sideAliases[name] ?? name}`);
  const kind = edge?.attributes["w:val"];
  if (!edge || kind === undefined) return undefined;
  return {
    isDrawn: kind !== "nil" && kind !== "none",
    color: colorOf(edge.attributes["w:color"]) ?? "#000000",
  };
}

const noBorder: BorderLine = { isDrawn: false, color: "#000000" };

function paddingOf(properties: readonly XmlElement[], side: BorderSide): number {
  for (const one of properties) {
    const margins = child(one, "w:tblCellMar");
    const edge = child(margins, `w:${side}`) ?? child(margins, `w:${sideAliases[side] ?? side}`);
    const points = pointsOf(edge?.attributes["w:w"]);
    if (points !== undefined) return clamp(points, 0, 40);
  }
  return side === "left" || side === "right" ? 5.4 : 0;
}

/** Returns whether the table uses a conditional format, declared by an attribute or a bit of the older mask. */
function usesConditional(properties: XmlElement | undefined, name: string, bit: number): boolean {
  const look = child(properties, "w:tblLook")?.attributes;
  const own = look?.[`w:${name}`];
  return own === undefined ? (Number.parseInt(look?.["w:val"] ?? "0", 16) & bit) !== 0 : isTrue(own);
}

export function readTableStyle(table: XmlElement, styles: Styles): TableStyle {
  const own = child(table, "w:tblPr");
  const style = styles.get("table", valOf(own, "w:tblStyle"));
  const properties = [own, ...style.sources.map((one) => child(one, "w:tblPr"))].filter(
    (one) => one !== undefined,
  );
  const borders = properties.map((one) => child(one, "w:tblBorders"));
  const conditional = (type: string): XmlElement | undefined =>
    style.sources
      .flatMap((one) => children(one, "w:tblStylePr"))
      .find(({ attributes }) => attributes["w:type"] === type);
  const first = usesConditional(own, "firstRow", 0x20) ? conditional("firstRow") : undefined;
  const hasBands = !usesConditional(own, "noHBand", 0x200);
  const width = borders
    .map((one) => Number(child(one, "w:top")?.attributes["w:sz"]))
    .find((size) => size > 0);

  return {
    border(side, isOuter) {
      const inner = side === "left" || side === "right" ? "insideV" : "insideH";
      for (const one of borders) {
        const line = readBorder(one, isOuter ? side : inner);
        if (line) return line;
      }
      return noBorder;
    },
    lineWidth: clamp((width ?? 4) / 8, 0.25, 3),
    padding: {
      left: paddingOf(properties, "left"),
      top: paddingOf(properties, "top"),
      right: paddingOf(properties, "right"),
      bottom: paddingOf(properties, "bottom"),
    },
    shade: style.sources.map((one) => shadeOf(child(one, "w:tcPr"))).find((one) => one !== undefined),
    firstRow: {
      shade: shadeOf(child(first, "w:tcPr")),
      run: readRunStyle(child(first, "w:rPr"), styles.themeFonts),
    },
    band: hasBands ? shadeOf(child(conditional("band1Horz"), "w:tcPr")) : undefined,
    run: style.run,
    paragraph: style.paragraph.list ? {} : readAll(style.sources),
  };
}

const readAll = (sources: readonly XmlElement[]): ParagraphStyle =>
  Object.assign({}, ...sources.map((one) => readParagraphStyle(child(one, "w:pPr"))).toReversed());
