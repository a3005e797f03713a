/**
 * Makes the background of a picture transparent and returns an upright PNG of the same size. Works for products and people
 * on a plain background, which may have gradients and soft shadows. Pictures that already have transparent parts, have no
 * plain background, or show nothing else are returned unchanged, so that the result is never fully transparent.
 */

import type { Engine } from "../engine.js";
import { type Picture, type Pixels, readPicture, toSharp } from "../picture.js";
import { findBackground } from "./mask.js";
import { cutOut } from "./matte.js";
import { makeSmallCopy } from "./small-copy.js";

interface BackgroundRemovalModel {
  removeBackground(image: Blob): Promise<Blob>;
}

/** Loads a model. Resolves to null if none is installed. */
type LoadModel = () => Promise<BackgroundRemovalModel | null>;

/** Name of the package. Its type is string, so that neither the compiler nor the bundler resolves the package. */
const packageName: string = "@imgly/background-removal-node";

/**
 * Loads the neural network of @imgly/background-removal-node, if the user has installed it. It is an optional peer
 * dependency because it is licensed under the AGPL and takes 300 MB.
 */
const loadInstalledModel: LoadModel = async () => {
  try {
    return (await import(packageName)) as BackgroundRemovalModel;
  } catch {
    // Not installed, or not available for this platform.
    return null;
  }
};

/** Returns the picture with the model's transparency at its original size, or null if the model fails. */
async function removeWithModel(model: BackgroundRemovalModel, picture: Pixels): Promise<Pixels | null> {
  try {
    const png = await toSharp(picture).png({ compressionLevel: 1 }).toBuffer();
    const removed = await model.removeBackground(new Blob([new Uint8Array(png)], { type: "image/png" }));
    const result = await readPicture(new Uint8Array(await removed.arrayBuffer()));
    const { width, height } = picture;
    if (result.width === width && result.height === height) return result;
    const data = await toSharp(result).resize(width, height, { fit: "fill" }).ensureAlpha().raw().toBuffer();
    return { data, width, height, channels: 4 };
  } catch {
    return null;
  }
}

/** Creates an engine that uses the model that `loadModel` resolves to, or else the built-in algorithm. */
export function createBackgroundRemover(loadModel: LoadModel): Engine<Record<string, never>> {
  return async (bytes, _options, report) => {
    const picture = await readPicture(bytes);
    const { pixels, confidence } = await cut(picture, await loadModel());
    if (report) report.confidence = confidence;
    return toPng(pixels);
  };
}

export const cutOutSubject = createBackgroundRemover(loadInstalledModel);

interface Cut {
  pixels: Pixels;
  /** Confidence from 0, for no background, to 1. */
  confidence: number;
}

async function cut(picture: Picture, model: BackgroundRemovalModel | null): Promise<Cut> {
  if (isAlreadyCutOut(picture)) return { pixels: picture, confidence: 1 };
  const removed = model && (await removeWithModel(model, picture));
  return removed ? { pixels: removed, confidence: decidedShare(removed) } : await removeByColour(picture);
}

async function removeByColour(picture: Picture): Promise<Cut> {
  const copy = await makeSmallCopy(picture);
  const found = findBackground(copy);
  if (!found) return { pixels: picture, confidence: 0 };
  return { pixels: cutOut(picture, copy, found.background), confidence: found.confidence };
}

/** Limits of clear opacities. Opacities between them are undecided. */
const clearAlpha = 26;
const opaqueAlpha = 229;

/** Returns the share of pixels that are clearly object or background. */
function decidedShare({ data, channels }: Pixels): number {
  let undecided = 0;
  for (let at = 3; channels === 4 && at < data.length; at += 4)
    if ((data[at] as number) > clearAlpha && (data[at] as number) < opaqueAlpha) undecided += 1;
  return channels === 4 ? 1 - (4 * undecided) / data.length : 0;
}

/** Share of transparent pixels from which a picture counts as already cut out. */
const minTransparentShare = 0.01;

function isAlreadyCutOut({ data, channels }: Pixels): boolean {
  let clear = 0;
  for (let at = 3; channels === 4 && at < data.length; at += 4) if ((data[at] as number) < 128) clear += 1;
  return clear > (minTransparentShare * data.length) / 4;
}

/** Compression level of the PNG, which favours speed over size, because the client is usually on the same machine. */
const compressionLevel = 3;

const toPng = (pixels: Pixels): Promise<Uint8Array> =>
  toSharp(pixels).ensureAlpha().png({ compressionLevel }).toBuffer();
