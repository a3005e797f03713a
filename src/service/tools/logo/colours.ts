/** Chooses colours with enough contrast. */

export interface Colours {
  primary: string;
  secondary: string;
}

export const white = "#ffffff";
export const ink = "#111827";

/** Returns red, green and blue from 0 to 1; `#abc` is `#aabbcc`. */
function rgbOf(colour: string): number[] {
  const hex = colour.slice(1);
  const whole = hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16) / 255);
}

/** Returns the relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = rgbOf(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio, from 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Contrast of large text (WCAG 2, level AA). */
const minTextContrast = 3;

/** Returns the preferred colour if it is readable on the background, otherwise white or ink. */
export function readableOn(background: string, preferred: string): string {
  if (contrast(background, preferred) >= minTextContrast) return preferred;
  return contrast(background, white) >= contrast(background, ink) ? white : ink;
}

/** Contrast of decoration next to larger shapes. */
const minVisibleContrast = 1.4;

/** Returns the preferred colour if it is visible on the background, otherwise the other one. */
export const visibleOn = (background: string, preferred: string, other: string): string =>
  contrast(background, preferred) >= minVisibleContrast ? preferred : other;
