import type { Static } from "typebox";
import { refuse } from "../../contract/errors.js";
import { refuseNotInstalled } from "../../contract/optional-packages.js";
import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { testValueWithin } from "../test-values.js";
import { viewScan } from "./machine.js";
import { scanOutcomes } from "./outcomes.js";
import { ImageScan } from "./schemas.js";
import { keepScan, type ScanOutcome } from "./verdict.js";

/** Name of the classifier that the service would ask. */
const imageModel = "standin-image-1";

/** TIFF is not among them: its bytes show what it is anywhere, and uploads are told apart by their first. */
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
  upload: { file: { maxBytes: 15 * MB, types: imageTypes, description: "The image", keep: true } },
  reply: { 201: ImageScan },
  refuses: ["insufficient_balance", "not_installed"],
  outcomes: scanOutcomes,
  price: "media_image",
  freeFirst: ["media_image"],
  assumptions: ["uploads.limits", "media.verdicts", "media.signals", "media.images"],

  testValue: ({ files }) =>
    testValueWithin("scanImage", "file name", files.file.filename) as ScanOutcome | undefined,

  async prepare({ files }) {
    const { imageFindings, measureImage, mostPixels } = await import("./image-signals.js").catch(
      refuseNotInstalled,
    );
    const figures = await measureImage(files.file.bytes as Buffer);
    if ((figures.width ?? 0) * (figures.height ?? 0) > mostPixels) {
      const message = `file is ${figures.width} × ${figures.height} pixels; it may have at most ${mostPixels} pixels.`;
      refuse("file_too_large", { param: "file", message });
    }
    return imageFindings(figures);
  },

  handle: (call) =>
    viewScan(keepScan(call, "image", call.prepared, { classifier_model: imageModel })) as Static<
      typeof ImageScan
    >,
});
