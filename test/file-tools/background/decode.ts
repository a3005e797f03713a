/** A cut-out picture, decoded. */
import sharp from "sharp";
import { expect } from "vitest";

export interface Cut {
  width: number;
  height: number;
  /** Red, green, blue and alpha. */
  data: Buffer;
  alpha: Buffer;
}

export async function decode(png: Uint8Array): Promise<Cut> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4);
  const alpha = Buffer.alloc(info.width * info.height);
  for (let at = 0; at < alpha.length; at++) alpha[at] = data[at * 4 + 3] ?? 0;
  return { width: info.width, height: info.height, data, alpha };
}
