/** A seal: the name around it, or within where its letters cannot stand apart, the initials within, a ring of notches. */
import type { Random } from "../../../world/time/random.js";
import { type Colours, readableOn, white } from "./colours.js";
import { around, fittingSize, initials, joins, line, lines, shown, turnOf } from "./lettering.js";
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
  const text = shown(name).toLocaleUpperCase("en");
  return [
    path(notchedRing(notches), { fill: primary }),
    circle(middle, middle, band, { fill: secondary }),
    circle(middle, middle, band - 12, {
      fill: "none",
      stroke: readableOn(secondary, primary),
      "stroke-width": 4,
    }),
    ...(joins(text) ? straight : circled)(text, initials(name), { primary, secondary }),
  ].join("");
}

function circled(text: string, letters: string, { primary, secondary }: Colours): string[] {
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
      size: sizeOf(text),
      fill: readableOn(primary, white),
    }),
    ...dots(1 - turnOf(text, textRadius, sizeOf(text)) - 0.06, readableOn(primary, secondary), 7),
  ];
}

/** Of the disc: the initials, and beneath them the name in one line or two. */
function straight(text: string, letters: string, { primary, secondary }: Colours): string[] {
  const fill = readableOn(secondary, primary);
  const size = fittingSize(letters, 200, 110);
  const rows = lines(text);
  const rowSize = Math.min(...rows.map((row) => fittingSize(row, 220, rows.length > 1 ? 34 : 46)));
  return [
    line(letters, { x: middle, y: middle + 12, size, fill, weight: 800 }),
    ...rows.map((row, index) =>
      line(row, { x: middle, y: middle + 72 + index * rowSize * 1.2, size: rowSize, fill }),
    ),
    ...dots(1, readableOn(primary, secondary), 20),
  ];
}

function notchedRing(notches: number): string {
  const points = Array.from({ length: notches * 2 }, (_, index) =>
    point(onCircle(middle, middle, index % 2 === 0 ? notched : notched - 12, index / (notches * 2))),
  );
  return `M${points.join("L")}Z`;
}

const sizeOf = (text: string): number => Math.min(40, most / turnOf(text, textRadius, 1));

/** Where the name leaves room, from the bottom; `free`: the part of a turn. */
function dots(free: number, fill: string, most: number): string[] {
  const count = Math.max(1, Math.min(most, Math.floor(free / 0.05)));
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = onCircle(middle, middle, textRadius + 14, 0.5 + (index - (count - 1) / 2) * 0.05);
    return circle(x, y, 7, { fill });
  });
}
