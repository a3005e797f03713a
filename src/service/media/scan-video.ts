import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { testValueWithin } from "../test-values.js";
import { scan } from "./machine.js";
import { VideoScan } from "./schemas.js";
import { saveScan, scanOutcomes } from "./verdict.js";
import type { VideoFigures } from "./video-figures.js";
import { VideoInspector } from "./video-inspector.js";
import { videoFindings } from "./video-signals.js";

export const maxDurationSeconds = 300;
const defaultFrames = 12;

/** Media types as detected from the bytes. */
const videoTypes = [
  "video/mp4",
  "video/x-m4v",
  "video/quicktime",
  "video/webm",
  "video/matroska",
  "video/vnd.avi",
  "video/3gpp",
  "video/3gpp2",
];

export const scanVideo = operation({
  id: "scanVideo",
  route: "POST /v1/media-scan/video",
  summary: "Scan a video for AI generation and doctoring",
  description: "Always billed. At most 5 minutes long.",
  auth: "key",
  isHarmless: true,
  query: Type.Object({
    frames: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 30,
        default: defaultFrames,
        description: "Number of frames to sample",
        ...coded("frames_out_of_range", "a whole number from 4 to 30"),
      }),
    ),
  }),
  upload: {
    file: {
      maxMB: 200,
      types: videoTypes,
      description: "The video",
      inspect: () => new VideoInspector(),
    },
  },
  reply: { 201: VideoScan },
  refuses: ["frames_out_of_range", "video_too_long", "file_unreadable", "insufficient_balance"],
  outcomes: scanOutcomes,
  price: "media_video",
  assumptions: ["media.verdicts", "media.signals", "media.videos"],

  testValue: ({ files }) => testValueWithin("scanVideo", "file name", files.file.filename),

  handle(call) {
    const figures = call.files.file.inspected as VideoFigures;
    const { duration } = figures;
    if (duration === null || !figures.hasVideo) {
      const message =
        "The file has no video track with a duration; upload an MP4, MOV, WebM, Matroska or AVI file.";
      return call.refuse("file_unreadable", { param: "file", message });
    }
    if (duration > maxDurationSeconds) {
      const message = `The video lasts ${Math.round(duration)} s; at most ${maxDurationSeconds} s (5 minutes) are allowed.`;
      call.refuse("video_too_long", { param: "file", message });
    }
    const own = {
      duration_seconds: Math.round(duration * 1000) / 1000,
      frames_sampled: call.query.frames ?? defaultFrames,
    };
    return scan.view(saveScan(call, "video", videoFindings(figures), own)) as Type.Static<typeof VideoScan>;
  },
});
