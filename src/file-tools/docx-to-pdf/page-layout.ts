/** Reads the page size and margins of a section. Lengths are points. */
import { clamp, pointsOf } from "./run-style.js";
import { child, type XmlElement } from "./xml.js";

export interface PageLayout {
  width: number;
  height: number;
  margins: { left: number; top: number; right: number; bottom: number };
  /** Distances of header and footer from the edge of the page. */
  headerAt: number;
  footerAt: number;
}

/** Limits of the page size. Word allows 22 inches, which is 1,584 points. */
const minPageSide = 72;
const maxPageSide = 2_000;

export function readPageLayout(properties: XmlElement | undefined): PageLayout {
  const size = child(properties, "w:pgSz")?.attributes;
  const margins = child(properties, "w:pgMar")?.attributes;
  // Word's default is US Letter.
  const width = clamp(pointsOf(size?.["w:w"]) ?? 612, minPageSide, maxPageSide);
  const height = clamp(pointsOf(size?.["w:h"]) ?? 792, minPageSide, maxPageSide);
  const margin = (side: string, most: number): number =>
    clamp(Math.abs(pointsOf(margins?.[`w:${side}`]) ?? 72), 0, most);
  const left = margin("left", width * 0.4) + clamp(pointsOf(margins?.["w:gutter"]) ?? 0, 0, 100);
  return {
    width,
    height,
    margins: {
      left,
      top: margin("top", height * 0.4),
      right: margin("right", width * 0.4),
      bottom: margin("bottom", height * 0.4),
    },
    headerAt: clamp(pointsOf(margins?.["w:header"]) ?? 36, 0, height * 0.3),
    footerAt: clamp(pointsOf(margins?.["w:footer"]) ?? 36, 0, height * 0.3),
  };
}
