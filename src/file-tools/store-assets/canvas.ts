/** Pixel operations on raw pictures: plain canvases, compositing, silhouettes, circular crops. */
import type { Pixels } from "../picture.js";
import type { Colour } from "./edge.js";

interface Size {
  width: number;
  height: number;
}

/** Returns a canvas of one colour. `alpha` is 0 to 255, or null for no alpha channel. */
export function plainCanvas({ width, height }: Size, { r, g, b }: Colour, alpha: number | null): Pixels {
  const pixel = alpha === null ? [r, g, b] : [r, g, b, alpha];
  return {
    data: Buffer.alloc(width * height * pixel.length, Buffer.from(pixel)),
    width,
    height,
    channels: alpha === null ? 3 : 4,
  };
}

/** Draws a picture in the middle of a canvas that is at least as large. */
export function drawCentred(ground: Pixels, picture: Pixels): void {
  const left = (ground.width - picture.width) >> 1;
  const top = (ground.height - picture.height) >> 1;
  for (let y = 0; y < picture.height; y++) {
    const from = y * picture.width * picture.channels;
    const to = ((top + y) * ground.width + left) * ground.channels;
    if (picture.channels === 3 && ground.channels === 3)
      picture.data.copy(ground.data, to, from, from + picture.width * 3);
    else blendRow(ground, to, picture, from);
  }
}

function blendRow(ground: Pixels, to: number, picture: Pixels, from: number): void {
  const { data: below, channels: step } = ground;
  const { data: above, channels } = picture;
  const byte = (data: Buffer, at: number): number => data[at] as number;
  for (let x = 0, at = to, source = from; x < picture.width; x++, at += step, source += channels) {
    const over = channels === 4 ? byte(above, source + 3) / 255 : 1;
    const under = (step === 4 ? byte(below, at + 3) / 255 : 1) * (1 - over);
    const alpha = over + under;
    if (alpha === 0) continue;
    for (let c = 0; c < 3; c++)
      below[at + c] = Math.round((byte(above, source + c) * over + byte(below, at + c) * under) / alpha);
    if (step === 4) below[at + 3] = Math.round(alpha * 255);
  }
}

/** Difference from the background colour, of 255, from which a pixel of the silhouette is opaque. */
const opaqueDifference = 96;

/** Returns a white silhouette. Its opacity is the picture's alpha or, without alpha, the difference from the background. */
export function toSilhouette({ data, width, height, channels }: Pixels, ground: Colour): Pixels {
  const white = Buffer.alloc(width * height * 4, 255);
  for (let at = 0, to = 3; at < data.length; at += channels, to += 4) {
    const [r = 0, g = 0, b = 0, alpha = 255] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
    const apart = Math.max(Math.abs(r - ground.r), Math.abs(g - ground.g), Math.abs(b - ground.b));
    white[to] = channels === 4 ? alpha : Math.min(255, (255 * apart) / opaqueDifference);
  }
  return { data: white, width, height, channels: 4 };
}

/** Makes everything outside the largest inscribed circle transparent, with an antialiased edge. */
export function cropToCircle({ data, width, height }: Pixels): void {
  const radius = Math.min(width, height) / 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = radius - Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) + 0.5;
      const at = (y * width + x) * 4 + 3;
      data[at] = (data[at] ?? 0) * Math.min(1, Math.max(0, inside));
    }
  }
}
