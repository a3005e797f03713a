/**
 * The engine with a neural network: @imgly/background-removal-node, when the user has installed it. It is under the
 * AGPL and 300 MB large, so an optional peer that nobody gets unasked.
 */
import { fromPixels, type Pixels, readPicture } from "../picture.js";

export interface Model {
  removeBackground(image: Blob): Promise<Blob>;
}

/** Null: it is not there. */
export type LoadModel = () => Promise<Model | null>;

/** No literal: neither the compiler nor the bundler is to look for it. */
const packageName: string = "@imgly/background-removal-node";

export const loadInstalled: LoadModel = async () => {
  try {
    return (await import(packageName)) as Model;
  } catch {
    // Not installed, or not for this platform: the built-in engine does it.
    return null;
  }
};

/** The picture with the model's transparency, at its own size; null when the model fails. */
export async function removeWith(model: Model, picture: Pixels): Promise<Pixels | null> {
  try {
    const png = await fromPixels(picture).png({ compressionLevel: 1 }).toBuffer();
    const removed = await model.removeBackground(new Blob([new Uint8Array(png)], { type: "image/png" }));
    const result = await readPicture(new Uint8Array(await removed.arrayBuffer()));
    const { width, height } = picture;
    if (result.width === width && result.height === height) return result;
    const data = await fromPixels(result)
      .resize(width, height, { fit: "fill" })
      .ensureAlpha()
      .raw()
      .toBuffer();
    return { data, width, height, channels: 4 };
  } catch {
    return null;
  }
}
