import { operation } from "../operation.js";
import { conversionOutcomes, convertFile, replyWithFile } from "./file-conversion.js";

export const removeBackground = operation({
  id: "removeBackground",
  route: "POST /v1/tools/remove-background",
  summary: "Remove the background of an image",
  description: "Returns a PNG of the same size with a transparent background.",
  auth: "key",
  upload: {
    file: {
      maxMB: 15,
      types: ["image/png", "image/jpeg", "image/webp"],
      description: "PNG, JPEG or WebP image",
      keep: true,
    },
  },
  reply: { 200: { contentType: "image/png", description: "Transparent PNG" } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convertFile(call, "background", {}),
  handle: (call) => replyWithFile(call, "image/png", "png"),
});
