/** Draws one asset: the whole picture, never stretched, on a ground that goes on where it ends. */
import { fromPixels, type Picture, type Pixels } from "../picture.js";
import { cutRound, inOneColour, layOn, plain } from "./canvas.js";
import type { Edge } from "./edge.js";
import { type Asset, shareOf } from "./table.js";

/** Pixels of the asset's size, with alpha where its store takes that. */
export async function draw(asset: Asset, picture: Picture, edge: Edge): Promise<Pixels> {
  const drawn = await groundOf(asset, picture, edge);
  if (asset.shape === "background") return drawn;
  const placed = await place(asset, picture);
  layOn(drawn, asset.shape === "monochrome" ? inOneColour(placed, edge.colour) : placed);
  if (asset.shape === "round") cutRound(drawn);
  return drawn;
}

/** The picture as large as its share of the canvas lets it be. */
async function place(asset: Asset, picture: Picture): Promise<Pixels> {
  const box = boxOf(asset);
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const { channels } = picture;
  const resized = fromPixels(picture).resize(width, height, { fit: "fill", kernel: "lanczos3" });
  // What is made smaller goes soft. Along a transparent edge sharpening would draw a seam.
  const sharpened = scale < 1 && channels === 3 ? resized.sharpen() : resized;
  return { data: await sharpened.raw().toBuffer(), width, height, channels };
}

function boxOf(asset: Asset): { width: number; height: number } {
  const { kind, width, height } = asset;
  const share = shareOf(asset);
  if (kind !== "splash") return { width: width * share, height: height * share };
  const side = Math.min(width, height) * share;
  return { width: side, height: side };
}

/** Layers that the system lays on a ground of its own. */
const floating = ["foreground", "monochrome", "splash_icon"];

async function groundOf(asset: Asset, picture: Picture, edge: Edge): Promise<Pixels> {
  const { kind, shape, alpha } = asset;
  if (kind === "screenshot" && !edge.isEven && !edge.isTransparent) return blurred(asset, picture);
  if (!alpha) return plain(asset, edge.colour, null);
  const isClear = floating.includes(shape) || (edge.isTransparent && shape !== "background");
  return plain(asset, edge.colour, isClear ? 0 : 255);
}

/** A copy is blurred so much smaller, which comes to the same and costs next to nothing. */
const reduction = 24;
const softness = 4;
/** Darker than the picture, which stands out from it. */
const dimmed = 0.82;

/** The picture itself, filling the canvas, out of focus. */
async function blurred({ width, height }: Asset, picture: Picture): Promise<Pixels> {
  const small = { width: Math.ceil(width / reduction), height: Math.ceil(height / reduction) };
  const soft = await fromPixels(picture)
    .resize(small.width, small.height, { fit: "cover" })
    .flatten()
    .blur(softness)
    .linear(dimmed, 0)
    .raw()
    .toBuffer();
  const data = await fromPixels({ data: soft, ...small, channels: 3 })
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return { data, width, height, channels: 3 };
}
