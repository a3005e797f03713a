/** Signals of a video's container. */
import { applyRules, type MediaFinding } from "./findings.js";
import type { VideoFigures } from "./video-figures.js";

const generators = /\b(?:sora|runway|pika ?labs|veo|kling|luma|synthesia|heygen)\b/i;
const editors = /premiere|davinci|capcut|final cut|imovie|filmora|handbrake|lavf[\d.]*/i;
const cameras = /com\.apple\.quicktime\.(?:make|model)|com\.android\.version|GoPro|\bDJI\b/i;

export function videoFindings({
  metadata,
  frames,
  duration,
  bytes,
  width,
  height,
}: VideoFigures): MediaFinding[] {
  const [generator, editor, camera] = [generators, editors, cameras].map(
    (pattern) => pattern.exec(metadata)?.[0],
  );
  const seconds = duration ?? 0;
  const isShortSquare = seconds > 0 && seconds <= 10.5 && width === height;
  const kilobits = seconds > 0 ? (bytes * 8) / seconds / 1000 : 0;
  return applyRules([
    [
      generator,
      "likely_ai",
      "metadata",
      "strong",
      "AI generator declared",
      "The file names an AI generator.",
    ],
    [
      editor,
      "likely_edited",
      "metadata",
      "strong",
      "Saved by an editor",
      "The file names a program, not a camera.",
    ],
    [camera, "likely_authentic", "metadata", "strong", "Camera data", "The file names a device."],
    [
      !camera && "no maker, no model",
      "likely_ai",
      "metadata",
      "weak",
      "No camera data",
      "Videos from a camera usually name it.",
    ],
    [
      isShortSquare && `${seconds.toFixed(1)} s, ${width} × ${height}`,
      "likely_ai",
      "container",
      "weak",
      "Short square clip",
      "AI generators produce clips of this kind.",
    ],
    [
      kilobits > 0 && kilobits < 300 && `${Math.round(kilobits)} kbit/s, ${frames ?? "?"} frames`,
      "likely_edited",
      "compression",
      "weak",
      "Heavy compression",
      "The video was probably encoded more than once.",
    ],
  ]);
}
