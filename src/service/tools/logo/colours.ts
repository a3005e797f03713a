/** Colours as given, and which of them can be read on which. */

export interface Colours {
  primary: string;
  secondary: string;
}

export const white = "#ffffff";
export const ink = "#111827";

/** Red, green and blue from 0 to 1; `#abc` is `#aabbcc`. */
function channels(colour: string): number[] {
  const hex = colour.slice(1);
  const whole = hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16) / 255);
}

/** Relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** From 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Of large text (WCAG 2, level AA). */
const readable = 3;

/** The wish where it can be read on the ground, else white or ink, whichever reads better. */
export function readableOn(ground: string, wish: string): string {
  if (contrast(ground, wish) >= readable) return wish;
  return contrast(ground, white) >= contrast(ground, ink) ? white : ink;
}

/** Enough to be seen beside something larger. */
const visible = 1.4;

/** The wish where it can be seen on the ground, else the other one. */
export const visibleOn = (ground: string, wish: string, other: string): string =>
  contrast(ground, wish) >= visible ? wish : other;
