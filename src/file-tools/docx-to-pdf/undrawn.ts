/** Notes the charts, diagrams and shapes of a drawing, which the engine does not draw. */
import type { ConversionReport } from "../engine.js";
import { child, elementsOf, findElement, type XmlElement } from "./xml.js";

const vmlShapes: ReadonlySet<string> = new Set(
  ["arc", "curve", "line", "oval", "polyline", "rect", "roundrect", "shape"].map((name) => `v:${name}`),
);

export function noteUndrawn(drawing: XmlElement, report: ConversionReport): void {
  for (const chart of findElement(drawing, "c:chart")) report.leaveOut("chart", chart);
  for (const diagram of findElement(drawing, "dgm:relIds")) report.leaveOut("diagram", diagram);
  for (const shape of shapesIn(drawing)) if (!hasContent(shape)) report.leaveOut("shape", shape);
}

/** Yields shapes outside text boxes, whose drawings are read with their text. */
function* shapesIn(element: XmlElement): Generator<XmlElement> {
  for (const one of elementsOf(element)) {
    if (one.name === "w:txbxContent") continue;
    if (one.name === "wps:wsp" || vmlShapes.has(one.name)) yield one;
    else yield* shapesIn(one);
  }
}

/** Returns whether a shape has text or a picture, which are shown. */
const hasContent = (shape: XmlElement): boolean =>
  child(shape, "v:imagedata") !== undefined ||
  ["w:txbxContent", "a:blip"].some((name) => !findElement(shape, name).next().done);
