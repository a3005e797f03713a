/** A seal: the name around it, the initials within, a ring of notches. */
import type { Random } from "../../../world/random.js";
import { type Colours, readableOn, white } from "./colours.js";
import { around, fittingSize, initials, line, shown, turnOf } from "./lettering.js";
import { circle, onCircle, path, point, side } from "./svg.js";

const middle = side / 2;
const notched = 248;
const band = 176;
/** Of the circle on which the name stands. */
const textRadius = 196;
/** Part of a turn that the name may take. */
const most = 0.8;

export function badge(name: string, { primary, secondary }: Colours, random: Random): string {
  const notches = random.integer(24, 40);
  const letters = initials(name);
  const size = fittingSize(letters, 210, 150);
  const text = shown(name).toLocaleUpperCase("en");
  return [
    path(notchedRing(notches), { fill: primary }),
    circle(middle, middle, band, { fill: secondary }),
    circle(middle, middle, band - 12, {
      fill: "none",
      stroke: readableOn(secondary, primary),
      "stroke-width": 4,
    }),
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
      size: sizeOf(text),
      fill: readableOn(primary, white),
    }),
    ...dots(text, readableOn(primary, secondary)),
  ].join("");
}

function notchedRing(notches: number): string {
  const points = Array.from({ length: notches * 2 }, (_, index) =>
    point(onCircle(middle, middle, index % 2 === 0 ? notched : notched - 12, index / (notches * 2))),
  );
  return `M${points.join("L")}Z`;
}

const sizeOf = (text: string): number => Math.min(40, most / turnOf(text, textRadius, 1));

/** Where the name leaves room, at the bottom. */
function dots(text: string, fill: string): string[] {
  const free = 1 - turnOf(text, textRadius, sizeOf(text)) - 0.06;
  const count = Math.max(1, Math.min(7, Math.floor(free / 0.05)));
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = onCircle(middle, middle, textRadius + 14, 0.5 + (index - (count - 1) / 2) * 0.05);
    return circle(x, y, 7, { fill });
  });
}
