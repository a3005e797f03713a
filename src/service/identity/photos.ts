/** Uploaded photos of a person or an ID document: their limits and their score. */

import type { UploadField } from "../../contract/upload.js";
import { Random } from "../../time/random.js";

/** Large enough for the largest phone cameras (16,320 × 12,240), small enough to stop decompression bombs. */
export const maxPhotoPixels = 200_000_000;

/** Describes the upload field of a photo, which is inspected and then discarded. */
export const photo = (description: string): UploadField => ({
  maxMB: 15,
  maxPixels: maxPhotoPixels,
  types: ["image/png", "image/jpeg", "image/webp"],
  description,
});

/** Returns a score from `min` to `max`. The same files get the same score on every account. */
export const photoScore = (min: number, max: number, ...hashes: readonly string[]): number =>
  Random.seeded("photo", ...hashes).integer(min, max);
