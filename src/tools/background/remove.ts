/**
 * Makes the background transparent; a PNG of the same size, upright. For products and people before a plain ground, with
 * gradients and soft shadows. A picture that has transparent parts already keeps them and is left as it is; so is one
 * whose background is not plain, or that shows nothing but background: nothing is ever wholly transparent.
 */
import type { Engine } from "../engine.js";
import { fromPixels, type Picture, type Pixels, readPicture } from "../picture.js";
import { findMask } from "./mask.js";
import { cutOut } from "./matte.js";
import { type LoadModel, loadInstalled, removeWith } from "./model.js";
import { makeSmallCopy } from "./small-copy.js";

/** An engine that uses what `loadModel` finds, else the built-in algorithm. */
export function remover(loadModel: LoadModel): Engine<Record<string, never>> {
  return async (bytes) => {
    const picture = await readPicture(bytes);
    if (isCutOut(picture)) return toPng(picture);
    const model = await loadModel();
    const removed = model && (await removeWith(model, picture));
    return toPng(removed ?? (await removeByColour(picture)));
  };
}

export const removeBackground = remover(loadInstalled);

async function removeByColour(picture: Picture): Promise<Pixels> {
  const copy = await makeSmallCopy(picture);
  const mask = findMask(copy);
  return mask ? cutOut(picture, copy, mask) : picture;
}

/** Of all pixels: with so many transparent ones somebody has cut it out already. */
const cutOutShare = 0.01;

function isCutOut({ data, channels }: Pixels): boolean {
  let clear = 0;
  for (let at = 3; channels === 4 && at < data.length; at += 4) if ((data[at] as number) < 128) clear += 1;
  return clear > (cutOutShare * data.length) / 4;
}

/** Fast rather than small: it goes over one machine's own network. */
const compressionLevel = 3;

const toPng = (pixels: Pixels): Promise<Uint8Array> =>
  fromPixels(pixels).ensureAlpha().png({ compressionLevel }).toBuffer();
