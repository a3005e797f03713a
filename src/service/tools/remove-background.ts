import { refuse } from "../../contract/errors.js";
import { Answer } from "../../contract/reply-forms.js";
import { operation } from "../operation.js";
import { conversionOutcomes, convertFile, replyWithFile } from "./file-conversion.js";

/** A cut below this confidence is a guess. */
const minConfidence = 0.5;

export const removeBackground = operation({
  id: "removeBackground",
  route: "POST /v1/tools/remove-background",
  summary: "Remove the background of an image",
  description: "Returns a PNG of the same size with a transparent background.",
  auth: "key",
  isHarmless: true,
  upload: {
    file: {
      maxMB: 15,
      types: ["image/png", "image/jpeg", "image/webp"],
      description: "PNG, JPEG or WebP image",
      keep: true,
    },
  },
  reply: {
    200: {
      contentType: "image/png",
      description: "Transparent PNG",
      headers: {
        "X-Sandbox-Cut-Confidence": "How sure the cut is, from 0.00 (no background was found) to 1.00",
      },
    },
  },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,
  assumptions: ["files.background"],

  prepare: (call) => convertFile(call, "background", {}),

  handle(call) {
    const confidence = call.prepared?.confidence ?? 0;
    if (call.prepared && confidence < minConfidence && call.assumptions["files.background"] === "refused")
      refuse("file_unreadable", {
        param: "file",
        message: `${JSON.stringify(call.files.file.filename.slice(0, 80))}: its background is not plain enough to be told from the object (confidence ${confidence.toFixed(2)}); send a picture on a plain background.`,
      });
    const file = replyWithFile(call, "image/png", "png");
    return new Answer(200, file, { "X-Sandbox-Cut-Confidence": confidence.toFixed(2) });
  },
});
