/** A company's logo as SVG: the same input gives the same bytes, on every sandbox. */
import { Random } from "../../../world/time/random.js";
import { abstract } from "./abstract.js";
import { badge } from "./badge.js";
import type { Colours } from "./colours.js";
import { shown, tidy } from "./lettering.js";
import { monogram } from "./monogram.js";
import { element, escaped, side } from "./svg.js";
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

/** Throws nothing: whatever the name is, it is text. A name of spaces alone has the title "Logo". */
export function drawLogo({ name, style, size, ...colours }: LogoInput): string {
  const text = tidy(name) || "Logo";
  const drawn = styles[style](text, colours, Random.seeded("logo", style, text));
  // Ids are of the whole page that a logo is put into.
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
    element("title", { id }, escaped(`${shown(text)} logo`)),
    element("g", { "aria-hidden": "true" }, drawn),
  );
}
