/** Signals of an image. Loaded with the first scan, together with the libraries that measure images. */
import { applyRules, type MediaFinding } from "./findings.js";
import type { ImageFigures } from "./image-figures.js";

export { maxImagePixels, measureImage } from "./image-figures.js";

const editors = /photoshop|lightroom|gimp|affinity|pixelmator|snapseed|facetune|canva|picsart/i;

/** Square sizes that image generators produce. */
const generatorSizes = new Set([512, 768, 1024, 1536, 2048]);

export function imageFindings(figures: ImageFigures): MediaFinding[] {
  const { declaredAi, credentials, software, camera, width, height, format, noise, bitsPerPixel } = figures;
  const editor = software && editors.test(software) ? software : null;
  const size = width !== null && width === height && generatorSizes.has(width) && `${width} × ${height}`;
  const noiseLevel = noise !== null && `noise ${noise.toFixed(2)} of 255`;
  const compression = format === "jpeg" && bitsPerPixel !== null && bitsPerPixel < 0.4;
  return applyRules([
    [
      declaredAi,
      "likely_ai",
      "metadata",
      "strong",
      "AI generator declared",
      "The file names an AI generator.",
    ],
    [
      credentials && "c2pa",
      "likely_authentic",
      "metadata",
      "weak",
      "Content credentials",
      "The file has C2PA credentials.",
    ],
    [editor, "likely_edited", "metadata", "strong", "Saved by an editor", "The file names an image editor."],
    [
      camera,
      "likely_authentic",
      "metadata",
      "moderate",
      "Camera data",
      "The file names a camera's make or model.",
    ],
    [
      !camera && "no maker, no model",
      "likely_ai",
      "metadata",
      "weak",
      "No camera data",
      "Photos from a camera usually name it.",
    ],
    [
      size,
      "likely_ai",
      "forensic",
      "weak",
      "Size typical of generators",
      "Cameras do not produce this square size.",
    ],
    [
      noise !== null && noise < 0.6 && noiseLevel,
      "likely_ai",
      "forensic",
      "moderate",
      "Unusually smooth",
      "A camera sensor leaves more noise.",
    ],
    [
      noise !== null && noise > 2.5 && noiseLevel,
      "likely_authentic",
      "forensic",
      "weak",
      "Sensor noise",
      "Fine detail is uneven, as camera sensors leave it.",
    ],
    [
      compression && `${bitsPerPixel.toFixed(2)} bits per pixel`,
      "likely_edited",
      "forensic",
      "weak",
      "Heavy compression",
      "The image was probably saved more than once.",
    ],
  ]);
}
