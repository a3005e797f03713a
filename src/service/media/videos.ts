/** Scans of videos: figures of the file, the signals that they show, and the operation. */

import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { testValueWithin } from "../test-values.js";
import { type ByteWalk, ByteWalker, emptyFigures, read, skip, type VideoFigures } from "./byte-walker.js";
import { walkMp4 } from "./mp4.js";
import { applyRules, type MediaFinding, saveScan, scan, scanOutcomes, VideoScan } from "./scans.js";
import { walkWebm } from "./webm.js";

// Measures a video while it is uploaded: reads its container, without decoding or storing anything.

const ebmlId = 0x1a45dfa3;

/** Detects the container by its first bytes. */
function* walkAny(figures: VideoFigures): ByteWalk {
  const start = yield read(4);
  if (start.readUInt32BE() === ebmlId) yield* walkWebm(figures);
  else if (start.toString("latin1") === "RIFF") yield* walkAvi(figures);
  else yield* walkMp4(figures, start);
}

/** Reads the main header of AVI, which has microseconds per frame and the number of frames. */
function* walkAvi(figures: VideoFigures): ByteWalk {
  yield skip(4 + 4 + 12);
  const head = yield read(8 + 56);
  if (head.toString("latin1", 0, 4) !== "avih") return;
  const microseconds = head.readUInt32LE(8);
  figures.frames = head.readUInt32LE(24);
  figures.width = head.readUInt32LE(40);
  figures.height = head.readUInt32LE(44);
  figures.hasVideo = figures.width > 0 && figures.height > 0;
  figures.duration = (microseconds * figures.frames) / 1e6 || null;
}

export class VideoInspector extends ByteWalker<VideoFigures> {
  constructor() {
    super(walkAny, emptyFigures());
  }

  override see(chunk: Buffer): void {
    this.figures.bytes += chunk.length;
    super.see(chunk);
  }

  override end(): VideoFigures {
    const { figures } = this;
    figures.duration ??= figures.fragments > 0 ? figures.fragments : null;
    return figures;
  }
}

// Signals of a video's container.

const generators = /\b(?:sora|runway|pika ?labs|veo|kling|luma|synthesia|heygen)\b/i;
const editors = /premiere|davinci|capcut|final cut|imovie|filmora|handbrake|lavf[\d.]*/i;
const cameras = /com\.apple\.quicktime\.(?:make|model)|com\.android\.version|GoPro|\bDJI\b/i;

function videoFindings({ metadata, frames, duration, bytes, width, height }: VideoFigures): MediaFinding[] {
  const [generator, editor, camera] = [generators, editors, cameras].map(
    (pattern) => pattern.exec(metadata)?.[0],
  );
  const seconds = duration ?? 0;
  const isShortSquare = seconds > 0 && seconds <= 10.5 && width === height;
  const kilobits = seconds > 0 ? (bytes * 8) / seconds / 1000 : 0;
  const isCompressed = kilobits > 0 && kilobits < 300;
  return applyRules("video", {
    generator,
    editor,
    camera,
    no_camera: !camera && "no maker, no model",
    short_square: isShortSquare && `${seconds.toFixed(1)} s, ${width} × ${height}`,
    compressed: isCompressed && `${Math.round(kilobits)} kbit/s, ${frames ?? "?"} frames`,
  });
}

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
  refuses: ["frames_out_of_range", "video_too_long", "file_unreadable"],
  outcomes: scanOutcomes,
  price: "media_video",
  assumptions: ["media.signals", "media.videos"],

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
