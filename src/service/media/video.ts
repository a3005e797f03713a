import * as Type from "typebox";
import { coded, MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { scanOutcomes } from "./outcomes.js";
import { VideoScan } from "./schemas.js";

/** As the bytes show themselves. */
const videoTypes = [
  "video/mp4",
  "video/x-m4v",
  "video/quicktime",
  "video/webm",
  "video/matroska",
  "video/vnd.avi",
  "video/mpeg",
  "video/ogg",
  "video/3gpp",
  "video/3gpp2",
];

export const scanVideo = operation({
  id: "scanVideo",
  route: "POST /v1/media-scan/video",
  summary: "Scan a video for AI generation and doctoring",
  description: "Always billed. At most 5 minutes long.",
  auth: "key",
  query: Type.Object({
    frames: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 30,
        default: 12,
        description: "How many frames are sampled",
        ...coded("frames_out_of_range", "a whole number from 4 to 30"),
      }),
    ),
  }),
  upload: { file: { maxBytes: 200 * MB, types: videoTypes, description: "The video" } },
  reply: { 201: VideoScan },
  refuses: ["frames_out_of_range", "video_too_long", "insufficient_balance"],
  outcomes: scanOutcomes,
  price: "media_video",
});
