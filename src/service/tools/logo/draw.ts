/** Draws a company's logo as SVG. The same input gives the same bytes on every sandbox. */
import { escapeMarkup } from "../../../contract/escape-markup.js";
import { Random } from "../../../time/random.js";
import { abstract } from "./abstract.js";
import { badge } from "./badge.js";
import type { Colours } from "./colours.js";
import { normaliseName, truncateName } from "./lettering.js";
import { monogram } from "./monogram.js";
import { element, side } from "./svg.js";
import { wordmark } from "./wordmark.js";

const styles = { monogram, badge, abstract, wordmark } as const satisfies Record<
  string,
  (name: string, colours: Colours, random: Random) => string
>;
export type LogoStyle = keyof typeof styles;

export interface LogoInput extends Colours {
  name: string;
  style: LogoStyle;
  /** Width and height in pixels. */
  size: number;
}

/** Never throws; every name is drawn as text. A name of spaces is titled "Logo". */
export function drawLogo({ name, style, size, ...colours }: LogoInput): string {
  const text = normaliseName(name) || "Logo";
  const drawn = styles[style](text, colours, Random.seeded("logo", style, text));
  // Unique in a page that embeds several logos.
  const id = `logo-${Random.seeded("logo id", style, text, `${size}`, ...Object.values(colours)).letters(10)}`;
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: size,
      height: size,
      viewBox: `0 0 ${side} ${side}`,
      role: "img",
      "aria-labelledby": id,
    },
    element("title", { id }, escapeMarkup(`${truncateName(text)} logo`)),
    element("g", { "aria-hidden": "true" }, drawn),
  );
}
