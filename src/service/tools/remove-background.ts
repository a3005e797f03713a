import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { convert, reply } from "./file-conversion.js";
import { conversionOutcomes } from "./outcomes.js";

export const removeBackground = operation({
  id: "removeBackground",
  route: "POST /v1/tools/remove-background",
  summary: "Make the background of an image transparent",
  auth: "key",
  upload: {
    file: {
      maxBytes: 15 * MB,
      types: ["image/png", "image/jpeg", "image/webp"],
      description: "PNG, JPEG or WebP",
      keep: true,
    },
  },
  reply: { 200: { contentType: "image/png", description: "The image as a transparent PNG" } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convert(call, "background", {}),
  handle: (call) => reply(call, "image/png", "png"),
});
