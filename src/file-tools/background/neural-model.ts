/**
 * Removes backgrounds with the neural network of @imgly/background-removal-node, if the user has installed it. It is an
 * optional peer dependency because it is licensed under the AGPL and takes 300 MB.
 */
import { type Pixels, readPicture, toSharp } from "../picture.js";

export interface BackgroundRemovalModel {
  removeBackground(image: Blob): Promise<Blob>;
}

/** Resolves to null if no model is installed. */
export type LoadModel = () => Promise<BackgroundRemovalModel | null>;

/** Typed as string, so that neither the compiler nor the bundler resolves the package. */
const packageName: string = "@imgly/background-removal-node";

export const loadInstalledModel: LoadModel = async () => {
  try {
    return (await import(packageName)) as BackgroundRemovalModel;
  } catch {
    // Not installed, or not available for this platform.
    return null;
  }
};

/** Returns the picture with the model's transparency at its original size, or null if the model fails. */
export async function removeWithModel(
  model: BackgroundRemovalModel,
  picture: Pixels,
): Promise<Pixels | null> {
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
