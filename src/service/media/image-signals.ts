/** What an image gives away. Loaded with the first image, and the engines that measure it with it. */

import { type Add, collectFindings, type Finding } from "./findings.js";
import type { ImageFigures } from "./image-figures.js";

export { measureImage, mostPixels } from "./image-figures.js";

const editors = /photoshop|lightroom|gimp|affinity|pixelmator|snapseed|facetune|canva|picsart/i;

export const imageFindings = (figures: ImageFigures): Finding[] =>
  collectFindings((add) => {
    addMetadata(figures, add);
    addPixels(figures, add);
  });

function addMetadata({ declaredAi, credentials, software, camera }: ImageFigures, add: Add): void {
  if (declaredAi)
    add(
      "likely_ai",
      "metadata",
      "strong",
      "Made by a model, it says",
      "The file names a generator.",
      declaredAi,
    );
  if (credentials)
    add(
      "likely_authentic",
      "metadata",
      "weak",
      "Content credentials",
      "The file carries C2PA credentials.",
      "c2pa",
    );
  if (software && editors.test(software))
    add(
      "likely_edited",
      "metadata",
      "strong",
      "Saved by an editor",
      "The file names an image editor.",
      software,
    );
  if (camera)
    add(
      "likely_authentic",
      "metadata",
      "moderate",
      "Taken by a camera",
      "Maker and model are in the file.",
      camera,
    );
  else
    add(
      "likely_ai",
      "metadata",
      "weak",
      "No camera data",
      "Photos that come from a camera name it.",
      "no maker, no model",
    );
}

const squares = new Set([512, 768, 1024, 1536, 2048]);

function addPixels({ width, height, format, noise, bitsPerPixel }: ImageFigures, add: Add): void {
  if (width !== null && width === height && squares.has(width))
    add(
      "likely_ai",
      "forensic",
      "weak",
      "Size that generators use",
      "Cameras do not take squares of this size.",
      `${width} × ${height}`,
    );
  if (noise !== null && noise < 0.6)
    add(
      "likely_ai",
      "forensic",
      "moderate",
      "Too smooth",
      "A sensor leaves more noise.",
      `noise ${noise.toFixed(2)} of 255`,
    );
  if (noise !== null && noise > 2.5)
    add(
      "likely_authentic",
      "forensic",
      "weak",
      "Noise of a sensor",
      "Fine detail is uneven, as sensors leave it.",
      `noise ${noise.toFixed(2)} of 255`,
    );
  if (format === "jpeg" && bitsPerPixel !== null && bitsPerPixel < 0.4)
    add(
      "likely_edited",
      "forensic",
      "weak",
      "Compressed hard",
      "It was likely saved more than once.",
      `${bitsPerPixel.toFixed(2)} bits a pixel`,
    );
}
