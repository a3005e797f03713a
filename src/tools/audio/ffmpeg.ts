/** The fast path: an ffmpeg on PATH. What it cannot do well is done by the engine built in. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, inFolder, runProgram } from "../program.js";
import { channelsFor } from "./channels.js";
import { coverFor, coverInput, finish, tagArguments } from "./ffmpeg-tags.js";
import { mostBytes } from "./limits.js";
import { openSound } from "./open.js";
import type { Container, Sound } from "./sound.js";
import { type Target, type TargetName, targets } from "./targets.js";

/** Its name for what our own reader has found, so that it does not guess at a playlist. */
const demuxers: Record<Container, string> = {
  wav: "wav",
  mp3: "mp3",
  flac: "flac",
  ogg: "ogg",
  aac: "aac",
  mp4: "mov",
};

const encoders: Record<TargetName, (bits: 16 | 24) => string[]> = {
  // Its ID3 has comments and lyrics in frames that few players read.
  mp3: () => ["-c:a", "libmp3lame", "-b:a", "192k", "-id3v2_version", "0", "-f", "mp3"],
  wav: (bits) => ["-c:a", `pcm_s${bits}le`, "-f", "wav"],
  aac: () => ["-c:a", "aac", "-b:a", "160k", "-f", "adts"],
  m4a: () => ["-c:a", "aac", "-b:a", "160k", "-f", "ipod", "-movflags", "+faststart"],
  flac: (bits) => ["-c:a", "flac", "-sample_fmt", bits === 24 ? "s32" : "s16", "-f", "flac"],
  ogg: () => ["-c:a", "libvorbis", "-q:a", "5", "-f", "ogg"],
};

/** Of processor time; the thread that waits for it has a limit of its own. */
const mostSeconds = "60";

/** A file may name others, near or far: nothing is opened but the file itself. */
const input = (sound: Sound, from: string): string[] => [
  ...["-hide_banner", "-nostdin", "-loglevel", "error", "-timelimit", mostSeconds],
  ...["-protocol_whitelist", "file", "-f", demuxers[sound.container], "-i", from],
];

/** Only what the target does not take is changed: what the header says may be half of what the decoder gives. */
function shape({ rate, channels }: Sound, target: Target): string[] {
  const to = target.rate(rate);
  const most = channelsFor(channels, target.mostChannels);
  return [...(to === rate ? [] : ["-ar", `${to}`]), ...(most === channels ? [] : ["-ac", `${most}`])];
}

/** `from`, its cover and `to` are files. */
interface Files {
  from: string;
  cover: string;
  to: string;
}

function ffmpegArguments(sound: Sound, name: TargetName, { from, cover, to }: Files): string[] {
  const picture = coverFor(sound.tags, name);
  return [
    ...input(sound, from),
    ...(picture ? coverInput(picture, cover) : []),
    ...tagArguments(sound.tags, name, picture),
    ...shape(sound, targets[name]),
    // The same bytes each time.
    ...["-fflags", "+bitexact", "-flags:a", "+bitexact", "-fs", `${mostBytes}`],
    ...[...encoders[name](sound.bits), "-y", to],
  ];
}

/** Output as long as the input; null when there is none, or another. */
async function checked(path: string, { seconds, isClaimed }: Sound): Promise<Uint8Array | null> {
  const { size } = await stat(path);
  if (size > mostBytes * 0.99) return null;
  const bytes = await readFile(path);
  const made = await openSound(bytes);
  const isWhole = !isClaimed || Math.abs(made.seconds - seconds) < 0.1;
  return isWhole ? bytes : null;
}

/** Null: there is no ffmpeg, or it failed. */
export async function convertWithFfmpeg(sound: Sound, target: TargetName): Promise<Uint8Array | null> {
  const ffmpeg = findProgram("ffmpeg");
  if (!ffmpeg) return null;
  return await inFolder(async (folder) => {
    const files = { from: join(folder, "input"), cover: join(folder, "cover"), to: join(folder, "output") };
    await writeFile(files.from, sound.bytes);
    const cover = coverFor(sound.tags, target);
    if (cover) await writeFile(files.cover, cover.bytes);
    const hasRun = await runProgram(ffmpeg, ffmpegArguments(sound, target, files), folder);
    const made = hasRun ? await checked(files.to, sound) : null;
    return made && finish(made, target, sound.tags);
  }).catch(() => null);
}
