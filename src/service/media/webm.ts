/** Reads duration, frames and size from the elements of WebM and Matroska (EBML, RFC 8794 and 9559). */
import { addMetadata, type ByteWalk, read, skip, type VideoFigures } from "./byte-walker.js";

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxer: 0x4d80,
  writer: 0x5741,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  group: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;

/** Ids of the elements whose children are read, whatever their size. Live recordings have no sizes. */
const containers = new Set<number>([
  ids.segment,
  ids.info,
  ids.tracks,
  ids.track,
  ids.video,
  ids.cluster,
  ids.group,
]);
const numbers = new Set<number>([
  ids.timestampScale,
  ids.duration,
  ids.trackType,
  ids.width,
  ids.height,
  ids.timestamp,
]);
const texts = new Set<number>([ids.muxer, ids.writer]);
const blocks = new Set<number>([ids.block, ids.simpleBlock]);

interface Times {
  /** Nanoseconds per tick. */
  scale: number;
  /** Declared duration, in ticks. */
  duration: number;
  /** Start of the current cluster, in ticks. */
  cluster: number;
  /** Time of the last block, in ticks. */
  last: number;
}

const videoTrack = 1;
const maxTextBytes = 1024;
/** Reading stops at this count, ten times the count of a five-minute video, in case a file consists only of elements. */
const maxElements = 500_000;

/** Reads the elements of a file after the id of its header. */
export function* walkWebm(figures: VideoFigures): ByteWalk {
  const header = yield* readSize();
  if (header === null || header === unknownSize) return;
  yield skip(header);
  const times: Times = { scale: 1_000_000, duration: 0, cluster: 0, last: 0 };
  for (let elements = 0; elements < maxElements; elements++) {
    const id = yield* readId();
    const size = yield* readSize();
    if (id === 0 || size === null) return;
    if (containers.has(id)) continue;
    if (numbers.has(id) && size <= 8) takeNumber(id, yield* bytes(size), times, figures);
    else if (texts.has(id) && size <= maxTextBytes) addMetadata(figures, yield* bytes(size));
    else if (blocks.has(id) && size >= 4) {
      const head = yield read(4);
      takeBlock(head, times, figures);
      yield skip(size - 4);
    } else if (size === unknownSize) return;
    else yield skip(size);
  }
}

function* bytes(size: number): Generator<ReturnType<typeof read>, Buffer, Buffer> {
  return size === 0 ? Buffer.alloc(0) : yield read(size);
}

/** Size with all bits set: the element ends where its parent's next child begins. */
const unknownSize = Number.POSITIVE_INFINITY;

const lengthOf = (first: number): number => Math.clz32(first) - 23;

function* readId(): Generator<ReturnType<typeof read>, number, Buffer> {
  const first = (yield read(1))[0] ?? 0;
  const length = lengthOf(first);
  if (length > 4) return 0;
  let id = first;
  if (length > 1) for (const byte of yield read(length - 1)) id = id * 256 + byte;
  return id;
}

function* readSize(): Generator<ReturnType<typeof read>, number | null, Buffer> {
  const first = (yield read(1))[0] ?? 0;
  const length = lengthOf(first);
  if (length > 8) return null;
  const mask = 2 ** (8 - length) - 1;
  let size = first & mask;
  let full = size === mask;
  if (length > 1) {
    for (const byte of yield read(length - 1)) {
      size = size * 256 + byte;
      full &&= byte === 255;
    }
  }
  return full ? unknownSize : size;
}

function takeNumber(id: number, value: Buffer, times: Times, figures: VideoFigures): void {
  const whole = value.reduce((sum, byte) => sum * 256 + byte, 0);
  if (id === ids.timestampScale) times.scale = whole || times.scale;
  else if (id === ids.duration) times.duration = readFloat(value);
  else if (id === ids.trackType && whole === videoTrack) figures.hasVideo = true;
  else if (id === ids.width) figures.width = whole;
  else if (id === ids.height) figures.height = whole;
  else if (id === ids.timestamp) times.cluster = whole;
  updateDuration(times, figures);
}

const readFloat = (value: Buffer): number =>
  value.length === 4 ? value.readFloatBE() : value.length === 8 ? value.readDoubleBE() : 0;

/**
 * Reads the time of a block, relative to its cluster; it follows the track number, one byte for the first 127 tracks.
 */
function takeBlock(head: Buffer, times: Times, figures: VideoFigures): void {
  times.last = Math.max(times.last, times.cluster + head.readInt16BE(1));
  figures.frames = (figures.frames ?? 0) + 1;
  updateDuration(times, figures);
}

/** Updates the duration in seconds: the declared duration, or else the time of the last block. */
function updateDuration({ duration, last, scale }: Times, figures: VideoFigures): void {
  const ticks = Number.isFinite(duration) && duration > 0 ? duration : last;
  if (ticks > 0) figures.duration = (ticks * scale) / 1e9;
}
