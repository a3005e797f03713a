/** Makes the small, smoothed copy in OKLab on which the background is found. */
import { type Picture, toSharp } from "../picture.js";

/** Longer side of the copy in pixels. The matte recovers finer details at full size. */
const maxSidePixels = 720;
/** Blur that removes grain from pictures that are not scaled down. */
const blurSigma = 0.8;

/** A small copy of a picture, with one number per pixel in each plane. */
export interface SmallCopy {
  width: number;
  height: number;
  /** Lightness from 0 to 1. */
  lightness: Float32Array;
  /** OKLab axes green to red and blue to yellow, about -0.4 to 0.4. */
  a: Float32Array;
  b: Float32Array;
  /** Pixels in sRGB, with three bytes each. */
  rgb: Buffer;
}

export async function makeSmallCopy(picture: Picture): Promise<SmallCopy> {
  const scale = Math.min(1, maxSidePixels / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const shrunk = toSharp(picture).flatten().resize(width, height, { fit: "fill" });
  const rgb = await (scale < 0.7 ? shrunk : shrunk.blur(blurSigma)).raw().toBuffer();
  return { width, height, rgb, ...toOklab(rgb) };
}

/** Linear light of each sRGB byte value. */
const srgbToLinear = Float32Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});

function toOklab(rgb: Buffer): Pick<SmallCopy, "lightness" | "a" | "b"> {
  const size = rgb.length / 3;
  const planes = {
    lightness: new Float32Array(size),
    a: new Float32Array(size),
    b: new Float32Array(size),
  };
  for (let at = 0; at < size; at++) {
    const r = srgbToLinear[rgb[at * 3] as number] as number;
    const g = srgbToLinear[rgb[at * 3 + 1] as number] as number;
    const b = srgbToLinear[rgb[at * 3 + 2] as number] as number;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    planes.lightness[at] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    planes.a[at] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    planes.b[at] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  }
  return planes;
}
