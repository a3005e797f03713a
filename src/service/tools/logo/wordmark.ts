/** The underlined name, its first letter in the secondary colour unless it joins the next. */
import type { Random } from "../../../time/random.js";
import { type Colours, visibleOn, white } from "./colours.js";
import { breakLines, fittingSize, isJoining, line, textWidth, truncateName } from "./lettering.js";
import { path, side } from "./svg.js";

const maxTextWidth = 472;
const maxTextHeight = 340;
const middle = side / 2;

/** Underlines: a bar, a wave, or a rising line. */
const underlines: readonly ((from: number, to: number, y: number) => string)[] = [
  (from, to, y) => `M${from} ${y}H${to}`,
  (from, to, y) => {
    const step = (to - from) / 4;
    return `M${from} ${y}q${step / 2} -22 ${step} 0t${step} 0t${step} 0t${step} 0`;
  },
  (from, to, y) => `M${from} ${y + 10}Q${(from + to) / 2} ${y + 10} ${to} ${y - 14}`,
];

export function wordmark(name: string, { primary, secondary }: Colours, random: Random): string {
  const rows = breakLines(truncateName(name));
  const size = Math.min(
    maxTextHeight / rows.length,
    ...rows.map((row) => fittingSize(row, maxTextWidth, 150)),
  );
  const height = size * 1.12;
  const top = middle - (height * rows.length) / 2 + size * 0.82 - 18;
  const texts = rows.map((row, index) =>
    line(
      row,
      { x: middle, y: top + index * height, size, fill: primary, weight: 800 },
      index === 0 && !isJoining(row) ? visibleOn(white, secondary, primary) : undefined,
    ),
  );
  const half = Math.max(60, (Math.max(...rows.map(textWidth)) * size) / 2);
  const draw = underlines[random.integer(0, underlines.length - 1)] as (typeof underlines)[number];
  const under = draw(middle - half, middle + half, top + (rows.length - 1) * height + 34 + size * 0.18);
  const stroke = path(under, {
    fill: "none",
    stroke: secondary,
    "stroke-width": Math.max(8, size * 0.09),
    "stroke-linecap": "round",
  });
  return texts.join("") + stroke;
}
