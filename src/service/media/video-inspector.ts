/** Measures a video while it is uploaded: reads its container, without decoding or storing anything. */
import { type ByteWalk, ByteWalker, read, skip } from "./byte-walker.js";
import { walkMp4 } from "./mp4.js";
import { emptyFigures, type VideoFigures } from "./video-figures.js";
import { walkWebm } from "./webm.js";

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
