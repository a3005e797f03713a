/** Converts with the ffmpeg on the PATH, which is faster. If it fails, the built-in engine takes over. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, runProgram, withTempFolder } from "../external-program.js";
import { type AudioSource, type Container, worthKbps } from "./audio-types.js";
import { outputChannels } from "./downmix.js";
import { addMissingTags, coverFor, coverInputArguments, tagArguments } from "./ffmpeg-tags.js";
import { maxOutputBytes } from "./limits.js";
import { mp3Kbps } from "./mp3.js";
import { openAudio } from "./open-audio.js";
import { type Target, type TargetName, targets } from "./targets.js";

/** ffmpeg's demuxer for each detected container, so that it cannot mistake the file for a playlist. */
const demuxers: Record<Container, string> = {
  wav: "wav",
  mp3: "mp3",
  flac: "flac",
  ogg: "ogg",
  aac: "aac",
  mp4: "mov",
  aiff: "aiff",
  caf: "caf",
};

const bitRateOfMp3 = (source: AudioSource): number =>
  mp3Kbps({
    rate: targets.mp3.outputRate(source.rate),
    channels: outputChannels(source.channels, targets.mp3.maxChannels),
    worthKbps: worthKbps(source),
  });

const encoders: Record<TargetName, (source: AudioSource) => string[]> = {
  // No ID3 from ffmpeg, whose comments and lyrics are in frames that few players read.
  mp3: (source) => [
    ...["-c:a", "libmp3lame", "-b:a", `${bitRateOfMp3(source)}k`],
    ...["-id3v2_version", "0", "-f", "mp3"],
  ],
  wav: ({ bits }) => ["-c:a", `pcm_s${bits}le`, "-f", "wav"],
  aac: () => ["-c:a", "aac", "-b:a", "160k", "-f", "adts"],
  m4a: () => ["-c:a", "aac", "-b:a", "160k", "-f", "ipod", "-movflags", "+faststart"],
  flac: ({ bits }) => ["-c:a", "flac", "-sample_fmt", bits === 24 ? "s32" : "s16", "-f", "flac"],
  ogg: () => ["-c:a", "libvorbis", "-q:a", "5", "-f", "ogg"],
};

/** CPU time limit. The conversion thread has its own limit of wall-clock time. */
const cpuLimitSeconds = "60";

/** Restricts ffmpeg to local files, because the input may reference URLs. */
const inputArguments = (container: Container, from: string): string[] => [
  ...["-hide_banner", "-nostdin", "-loglevel", "error", "-timelimit", cpuLimitSeconds],
  ...["-protocol_whitelist", "file", "-f", demuxers[container], "-i", from],
];

/** Sets rate and channels only if the target requires it, because the decoder's output may differ from the header. */
function formatArguments({ rate, channels }: AudioSource, target: Target): string[] {
  const to = target.outputRate(rate);
  const count = outputChannels(channels, target.maxChannels);
  return [...(to === rate ? [] : ["-ar", `${to}`]), ...(count === channels ? [] : ["-ac", `${count}`])];
}

/** Paths in the temporary folder. */
interface WorkingFiles {
  from: string;
  cover: string;
  to: string;
}

function ffmpegArguments(source: AudioSource, name: TargetName, { from, cover, to }: WorkingFiles): string[] {
  const picture = coverFor(source.tags, name);
  return [
    ...inputArguments(source.container, from),
    ...(picture ? coverInputArguments(picture, cover) : []),
    ...tagArguments(source.tags, name, picture),
    ...formatArguments(source, targets[name]),
    // Reproducible output.
    ...["-fflags", "+bitexact", "-flags:a", "+bitexact", "-fs", `${maxOutputBytes}`],
    ...[...encoders[name](source), "-y", to],
  ];
}

/** Reads ffmpeg's output. Returns null if it is truncated by the size limit or not as long as the input. */
async function readChecked(path: string, { seconds, isDeclared }: AudioSource): Promise<Uint8Array | null> {
  const { size } = await stat(path);
  if (size > maxOutputBytes * 0.99) return null;
  const bytes = await readFile(path);
  const output = await openAudio(bytes);
  const isWhole = !isDeclared || Math.abs(output.seconds - seconds) < 0.1;
  return isWhole ? bytes : null;
}

/** Returns null if ffmpeg is not installed or fails. */
export async function convertWithFfmpeg(source: AudioSource, target: TargetName): Promise<Uint8Array | null> {
  const ffmpeg = findProgram("ffmpeg");
  if (!ffmpeg) return null;
  return await withTempFolder(async (folder) => {
    const files = { from: join(folder, "input"), cover: join(folder, "cover"), to: join(folder, "output") };
    await writeFile(files.from, source.bytes);
    const cover = coverFor(source.tags, target);
    if (cover) await writeFile(files.cover, cover.bytes);
    const hasRun = await runProgram(ffmpeg, ffmpegArguments(source, target, files), folder);
    const converted = hasRun ? await readChecked(files.to, source) : null;
    return converted && addMissingTags(converted, target, source.tags);
  }).catch(() => null);
}

/** Decodes a file to WAV. Returns null if ffmpeg is not installed or fails. */
export async function decodeWithFfmpeg(bytes: Uint8Array, container: Container): Promise<Uint8Array | null> {
  const ffmpeg = findProgram("ffmpeg");
  if (!ffmpeg) return null;
  return await withTempFolder(async (folder) => {
    const [from, to] = [join(folder, "input"), join(folder, "output")];
    await writeFile(from, bytes);
    const output = ["-map", "0:a:0", "-fs", `${maxOutputBytes}`, "-c:a", "pcm_s16le", "-f", "wav", "-y", to];
    const hasRun = await runProgram(ffmpeg, [...inputArguments(container, from), ...output], folder);
    return hasRun ? await readFile(to) : null;
  }).catch(() => null);
}
