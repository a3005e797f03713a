/** Draws one asset: the whole picture, never stretched, on a background that continues the picture's edge. */
import { type Picture, type Pixels, toSharp } from "../picture.js";
import { type Asset, pictureShare } from "./assets.js";
import { cropToCircle, drawCentred, plainCanvas, toSilhouette } from "./canvas.js";
import type { PictureEdge } from "./edge.js";

/** Returns pixels of the asset's size, with alpha where the store accepts it. */
export async function drawAsset(asset: Asset, picture: Picture, edge: PictureEdge): Promise<Pixels> {
  const drawn = await canvasFor(asset, picture, edge);
  if (asset.shape === "background") return drawn;
  const placed = await scaleToFit(asset, picture);
  drawCentred(drawn, asset.shape === "monochrome" ? toSilhouette(placed, edge.colour) : placed);
  if (asset.shape === "round") cropToCircle(drawn);
  return drawn;
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

/** Layers that the operating system draws on a background of its own. */
const transparentLayers = ["foreground", "monochrome", "splash_icon"];

async function canvasFor(asset: Asset, picture: Picture, edge: PictureEdge): Promise<Pixels> {
  const { kind, shape, alpha } = asset;
  if (kind === "screenshot" && !edge.isEven && !edge.isTransparent) return blurredBackground(asset, picture);
  if (!alpha) return plainCanvas(asset, edge.colour, null);
  const isClear = transparentLayers.includes(shape) || (edge.isTransparent && shape !== "background");
  return plainCanvas(asset, edge.colour, isClear ? 0 : 255);
}

/** The background is blurred at 1/24 of its size, which looks the same and is much faster. */
const blurScale = 24;
const blurSigma = 4;
/** Darkens the background so that the picture stands out from it. */
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
