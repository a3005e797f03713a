/** Draws one asset: the whole picture, never stretched, on a background that continues the picture's edge. */
import table from "../../../fixtures/store-assets.json" with { type: "json" };
import { median } from "../median.js";
import { type Picture, type Pixels, toSharp } from "../picture.js";

export type AssetKind = "icon" | "screenshot" | "splash";
export type Platform = "play" | "ios";
export type Format = "png" | "jpg";
type AssetShape = keyof typeof table.shapes;

export interface Asset {
  platform: Platform;
  kind: AssetKind;
  folder: string;
  name: string;
  width: number;
  height: number;
  /** Whether the file has an alpha channel. */
  alpha: boolean;
  /** Accepted formats. */
  formats: readonly Format[];
  max_bytes: number | null;
  shape: AssetShape;
  /** Device idioms of the Xcode asset catalogue entries that use the file. */
  idioms?: readonly string[];
}

const assets = table.assets as readonly Asset[];

export const assetsFor = (kind: AssetKind, platform: Platform | "both"): readonly Asset[] =>
  assets.filter((asset) => asset.kind === kind && (platform === "both" || asset.platform === platform));

/** Returns the share of the canvas that the picture may fill. */
const pictureShare = ({ kind, shape }: Asset): number =>
  kind === "splash" && shape === "whole" ? splashPictureShare : table.shapes[shape].share;

/** Size of the picture on a splash screen, as a share of its shorter side. */
const splashPictureShare = 0.4;

export const assetPath = ({ folder, name, width, height }: Asset, format: Format): string =>
  `${folder}/${name}-${width}x${height}.${format}`;

interface Colour {
  r: number;
  g: number;
  b: number;
}

interface PictureEdge {
  /** The background colour, or a contrasting colour for a picture with a transparent background. */
  colour: Colour;
  /** Whether the edge has one colour, so that the picture blends into a background of that colour. */
  isEven: boolean;
  isTransparent: boolean;
}

const white: Colour = { r: 255, g: 255, b: 255 };
const dark: Colour = { r: 17, g: 24, b: 39 };
/** Mean lightness, of 255, from which a transparent picture gets a dark background instead of a white one. */
const lightThreshold = 200;

/** Side, in pixels, of the downscaled copy that is sampled. */
const sampleSize = 64;
/** Channel difference, of 255, up to which a pixel has the edge colour. */
const colourTolerance = 14;
const maxOutlierShare = 0.1;

