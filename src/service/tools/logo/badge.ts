/** A notched seal with the initials inside and the name around them, or below them in scripts whose letters join. */
import type { Random } from "../../../time/random.js";
import { type Colours, readableOn, white } from "./colours.js";
import {
  around,
  breakLines,
  fittingSize,
  initials,
  isJoining,
  line,
  truncateName,
  turnOf,
} from "./lettering.js";
import { circle, onCircle, path, point, side } from "./svg.js";

const middle = side / 2;
const outerRadius = 248;
const discRadius = 176;
/** Radius of the baseline of the name. */
const textRadius = 196;
/** Maximum part of the circle that the name takes up. */
const maxTextTurn = 0.8;

export function badge(name: string, { primary, secondary }: Colours, random: Random): string {
  const notches = random.integer(24, 40);
  const text = truncateName(name).toLocaleUpperCase("en");
  return [
    path(notchedRing(notches), { fill: primary }),
    circle(middle, middle, discRadius, { fill: secondary }),
    circle(middle, middle, discRadius - 12, {
      fill: "none",
      stroke: readableOn(secondary, primary),
      "stroke-width": 4,
    }),
    ...(isJoining(text) ? nameInDisc : nameAround)(text, initials(name), { primary, secondary }),
  ].join("");
}

function nameAround(text: string, letters: string, { primary, secondary }: Colours): string[] {
  const size = fittingSize(letters, 210, 150);
  return [
    line(letters, {
      x: middle,
      y: middle + size * 0.36,
      size,
      fill: readableOn(secondary, primary),
      weight: 800,
    }),
    around(text, {
      cx: middle,
      cy: middle,
      radius: textRadius,
      size: textSize(text),
      fill: readableOn(primary, white),
    }),
    ...dots(1 - turnOf(text, textRadius, textSize(text)) - 0.06, readableOn(primary, secondary), 7),
  ];
}

/** Draws the disc: the initials, and the name below them. */
function nameInDisc(text: string, letters: string, { primary, secondary }: Colours): string[] {
  const fill = readableOn(secondary, primary);
  const size = fittingSize(letters, 200, 110);
  const rows = breakLines(text);
  const rowSize = Math.min(
    100 / rows.length,
    ...rows.map((row) => fittingSize(row, 220, rows.length > 1 ? 34 : 46)),
  );
  // More than two lines take their room from above.
  const centre = middle - Math.max(0, rows.length - 2) * 20;
  return [
    line(letters, { x: middle, y: centre + 12, size, fill, weight: 800 }),
    ...rows.map((row, index) =>
      line(row, { x: middle, y: centre + 72 + index * rowSize * 1.2, size: rowSize, fill }),
    ),
    ...dots(1, readableOn(primary, secondary), 20),
  ];
}

function notchedRing(notches: number): string {
  const points = Array.from({ length: notches * 2 }, (_, index) =>
    point(onCircle(middle, middle, index % 2 === 0 ? outerRadius : outerRadius - 12, index / (notches * 2))),
  );
  return `M${points.join("L")}Z`;
}

const textSize = (text: string): number => Math.min(40, maxTextTurn / turnOf(text, textRadius, 1));

/** Draws dots around the bottom, in the part of the circle that the name leaves free. */
function dots(freeTurn: number, fill: string, maxDots: number): string[] {
  const count = Math.max(1, Math.min(maxDots, Math.floor(freeTurn / 0.05)));
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = onCircle(middle, middle, textRadius + 14, 0.5 + (index - (count - 1) / 2) * 0.05);
    return circle(x, y, 7, { fill });
  });
}
