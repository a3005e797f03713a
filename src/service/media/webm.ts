/** The elements of WebM and Matroska that tell how long a video is (EBML, RFC 8794 and 9559). */
import { read, skip, type Walk } from "./byte-walker.js";
import { hear, type VideoFigures } from "./video-figures.js";

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

/** Elements that are entered: their children come next, whatever size they say, live recordings say none. */
const entered = new Set<number>([
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
  /** Nanoseconds of a tick. */
  scale: number;
  /** Ticks. */
  duration: number;
  cluster: number;
  last: number;
}

const videoTrack = 1;
const mostText = 1024;
/** Five minutes have a tenth of them; a file that is nothing else is not walked through to its end. */
const mostElements = 500_000;

/** The id of the document's header has been read. */
export function* walkWebm(seen: VideoFigures): Walk {
  const header = yield* readSize();
  if (header === null || header === unknown) return;
  yield skip(header);
  const times: Times = { scale: 1_000_000, duration: 0, cluster: 0, last: 0 };
  for (let elements = 0; elements < mostElements; elements++) {
    const id = yield* readId();
    const size = yield* readSize();
    if (id === 0 || size === null) return;
    if (entered.has(id)) continue;
    if (numbers.has(id) && size <= 8) takeNumber(id, yield* bytes(size), times, seen);
    else if (texts.has(id) && size <= mostText) hear(seen, yield* bytes(size));
    else if (blocks.has(id) && size >= 4) {
      const head = yield read(4);
      takeBlock(head, times, seen);
      yield skip(size - 4);
    } else if (size === unknown) return;
    else yield skip(size);
  }
}

function* bytes(size: number): Generator<ReturnType<typeof read>, Buffer, Buffer> {
  return size === 0 ? Buffer.alloc(0) : yield read(size);
}

/** All bits of a size set: the element ends where its parent's next child begins. */
const unknown = Number.POSITIVE_INFINITY;

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
  return full ? unknown : size;
}

function takeNumber(id: number, value: Buffer, times: Times, seen: VideoFigures): void {
  const whole = value.reduce((sum, byte) => sum * 256 + byte, 0);
  if (id === ids.timestampScale) times.scale = whole || times.scale;
  else if (id === ids.duration) times.duration = readFloat(value);
  else if (id === ids.trackType && whole === videoTrack) seen.hasVideo = true;
  else if (id === ids.width) seen.width = whole;
  else if (id === ids.height) seen.height = whole;
  else if (id === ids.timestamp) times.cluster = whole;
  tell(times, seen);
}

const readFloat = (value: Buffer): number =>
  value.length === 4 ? value.readFloatBE() : value.length === 8 ? value.readDoubleBE() : 0;

/** Track number (one byte for the first 127 tracks), and the time after the cluster's. */
function takeBlock(head: Buffer, times: Times, seen: VideoFigures): void {
  times.last = Math.max(times.last, times.cluster + head.readInt16BE(1));
  seen.frames = (seen.frames ?? 0) + 1;
  tell(times, seen);
}

/** Seconds: as the file says, or as far as its blocks go. */
function tell({ duration, last, scale }: Times, seen: VideoFigures): void {
  const ticks = Number.isFinite(duration) && duration > 0 ? duration : last;
  if (ticks > 0) seen.duration = (ticks * scale) / 1e9;
}
