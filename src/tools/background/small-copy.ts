/** The copy on which the background is found: small, smoothed, in colours that lie as far apart as they look (OKLab). */
import { fromPixels, type Picture } from "../picture.js";

/** Pixels of the longer side: what is finer than this, the matte finds again at full size. */
const longest = 720;
/** Takes the grain from pictures that are not made smaller. */
const smoothing = 0.8;

/** Planes of one number a pixel. */
export interface SmallCopy {
  width: number;
  height: number;
  /** 0 to 1. */
  light: Float32Array;
  /** Green to red, and blue to yellow; about -0.4 to 0.4. */
  red: Float32Array;
  yellow: Float32Array;
  /** 0 to 255, as they were; three bytes a pixel. */
  rgb: Buffer;
}

export async function makeSmallCopy(picture: Picture): Promise<SmallCopy> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const shrunk = fromPixels(picture).flatten().resize(width, height, { fit: "fill" });
  const rgb = await (scale < 0.7 ? shrunk : shrunk.blur(smoothing)).raw().toBuffer();
  return { width, height, rgb, ...toOklab(rgb) };
}

/** Linear light of each byte of sRGB. */
const linear = Float32Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});

function toOklab(rgb: Buffer): Pick<SmallCopy, "light" | "red" | "yellow"> {
  const size = rgb.length / 3;
  const planes = {
    light: new Float32Array(size),
    red: new Float32Array(size),
    yellow: new Float32Array(size),
  };
  for (let at = 0; at < size; at++) {
    const r = linear[rgb[at * 3] as number] as number;
    const g = linear[rgb[at * 3 + 1] as number] as number;
    const b = linear[rgb[at * 3 + 2] as number] as number;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    planes.light[at] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    planes.red[at] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    planes.yellow[at] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  }
  return planes;
}
