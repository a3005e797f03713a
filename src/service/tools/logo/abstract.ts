/** Overlapping petals that are derived from the name, with the name beneath. */
import type { Random } from "../../../time/random.js";
import { type Colours, ink } from "./colours.js";
import { breakLines, fittingSize, line, truncateName } from "./lettering.js";
import { circle, element, path, rotate, side } from "./svg.js";

const middle = side / 2;
const centre = 196;

/** Shapes of a petal, which is repeated around the centre. */
const petalShapes: readonly ((random: Random) => string)[] = [
  (random) => {
    const width = random.integer(44, 76);
    return `M${middle} ${centre}C${middle - width} ${centre - 90} ${middle - width * 0.6} ${centre - 180} ${middle} ${centre - 186}C${middle + width * 0.6} ${centre - 180} ${middle + width} ${centre - 90} ${middle} ${centre}Z`;
  },
  (random) => {
    const reach = random.integer(120, 180);
    return `M${middle} ${centre}h${reach * 0.62}a${reach * 0.62} ${reach} 0 0 0 ${-reach * 0.62} ${-reach}Z`;
  },
  (random) => {
    const size = random.integer(80, 124);
    return `M${middle - size / 2} ${centre - 32 - size}h${size}v${size * 0.55}a${size * 0.45} ${size * 0.45} 0 0 1 ${-size * 0.45} ${size * 0.45}h${-size * 0.55}Z`;
  },
];

export function abstract(name: string, { primary, secondary }: Colours, random: Random): string {
  const draw = petalShapes[random.integer(0, petalShapes.length - 1)] as (typeof petalShapes)[number];
  const petal = draw(random);
  const count = random.integer(4, 8);
  const offset = random.integer(0, 44);
  const turned = Array.from({ length: count }, (_, index) =>
    path(petal, {
      fill: index % 2 === 0 ? primary : secondary,
      "fill-opacity": 0.82,
      transform: rotate(offset + (index * 360) / count, middle, centre),
    }),
  );
  const text = truncateName(name);
  const rows = breakLines(text);
  const size = Math.min(...rows.map((row) => fittingSize(row, 490, rows.length > 1 ? 40 : 60)));
  return [
    element("g", {}, ...turned),
    circle(middle, centre, random.integer(14, 30), { fill: primary }),
    ...rows.map((row, index) =>
      line(row, { x: middle, y: 478 - (rows.length - 1 - index) * size * 1.1, size, fill: ink }),
    ),
  ].join("");
}
