/** Measures a video while it streams by: its container is read, nothing is decoded and nothing kept. */
import { ByteWalker, read, skip, type Walk } from "./byte-walker.js";
import { walkMp4 } from "./mp4.js";
import { fresh, type VideoFigures } from "./video-figures.js";
import { walkWebm } from "./webm.js";

const ebml = 0x1a45dfa3;

/** The first bytes say which container it is. */
function* walkAny(seen: VideoFigures): Walk {
  const start = yield read(4);
  if (start.readUInt32BE() === ebml) yield* walkWebm(seen);
  else if (start.toString("latin1") === "RIFF") yield* walkAvi(seen);
  else yield* walkMp4(seen, start);
}

/** AVI: the main header has the time of a frame in microseconds and the number of frames. */
function* walkAvi(seen: VideoFigures): Walk {
  yield skip(4 + 4 + 12);
  const head = yield read(8 + 56);
  if (head.toString("latin1", 0, 4) !== "avih") return;
  const microseconds = head.readUInt32LE(8);
  seen.frames = head.readUInt32LE(24);
  seen.width = head.readUInt32LE(40);
  seen.height = head.readUInt32LE(44);
  seen.hasVideo = seen.width > 0 && seen.height > 0;
  seen.duration = (microseconds * seen.frames) / 1e6 || null;
}

export class VideoInspector extends ByteWalker<VideoFigures> {
  constructor() {
    super(walkAny, fresh());
  }

  override see(chunk: Buffer): void {
    this.seen.bytes += chunk.length;
    super.see(chunk);
  }

  override end(): VideoFigures {
    const { seen } = this;
    seen.duration ??= seen.fragments > 0 ? seen.fragments : null;
    return seen;
  }
}
