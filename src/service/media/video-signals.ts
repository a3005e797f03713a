/** What a video's container gives away. */
import { type Add, collectFindings, type Finding } from "./findings.js";
import type { VideoFigures } from "./video-figures.js";

const generators = /\b(?:sora|runway|pika ?labs|veo|kling|luma|synthesia|heygen)\b/i;
const editors = /premiere|davinci|capcut|final cut|imovie|filmora|handbrake|lavf[\d.]*/i;
const cameras = /com\.apple\.quicktime\.(?:make|model)|com\.android\.version|GoPro|\bDJI\b/i;

export const videoFindings = (figures: VideoFigures): Finding[] =>
  collectFindings((add) => {
    addMetadata(figures, add);
    addContainer(figures, add);
  });

function addMetadata({ told }: VideoFigures, add: Add): void {
  const [generator, editor, camera] = [generators, editors, cameras].map((marks) => marks.exec(told)?.[0]);
  if (generator)
    add(
      "likely_ai",
      "metadata",
      "strong",
      "Made by a model, it says",
      "The file names a generator.",
      generator,
    );
  if (editor)
    add(
      "likely_edited",
      "metadata",
      "strong",
      "Written by an editor",
      "The file names a program, not a camera.",
      editor,
    );
  if (camera)
    add("likely_authentic", "metadata", "strong", "Taken by a camera", "The file names a device.", camera);
  else
    add(
      "likely_ai",
      "metadata",
      "weak",
      "No camera data",
      "Videos that come from a camera name it.",
      "no maker, no model",
    );
}

function addContainer({ frames, duration, bytes, width, height }: VideoFigures, add: Add): void {
  const seconds = duration ?? 0;
  if (seconds > 0 && seconds <= 10.5 && width === height)
    add(
      "likely_ai",
      "container",
      "weak",
      "Short square clip",
      "Generators make clips of this kind.",
      `${seconds.toFixed(1)} s, ${width} × ${height}`,
    );
  const kilobits = seconds > 0 ? (bytes * 8) / seconds / 1000 : 0;
  if (kilobits > 0 && kilobits < 300)
    add(
      "likely_edited",
      "compression",
      "weak",
      "Compressed hard",
      "It was likely encoded more than once.",
      `${Math.round(kilobits)} kbit/s, ${frames ?? "?"} frames`,
    );
}
