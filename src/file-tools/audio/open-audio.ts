/** Detects the container and codec of a file from its bytes and reads its properties and tags. */
import {
  ADTS,
  BufferSource,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  Logging,
  LogLevel,
  type MetadataTags,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
} from "mediabunny";
import { UnreadableFileError } from "../engine.js";
import { findAlac } from "./alac.js";
import type { AudioSource, Container, Tags } from "./audio-types.js";
import { describeWavCodec, findOggCodec, nameMp4Codec } from "./codec-names.js";
import { readFlacBitDepth, readFlacHeader, withoutMetadata } from "./flac-header.js";
import { checkOgg, checkWav, countAdtsFrames, hasXingHeader } from "./header-checks.js";
import { audioStart } from "./id3.js";
import { checkChannels, checkLength, checkSampleRate } from "./limits.js";
import { readIsrc } from "./mp4-isrc.js";
import { CompressedAudioError } from "./rewrap-pcm.js";
import { toTags } from "./tags.js";
import { skipToFrames, unwrapStream } from "./unwrap.js";

const containers = new Map<InputFormat, Container>([
  [WAVE, "wav"],
  [FLAC, "flac"],
  [OGG, "ogg"],
  [MP4, "mp4"],
  [QTFF, "mp4"],
  [ADTS, "aac"],
  [MP3, "mp3"],
]);

const sendSupported = "send mp3, wav, aac, flac, ogg or m4a";

/** The file's codec has no built-in decoder. */
export class UnsupportedCodecError extends UnreadableFileError {
  constructor(container: Container, codec: string) {
    super(`it contains ${codec} in ${container}, which has no built-in decoder; ${sendSupported}`);
  }
}

/** Opens an audio file. Rejects with `UnreadableFileError`. */
export async function openAudio(file: Uint8Array): Promise<AudioSource> {
  if (file.length === 0) throw new UnreadableFileError(`it is empty; ${sendSupported}`);
  Logging.level = LogLevel.Silent;
  const { bytes, input, format } = await detectFormat(unwrap(file));
  const container = containers.get(format) ?? "mp4";
  try {
    const track = await primaryTrack(input, bytes, container);
    return await inspectTrack(bytes, container, track, await readTags(input, bytes, container));
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    if (container === "wav" && error instanceof Error && error.message.startsWith("Unsupported"))
      throw new UnsupportedCodecError(container, describeWavCodec(bytes));
    const bare = container === "flac" ? withoutMetadata(bytes) : bytes;
    if (bare.length < bytes.length) return await openAudio(bare);
    throw new UnreadableFileError(`it starts like ${container} but is damaged or cut off; ${sendSupported}`);
  }
}

function unwrap(file: Uint8Array): Uint8Array {
  try {
    return unwrapStream(file);
  } catch (error) {
    if (error instanceof CompressedAudioError)
      throw new UnsupportedCodecError(error.container, error.message);
    throw error;
  }
}

async function detectFormat(
  bytes: Uint8Array,
  hasSkipped = false,
): Promise<{ bytes: Uint8Array; input: Input; format: InputFormat }> {
  const input = new Input({ source: new BufferSource(bytes), formats: [...containers.keys()] });
  const format = await input.getFormat().catch(() => null);
  if (format) return { bytes, input, format };
  const mp3 = hasSkipped ? null : skipToFrames(bytes);
  if (mp3) return await detectFormat(mp3, true);
  throw new UnreadableFileError(`it is not in a supported audio format; ${sendSupported}`);
}

/** Reads the tags. Returns none if they cannot be read, because the audio may be sound. */
async function readTags(input: Input, bytes: Uint8Array, container: Container): Promise<Tags> {
  const found = await input.getMetadataTags().catch(() => ({}) as MetadataTags);
  // In RIFF, ISRC is the source of the recording.
  if (container === "wav") delete found.raw?.ISRC;
  const isrc = container === "mp4" ? readIsrc(bytes) : undefined;
  return { ...toTags(found), ...(isrc ? { isrc } : {}) };
}

async function primaryTrack(input: Input, bytes: Uint8Array, container: Container): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack();
  if (track) return track;
  const codec = container === "ogg" ? findOggCodec(bytes) : null;
  if (codec) throw new UnsupportedCodecError(container, codec);
  const hasVideo = (await input.getVideoTracks()).length > 0;
  throw new UnreadableFileError(
    hasVideo
      ? `it is a video without sound; ${sendSupported}`
      : `it has no supported audio track; ${sendSupported}`,
  );
}

async function inspectTrack(
  bytes: Uint8Array,
  container: Container,
  track: InputAudioTrack,
  tags: Tags,
): Promise<AudioSource> {
  if (container === "wav") checkWav(bytes);
  if (container === "ogg") checkOgg(bytes);
  const internal = await track.getInternalCodecId();
  const alac = internal === "alac" ? findAlac(bytes) : null;
  const codec = alac ? "alac" : await track.getCodec();
  const rate = alac?.sampleRate ?? (await track.getSampleRate());
  const channels = await track.getNumberOfChannels();
  checkSampleRate(rate);
  checkChannels(channels);
  if (internal === "drms" || internal === "enca")
    throw new UnreadableFileError("it is encrypted, as purchased music may be; send an unprotected file");
  const length = await readLength(bytes, container, track, rate);
  if (length.isDeclared) checkLength(length.seconds);
  return {
    bytes,
    container,
    codec,
    codecName: codec ?? nameMp4Codec(internal),
    track,
    rate,
    channels,
    alac,
    bits: alac ? outputBitDepth(alac.bitDepth) : await readBitDepth(track, codec),
    ...length,
    tags,
  };
}

const outputBitDepth = (bits: number): 16 | 24 => (bits > 16 ? 24 : 16);

async function readBitDepth(track: InputAudioTrack, codec: AudioSource["codec"]): Promise<16 | 24> {
  if (codec === "flac") return outputBitDepth(await readFlacBitDepth(track));
  return /^pcm-[sf](24|32|64)/.test(codec ?? "") ? 24 : 16;
}

async function readLength(
  bytes: Uint8Array,
  container: Container,
  track: InputAudioTrack,
  rate: number,
): Promise<{ seconds: number; isDeclared: boolean }> {
  if (container === "flac") {
    const info = await readFlacHeader(track);
    const view = new DataView(info.buffer, info.byteOffset, info.length);
    const samples = info.length < 26 ? 0 : (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22);
    // Stream encoders omit the length, so it is estimated as half the size of 16-bit stereo.
    return samples > 0
      ? { seconds: samples / rate, isDeclared: true }
      : { seconds: bytes.length / (rate * 2), isDeclared: false };
  }
  if (container === "aac") {
    // The first frame only holds priming samples.
    const frames = countAdtsFrames(bytes, audioStart(bytes)) - 1;
    return { seconds: (frames * 1024) / rate, isDeclared: true };
  }
  const seconds = await track.getDurationFromMetadata();
  if (seconds !== null && container !== "mp3") return { seconds, isDeclared: true };
  if (seconds !== null) return { seconds, isDeclared: hasXingHeader(bytes, audioStart(bytes)) };
  return { seconds: await track.computeDuration(), isDeclared: false };
}
