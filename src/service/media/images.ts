import type { Static } from "typebox";
import { refuse } from "../../contract/errors.js";
import { asNotInstalled, refuseNotInstalled } from "../../contract/optional-packages.js";
import { operation } from "../operation.js";
import { testValueWithin } from "../test-values.js";
import { ImageScan, saveScan, scan, scanOutcomes } from "./scans.js";

/** Name of the simulated classifier. */
const classifier_model = "standin-image-1";

/** Accepted media types. TIFF cannot be recognised by its first bytes. */
const imageTypes = [
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/heic",
  "image/heif",
  "image/bmp",
];

export const scanImage = operation({
  id: "scanImage",
  route: "POST /v1/media-scan/image",
  summary: "Scan an image for AI generation and doctoring",
  description: "Metadata, forensic and classifier signals. The first scan of an account is free.",
  auth: "key",
  isHarmless: true,
  upload: { file: { maxMB: 15, types: imageTypes, description: "The image", keep: true } },
  reply: { 201: ImageScan },
  refuses: ["not_installed"],
  outcomes: scanOutcomes,
  price: "media_image",
  freeFirst: ["media_image"],
  assumptions: ["uploads.limits", "media.signals", "media.images"],

  testValue: ({ files }) => testValueWithin("scanImage", "file name", files.file.filename),

  async prepare({ files, decision }) {
    const signals = await import("./image-signals.js").catch((error: unknown) => {
      if (decision.by === "default" || !asNotInstalled(error)) refuseNotInstalled(error);
    });
    // A requested outcome needs no measured signals.
    if (!signals) return [];
    const { imageFindings, measureImage, maxImagePixels } = signals;
    const figures = await measureImage(files.file.bytes as Buffer);
    if ((figures.width ?? 0) * (figures.height ?? 0) > maxImagePixels) {
      const message = `file is ${figures.width} × ${figures.height} pixels; at most ${maxImagePixels} pixels are allowed.`;
      refuse("file_too_large", { param: "file", message });
    }
    return imageFindings(figures);
  },

  handle: (call) =>
    scan.view(saveScan(call, "image", call.prepared, { classifier_model })) as Static<typeof ImageScan>,
});
