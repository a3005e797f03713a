/**
 * Makes the background of a picture transparent and returns an upright PNG of the same size. Works for products and people
 * on a plain background, which may have gradients and soft shadows. Pictures that already have transparent parts, have no
 * plain background, or show nothing else are returned unchanged, so that the result is never fully transparent.
 */
import type { Engine } from "../engine.js";
import { type Picture, type Pixels, readPicture, toSharp } from "../picture.js";
import { findBackground } from "./mask.js";
import { cutOut } from "./matte.js";
import { type LoadModel, loadInstalledModel, removeWithModel } from "./neural-model.js";
import { makeSmallCopy } from "./small-copy.js";

/** Creates an engine that uses the model that `loadModel` resolves to, or else the built-in algorithm. */
export function createBackgroundRemover(loadModel: LoadModel): Engine<Record<string, never>> {
  return async (bytes) => {
    const picture = await readPicture(bytes);
    if (isAlreadyCutOut(picture)) return toPng(picture);
    const model = await loadModel();
    const removed = model && (await removeWithModel(model, picture));
    return toPng(removed ?? (await removeByColour(picture)));
  };
}

export const removeBackground = createBackgroundRemover(loadInstalledModel);

async function removeByColour(picture: Picture): Promise<Pixels> {
  const copy = await makeSmallCopy(picture);
  const background = findBackground(copy);
  return background ? cutOut(picture, copy, background) : picture;
}

/** Share of transparent pixels from which a picture counts as already cut out. */
const minTransparentShare = 0.01;

function isAlreadyCutOut({ data, channels }: Pixels): boolean {
  let clear = 0;
  for (let at = 3; channels === 4 && at < data.length; at += 4) if ((data[at] as number) < 128) clear += 1;
  return clear > (minTransparentShare * data.length) / 4;
}

/** Favours speed over size, because the client is usually on the same machine. */
const compressionLevel = 3;

const toPng = (pixels: Pixels): Promise<Uint8Array> =>
  toSharp(pixels).ensureAlpha().png({ compressionLevel }).toBuffer();
