/** Makes store assets without a request, and provides pictures for them. */
import { unzipSync } from "fflate";
import sharp from "sharp";
import { makeStoreAssets } from "../../../src/file-tools/store-assets/make.js";
import { oncePer } from "../../support/once-per.js";

export type Kind = "icon" | "screenshot" | "splash";
export type Platform = "play" | "ios" | "both";
export type Files = Record<string, Uint8Array>;

/** Makes assets without a request. Returns the files of the zip. */
export const make = async (bytes: Uint8Array, kind: Kind, platform: Platform = "both"): Promise<Files> =>
  unzipSync(await makeStoreAssets(bytes, { kind, platform }));

export const svg = (width: number, height: number, elements: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`,
    ),
  );

const disc = (fill: string) => `<circle cx="300" cy="200" r="150" fill="${fill}"/>`;
/** A white disc on teal. */
export const badge = svg(600, 400, `<rect width="600" height="400" fill="#0f766e"/>${disc("#fff")}`);
/** A red disc on transparency. */
export const logo = svg(600, 400, disc("#e11d48"));
const badgeAssets = oncePer((platform: Platform) =>
  oncePer(async (kind: Kind) => make(await badge.clone().png().toBuffer(), kind, platform)),
);
/** Makes the assets of the badge, each kind once per platform. */
export const assetsOf = (kind: Kind, platform: Platform = "both"): Promise<Files> =>
  badgeAssets(platform)(kind);
const gradient = `<defs><linearGradient id="g"><stop stop-color="#fbbf24"/><stop offset="1" stop-color="#1e3a8a"/></linearGradient></defs>`;
export const photo = svg(800, 600, `${gradient}<rect width="800" height="600" fill="url(#g)"/>`);

/** Returns an uncompressed PNG of random colours, and with 4 channels of random opacity, with a fixed seed. */
export function noise(side: number, channels: 3 | 4 = 3): Promise<Buffer> {
  const data = noiseBytes(side * side * channels);
  return sharp(data, { raw: { width: side, height: side, channels } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** Returns pseudo-random bytes with a fixed seed. */
export function noiseBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 3;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

interface Drawn {
  width: number;
  height: number;
  channels: number;
  at(x: number, y: number): number[];
}

export async function open(files: Files, name: string): Promise<Drawn> {
  const { data, info } = await sharp(files[name]).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (x: number, y: number) => {
    const from = (Math.floor(y) * width + Math.floor(x)) * channels;
    return [...data.subarray(from, from + channels)];
  };
  return { width, height, channels, at };
}

export const near = (pixel: readonly number[], right: readonly number[]): boolean =>
  pixel.every((value, c) => Math.abs(value - (right[c] ?? 255)) <= 6);
export const teal = [15, 118, 110];
export const white = [255, 255, 255];
