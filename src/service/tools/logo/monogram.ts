/** The initials on a tile with one corner in the secondary colour. */
import type { Random } from "../../../time/random.js";
import { type Colours, readableOn, white } from "./colours.js";
import { fittingSize, initials, line } from "./lettering.js";
import { element, path, side } from "./svg.js";

const corner = 112;

/** Corners that do not touch the letters: top right and bottom left. */
const corners = [
  `M${side - 200} 0H${side - corner}A${corner} ${corner} 0 0 1 ${side} ${corner}V200Z`,
  `M200 ${side}H${corner}A${corner} ${corner} 0 0 1 0 ${side - corner}V${side - 200}Z`,
];

export function monogram(name: string, { primary, secondary }: Colours, random: Random): string {
  const letters = initials(name);
  const size = fittingSize(letters, 380, 270);
  const cut = corners[random.integer(0, corners.length - 1)] as string;
  return [
    element("rect", { width: side, height: side, rx: corner, fill: primary }),
    path(cut, { fill: secondary }),
    line(letters, {
      x: side / 2,
      y: side / 2 + size * 0.36,
      size,
      fill: readableOn(primary, white),
      weight: 800,
    }),
  ].join("");
}
