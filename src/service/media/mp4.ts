/** The boxes of MP4, MOV and 3GP that tell how long a video is (ISO 14496-12), fragments included. */
import { read, skip, type Walk } from "./byte-walker.js";
import { hear, type VideoFigures } from "./video-figures.js";

/** Boxes larger than this are not looked into: an index of five minutes has a megabyte at most. */
const mostBox = 8 * 1024 * 1024;
/** Five minutes have a tenth of them, in a file or in a box; one that is nothing else is not walked through to its end. */
const mostBoxes = 500_000;
const mostBoxesWithin = 10_000;

interface Movie {
  /** Its index has been read: a further one is passed over. */
  known: boolean;
  /** Ticks a second of each track, and the ticks of a sample where fragments do not say. */
  timescales: Map<number, number>;
  sampleTicks: Map<number, number>;
  /** Ticks of each track that fragments have. */
  fragmentTicks: Map<number, number>;
  videoTrack: number | null;
}

/** `start` is what was read of the first box to know what it is. */
export function* walkMp4(seen: VideoFigures, start: Buffer): Walk {
  const movie: Movie = {
    known: false,
    timescales: new Map(),
    sampleTicks: new Map(),
    fragmentTicks: new Map(),
    videoTrack: null,
  };
  for (let boxes = 0; boxes < mostBoxes; boxes++) {
    const head = boxes === 0 ? Buffer.concat([start, yield read(4)]) : yield read(8);
    const type = head.toString("latin1", 4, 8);
    let body = head.readUInt32BE(0) - 8;
    if (body === -7) body = Number((yield read(8)).readBigUInt64BE()) - 16;
    if (body === -8) body = Number.MAX_SAFE_INTEGER;
    if (body < 0) return;
    const wanted = type === "moov" ? !movie.known : type === "moof";
    if (!wanted || body === 0 || body > mostBox) yield skip(body);
    else if (type === "moov") readMovie(yield read(body), movie, seen);
    else readFragment(yield read(body), movie, seen);
  }
}

/** The boxes within a box; what runs over its end is left out. */
function* boxesIn(box: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0, boxes = 0; at + 8 <= box.length && boxes < mostBoxesWithin; boxes++) {
    const size = box.readUInt32BE(at);
    if (size < 8 || at + size > box.length) return;
    yield { type: box.toString("latin1", at + 4, at + 8), body: box.subarray(at + 8, at + size) };
    at += size;
  }
}

const find = (box: Buffer, ...path: string[]): Buffer | null => {
  let within: Buffer | null = box;
  for (const type of path) {
    within = within && firstIn(within, type);
  }
  return within;
};

function firstIn(box: Buffer, type: string): Buffer | null {
  for (const inner of boxesIn(box)) if (inner.type === type) return inner.body;
  return null;
}

/** Zero where the box ends before. */
const at = (box: Buffer | null, offset: number): number =>
  box && offset + 4 <= box.length ? box.readUInt32BE(offset) : 0;

/** Timescale and duration of mvhd and mdhd, whose first version has 32 bits for times and the second 64. */
function timesOf(box: Buffer | null): { timescale: number; ticks: number } {
  const wide = box?.[0] === 1;
  const ticks = wide ? at(box, 24) * 2 ** 32 + at(box, 28) : at(box, 16);
  return { timescale: at(box, wide ? 20 : 12), ticks };
}

function readMovie(box: Buffer, movie: Movie, seen: VideoFigures): void {
  movie.known = true;
  const { timescale, ticks } = timesOf(find(box, "mvhd"));
  if (timescale > 0 && ticks > 0 && ticks < 2 ** 32 - 1) seen.duration = ticks / timescale;
  for (const { type, body } of boxesIn(box)) if (type === "trak") readTrack(body, movie, seen);
  const extensions = find(box, "mvex") ?? Buffer.alloc(0);
  for (const { type, body } of boxesIn(extensions)) {
    if (type === "trex") movie.sampleTicks.set(at(body, 4), at(body, 12));
  }
  for (const texts of [find(box, "udta"), find(box, "meta")]) hear(seen, texts);
}

function readTrack(box: Buffer, movie: Movie, seen: VideoFigures): void {
  const header = find(box, "tkhd");
  const wide = header?.[0] === 1;
  const id = at(header, wide ? 20 : 12);
  movie.timescales.set(id, timesOf(find(box, "mdia", "mdhd")).timescale);
  const handler = find(box, "mdia", "hdlr");
  for (const texts of [find(box, "udta"), handler]) hear(seen, texts);
  if (handler?.toString("latin1", 8, 12) !== "vide") return;
  movie.videoTrack = id;
  seen.hasVideo = true;
  const samples = at(find(box, "mdia", "minf", "stbl", "stsz"), 8);
  if (samples > 0) seen.frames = samples;
  seen.width = at(header, wide ? 88 : 76) >>> 16;
  seen.height = at(header, wide ? 92 : 80) >>> 16;
}

function readFragment(box: Buffer, movie: Movie, seen: VideoFigures): void {
  for (const { type, body } of boxesIn(box)) if (type === "traf") readTrackFragment(body, movie, seen);
}

function readTrackFragment(box: Buffer, movie: Movie, seen: VideoFigures): void {
  const header = find(box, "tfhd");
  const id = at(header, 4);
  const flags = at(header, 0);
  // Base offset (8 bytes) and description index (4) may stand before the duration.
  const offset = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  const usual = flags & 8 ? at(header, offset) : (movie.sampleTicks.get(id) ?? 0);
  for (const { type, body } of boxesIn(box)) {
    if (type !== "trun") continue;
    const { samples, ticks } = runOf(body, usual);
    const all = (movie.fragmentTicks.get(id) ?? 0) + ticks;
    movie.fragmentTicks.set(id, all);
    const timescale = movie.timescales.get(id) ?? 0;
    if (timescale > 0) seen.fragments = Math.max(seen.fragments, all / timescale);
    if (id === movie.videoTrack) seen.frames = (seen.frames ?? 0) + samples;
  }
}

/** Samples of a run and their ticks, which each sample may say for itself. */
function runOf(run: Buffer, usual: number): { samples: number; ticks: number } {
  const flags = at(run, 0);
  const samples = at(run, 4);
  if (!(flags & 0x100)) return { samples, ticks: samples * usual };
  const width = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const first = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  let ticks = 0;
  for (let sample = 0; sample < samples && first + sample * width + 4 <= run.length; sample++) {
    ticks += at(run, first + sample * width);
  }
  return { samples, ticks };
}
