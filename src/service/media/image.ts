import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { scanOutcomes } from "./outcomes.js";
import { ImageScan } from "./schemas.js";

const imageTypes = [
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/heic",
  "image/heif",
  "image/tiff",
  "image/bmp",
];

export const scanImage = operation({
  id: "scanImage",
  route: "POST /v1/media-scan/image",
  summary: "Scan an image for AI generation and doctoring",
  description: "Metadata, forensic and classifier signals. The first scan of an account is free.",
  auth: "key",
  upload: { file: { maxBytes: 15 * MB, types: imageTypes, description: "The image" } },
  reply: { 201: ImageScan },
  refuses: ["insufficient_balance"],
  outcomes: scanOutcomes,
  price: "media_image",
  assumptions: ["uploads.limits"],
});
