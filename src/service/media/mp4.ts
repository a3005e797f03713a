/** Reads duration, frames and size from the boxes of MP4, MOV and 3GP (ISO 14496-12), including fragments. */
import { addMetadata, type ByteWalk, read, skip, type VideoFigures } from "./byte-walker.js";

/** Maximum size in bytes of a box that is read. The index of a five-minute video has at most a megabyte. */
const maxBoxBytes = 8 * 1024 * 1024;
/** Reading stops at these counts, ten times the counts of a five-minute video, in case a file consists only of boxes. */
const maxBoxes = 500_000;
const maxInnerBoxes = 10_000;

interface Movie {
  /** Whether the index has been read; further ones are skipped. */
  isRead: boolean;
  /** Ticks per second of each track. */
  timescales: Map<number, number>;
  /** Default ticks per sample of each track. */
  sampleTicks: Map<number, number>;
  /** Total ticks of each track's fragments. */
  fragmentTicks: Map<number, number>;
  videoTrack: number | null;
}

/** Reads the boxes of a file. `start` is the beginning of the first box, which was read to detect the container. */
export function* walkMp4(figures: VideoFigures, start: Buffer): ByteWalk {
  const movie: Movie = {
    isRead: false,
    timescales: new Map(),
    sampleTicks: new Map(),
    fragmentTicks: new Map(),
    videoTrack: null,
  };
  for (let boxes = 0; boxes < maxBoxes; boxes++) {
    const head = boxes === 0 ? Buffer.concat([start, yield read(4)]) : yield read(8);
    const type = head.toString("latin1", 4, 8);
    let body = head.readUInt32BE(0) - 8;
    if (body === -7) body = Number((yield read(8)).readBigUInt64BE()) - 16;
    if (body === -8) body = Number.MAX_SAFE_INTEGER;
    if (body < 0) return;
    const wanted = type === "moov" ? !movie.isRead : type === "moof";
    if (!wanted || body === 0 || body > maxBoxBytes) yield skip(body);
    else if (type === "moov") readMovie(yield read(body), movie, figures);
    else readFragment(yield read(body), movie, figures);
  }
}

/** Yields the boxes within a box, until a box exceeds its end. */
function* boxesIn(box: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0, boxes = 0; at + 8 <= box.length && boxes < maxInnerBoxes; boxes++) {
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

/** Reads 32 bits. Returns 0 beyond the end of the box. */
const uint32At = (box: Buffer | null, offset: number): number =>
  box && offset + 4 <= box.length ? box.readUInt32BE(offset) : 0;

/** Reads timescale and duration of mvhd and mdhd, which have 32-bit times in version 0 and 64-bit times in version 1. */
function timesOf(box: Buffer | null): { timescale: number; ticks: number } {
  const is64Bit = box?.[0] === 1;
  const ticks = is64Bit ? uint32At(box, 24) * 2 ** 32 + uint32At(box, 28) : uint32At(box, 16);
  return { timescale: uint32At(box, is64Bit ? 20 : 12), ticks };
}

function readMovie(box: Buffer, movie: Movie, figures: VideoFigures): void {
  movie.isRead = true;
  const { timescale, ticks } = timesOf(find(box, "mvhd"));
  if (timescale > 0 && ticks > 0 && ticks < 2 ** 32 - 1) figures.duration = ticks / timescale;
  for (const { type, body } of boxesIn(box)) if (type === "trak") readTrack(body, movie, figures);
  const extensions = find(box, "mvex") ?? Buffer.alloc(0);
  for (const { type, body } of boxesIn(extensions)) {
    if (type === "trex") movie.sampleTicks.set(uint32At(body, 4), uint32At(body, 12));
  }
  for (const texts of [find(box, "udta"), find(box, "meta")]) addMetadata(figures, texts);
}

function readTrack(box: Buffer, movie: Movie, figures: VideoFigures): void {
  const header = find(box, "tkhd");
  const is64Bit = header?.[0] === 1;
  const id = uint32At(header, is64Bit ? 20 : 12);
  movie.timescales.set(id, timesOf(find(box, "mdia", "mdhd")).timescale);
  const handler = find(box, "mdia", "hdlr");
  for (const texts of [find(box, "udta"), handler]) addMetadata(figures, texts);
  if (handler?.toString("latin1", 8, 12) !== "vide") return;
  movie.videoTrack = id;
  figures.hasVideo = true;
  const samples = uint32At(find(box, "mdia", "minf", "stbl", "stsz"), 8);
  if (samples > 0) figures.frames = samples;
  figures.width = uint32At(header, is64Bit ? 88 : 76) >>> 16;
  figures.height = uint32At(header, is64Bit ? 92 : 80) >>> 16;
}

function readFragment(box: Buffer, movie: Movie, figures: VideoFigures): void {
  for (const { type, body } of boxesIn(box)) if (type === "traf") readTrackFragment(body, movie, figures);
}

function readTrackFragment(box: Buffer, movie: Movie, figures: VideoFigures): void {
  const header = find(box, "tfhd");
  const id = uint32At(header, 4);
  const flags = uint32At(header, 0);
  // A base offset (8 bytes) and a description index (4) may precede the duration.
  const offset = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  const defaultTicks = flags & 8 ? uint32At(header, offset) : (movie.sampleTicks.get(id) ?? 0);
  for (const { type, body } of boxesIn(box)) {
    if (type !== "trun") continue;
    const { samples, ticks } = readRun(body, defaultTicks);
    const total = (movie.fragmentTicks.get(id) ?? 0) + ticks;
    movie.fragmentTicks.set(id, total);
    const timescale = movie.timescales.get(id) ?? 0;
    if (timescale > 0) figures.fragments = Math.max(figures.fragments, total / timescale);
    if (id === movie.videoTrack) figures.frames = (figures.frames ?? 0) + samples;
  }
}

/** Returns the samples of a run and their total ticks, which may be given per sample. */
function readRun(run: Buffer, defaultTicks: number): { samples: number; ticks: number } {
  const flags = uint32At(run, 0);
  const samples = uint32At(run, 4);
  if (!(flags & 0x100)) return { samples, ticks: samples * defaultTicks };
  const width = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const first = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  let ticks = 0;
  for (let sample = 0; sample < samples && first + sample * width + 4 <= run.length; sample++) {
    ticks += uint32At(run, first + sample * width);
  }
  return { samples, ticks };
}