export async function readEdge(picture: Picture): Promise<PictureEdge> {
  const small = await toSharp(picture)
    .resize(sampleSize, sampleSize, { fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const pixels = Array.from({ length: sampleSize * sampleSize }, (_, at) => {
    const [r = 0, g = 0, b = 0, a = 0] = small.subarray(at * 4, at * 4 + 4);
    return { r, g, b, a };
  });
  const rim = pixels.filter((_, at) => isOnRim(at % sampleSize, Math.floor(at / sampleSize)));
  const opaque = rim.filter(({ a }) => a > 250);
  if (opaque.length < rim.length / 2)
    return { colour: contrastingColour(pixels), isEven: false, isTransparent: true };
  const medianOf = (channel: keyof Colour): number => median(opaque.map((pixel) => pixel[channel]));
  const colour = { r: medianOf("r"), g: medianOf("g"), b: medianOf("b") };
  const outliers = rim.filter(
    ({ r, g, b, a }) =>
      a <= 250 ||
      Math.max(Math.abs(r - colour.r), Math.abs(g - colour.g), Math.abs(b - colour.b)) > colourTolerance,
  );
  return { colour, isEven: outliers.length <= rim.length * maxOutlierShare, isTransparent: false };
}

const isOnRim = (x: number, y: number): boolean =>
  x === 0 || y === 0 || x === sampleSize - 1 || y === sampleSize - 1;

function contrastingColour(pixels: readonly (Colour & { a: number })[]): Colour {
  let light = 0;
  let seen = 0;
  for (const { r, g, b, a } of pixels) {
    light += a * (0.299 * r + 0.587 * g + 0.114 * b);
    seen += a;
  }
  return light > lightThreshold * seen ? dark : white;
}

interface Size {
  width: number;
  height: number;
}

/** Returns a canvas of one colour. `alpha` is 0 to 255, or null for no alpha channel. */
function plainCanvas({ width, height }: Size, { r, g, b }: Colour, alpha: number | null): Pixels {
  const pixel = alpha === null ? [r, g, b] : [r, g, b, alpha];
  return {
    data: Buffer.alloc(width * height * pixel.length, Buffer.from(pixel)),
    width,
    height,
    channels: alpha === null ? 3 : 4,
  };
}

/** Returns a canvas with a picture in its middle. The picture must not be larger. */
async function drawCentred(canvas: Pixels, { data: input, ...raw }: Pixels): Promise<Pixels> {
  const place = { left: (canvas.width - raw.width) >> 1, top: (canvas.height - raw.height) >> 1 };
  const drawn = toSharp(canvas).composite([{ input, raw, ...place }]);
  const data = await (canvas.channels === 4 ? drawn.ensureAlpha() : drawn.removeAlpha()).raw().toBuffer();
  return { ...canvas, data };
}

/** Difference from the background colour, of 255, from which a pixel of the silhouette is opaque. */
const opaqueDifference = 96;

/** Returns a white silhouette. Its opacity is the picture's alpha or, without alpha, the difference from the background. */
function toSilhouette({ data, width, height, channels }: Pixels, ground: Colour): Pixels {
  const white = Buffer.alloc(width * height * 4, 255);
  for (let at = 0, to = 3; at < data.length; at += channels, to += 4) {
    const [r = 0, g = 0, b = 0, alpha = 255] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
    const apart = Math.max(Math.abs(r - ground.r), Math.abs(g - ground.g), Math.abs(b - ground.b));
    white[to] = channels === 4 ? alpha : Math.min(255, (255 * apart) / opaqueDifference);
  }
  return { data: white, width, height, channels: 4 };
}

/** Makes everything outside the largest inscribed circle transparent, with an antialiased edge. */
async function cropToCircle(canvas: Pixels): Promise<Pixels> {
  const { width, height } = canvas;
  const [cx, cy] = [width / 2, height / 2];
  const svg = `<svg width="${width}" height="${height}"><circle cx="${cx}" cy="${cy}" r="${Math.min(cx, cy)}"/></svg>`;
  const cropped = toSharp(canvas).composite([{ input: Buffer.from(svg), blend: "dest-in" }]);
  return { ...canvas, data: await cropped.raw().toBuffer() };
}

/** Returns pixels of the asset's size, with alpha where the store accepts it. */
export async function drawAsset(asset: Asset, picture: Picture, edge: PictureEdge): Promise<Pixels> {
  const canvas = await canvasFor(asset, picture, edge);
  if (asset.shape === "background") return canvas;
  const placed = await scaleToFit(asset, picture);
  const shown = asset.shape === "monochrome" ? toSilhouette(placed, edge.colour) : placed;
  const drawn = await drawCentred(canvas, shown);
  return asset.shape === "round" ? await cropToCircle(drawn) : drawn;
}

/** Scales the picture to fit its share of the canvas. */
async function scaleToFit(asset: Asset, picture: Picture): Promise<Pixels> {
  const box = pictureBox(asset);
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const { channels } = picture;
  const resized = toSharp(picture).resize(width, height, { fit: "fill", kernel: "lanczos3" });
  // Downscaling blurs. Pictures with alpha are not sharpened, because that would draw a seam along their edges.
  const sharpened = scale < 1 && channels === 3 ? resized.sharpen() : resized;
  return { data: await sharpened.raw().toBuffer(), width, height, channels };
}

function pictureBox(asset: Asset): { width: number; height: number } {
  const { kind, width, height } = asset;
  const share = pictureShare(asset);
  if (kind !== "splash") return { width: width * share, height: height * share };
  const side = Math.min(width, height) * share;
  return { width: side, height: side };
}

/** Layers that the operating system draws on its own background. */
const transparentLayers = ["foreground", "monochrome", "splash_icon"];

async function canvasFor(asset: Asset, picture: Picture, edge: PictureEdge): Promise<Pixels> {
  const { kind, shape, alpha } = asset;
  if (kind === "screenshot" && !edge.isEven && !edge.isTransparent) return blurredBackground(asset, picture);
  if (!alpha) return plainCanvas(asset, edge.colour, null);
  const isClear = transparentLayers.includes(shape) || (edge.isTransparent && shape !== "background");
  return plainCanvas(asset, edge.colour, isClear ? 0 : 255);
}

/** Factor by which the background is scaled down to be blurred, which looks the same and is much faster. */
const blurScale = 24;
const blurSigma = 4;
/** Brightness of the background, from which the picture must stand out. */
const backgroundBrightness = 0.82;

/** Returns the picture itself, filling the canvas, blurred and darkened. */
async function blurredBackground({ width, height }: Asset, picture: Picture): Promise<Pixels> {
  const small = { width: Math.ceil(width / blurScale), height: Math.ceil(height / blurScale) };
  const soft = await toSharp(picture)
    .resize(small.width, small.height, { fit: "cover" })
    .flatten()
    .blur(blurSigma)
    .linear(backgroundBrightness, 0)
    .raw()
    .toBuffer();
  const data = await toSharp({ data: soft, ...small, channels: 3 })
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return { data, width, height, channels: 3 };
}
