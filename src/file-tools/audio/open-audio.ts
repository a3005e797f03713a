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
import { type AudioSource, type Container, checkLength, checkSoundFormat } from "./audio-source.js";
import { isDecodable, readAlacInfo, readPreSkip } from "./decoders.js";
import { readFlacInfo, withoutMetadata } from "./flac-frames.js";
import { readXing, skipToFrames } from "./mp3-frames.js";
import { checkOgg, findOggCodec, unwrapOgg } from "./ogg.js";
import { type Tags, toTags } from "./tags.js";
import { checkWav, describeWavCodec, unwrapWav } from "./wav.js";

const sendSupported = "send mp3, wav, aac, flac, ogg or m4a";

/** Thrown when the file's codec has no built-in decoder. */
class UnsupportedCodecError extends UnreadableFileError {
  constructor(container: string, codec: string) {
    super(`it contains ${codec} in ${container}, which has no built-in decoder; ${sendSupported}`);
  }
}

const containers = new Map<InputFormat, Container>([
  [WAVE, "wav"],
  [FLAC, "flac"],
  [OGG, "ogg"],
  [MP4, "mp4"],
  [QTFF, "mp4"],
  [ADTS, "aac"],
  [MP3, "mp3"],
]);

/** Opens an audio file. Rejects with `UnreadableFileError`. */
export async function openAudio(file: Uint8Array): Promise<AudioSource> {
  if (file.length === 0) throw new UnreadableFileError(`it is empty; ${sendSupported}`);
  Logging.level = LogLevel.Silent;
  const { bytes, input, format } = await detectFormat(unwrapOgg(unwrapWav(file)));
  const container = containers.get(format) ?? "mp4";
  try {
    const track = await primaryTrack(input, bytes, container);
    return await inspectTrack(bytes, container, track, await readTags(input, container));
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    if (container === "wav" && error instanceof Error && error.message.startsWith("Unsupported"))
      throw new UnsupportedCodecError(container, describeWavCodec(bytes));
    const bare = container === "flac" ? withoutMetadata(bytes) : bytes;
    if (bare.length < bytes.length) return await openAudio(bare);
    throw new UnreadableFileError(`it starts like ${container} but is damaged or cut off; ${sendSupported}`);
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

/** Reads the tags. Returns no tags if they cannot be read, because the audio may be intact. */
async function readTags(input: Input, container: Container): Promise<Tags> {
  const found = await input.getMetadataTags().catch((): MetadataTags => ({}));
  // In RIFF, ISRC is the source of the recording.
  if (container === "wav") delete found.raw?.ISRC;
  return toTags(found);
}

async function primaryTrack(input: Input, bytes: Uint8Array, container: Container): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack();
  if (track) return track;
  const codec = container === "ogg" ? findOggCodec(bytes) : null;
  if (codec) throw new UnsupportedCodecError(container, codec);
  const hasVideo = (await input.getVideoTracks()).length > 0;
  throw new UnreadableFileError(
    `it ${hasVideo ? "is a video without sound" : "has no supported audio track"}; ${sendSupported}`,
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
  const alac = internal === "alac" ? readAlacInfo(bytes) : null;
  const rate = alac?.sampleRate ?? (await track.getSampleRate());
  const channels = await track.getNumberOfChannels();
  checkSoundFormat(rate, channels);
  if (internal === "drms" || internal === "enca")
    throw new UnreadableFileError("it is encrypted, as purchased music may be; send an unprotected file");
  const codec = alac ? "alac" : await track.getCodec();
  if (codec === null || !(alac || isDecodable(codec) || isPcm(codec)))
    throw new UnsupportedCodecError(container, codec ?? nameMp4Codec(internal));
  const config = alac ? null : await track.getDecoderConfig();
  const length = await readLength(bytes, container, track, config, rate);
  checkLength(length.seconds ?? 0);
  const bitDepth = alac?.bitDepth ?? (codec === "flac" ? readFlacInfo(config).bits : pcmBits(codec));
  const bits = bitDepth > 16 ? 24 : 16;
  return { bytes, container, codec, track, rate, channels, bits, ...length, tags };
}

/** Names of codecs by their sample entries in MP4. */
const mp4Codecs: Readonly<Record<string, string>> = {
  samr: "AMR",
  sawb: "AMR-WB",
  sqcp: "QCELP",
  QDM2: "QDesign Music",
  "ac-4": "AC-4",
  mha1: "MPEG-H",
  mhm1: "MPEG-H",
};

/** Returns the name of a codec that mediabunny does not recognise, given the sample entry of its track. */
const nameMp4Codec = (sampleEntry: unknown): string =>
  typeof sampleEntry === "string" && sampleEntry !== ""
    ? (mp4Codecs[sampleEntry] ?? `the codec ${sampleEntry}`)
    : "an unknown codec";

const isPcm = (codec: string): boolean => /^(?:pcm-|[au]law$)/.test(codec);

const pcmBits = (codec: string): number => Number(/^pcm-[sf](\d+)/.exec(codec)?.[1] ?? 16);

async function readLength(
  bytes: Uint8Array,
  container: Container,
  track: InputAudioTrack,
  config: AudioDecoderConfig | null,
  rate: number,
): Promise<Pick<AudioSource, "seconds" | "delaySeconds">> {
  // Stream encoders of FLAC omit the length.
  if (container === "flac") return { seconds: readFlacInfo(config).samples / rate || null, delaySeconds: 0 };
  const xing = container === "mp3" ? readXing(bytes) : null;
  if (xing && xing.delay + xing.padding > 0)
    return {
      seconds: (xing.samples - xing.delay - xing.padding) / rate,
      delaySeconds: (xing.delay + mp3DecoderDelay) / rate,
    };
  const start = await track.getFirstTimestamp();
  // The first packet of AAC contains only priming samples, which MP4 files may place before time 0.
  const delaySeconds =
    start === 0 && config?.codec.startsWith("mp4a") ? samplesPerAacPacket / rate : Math.max(0, -start);
  if (container === "ogg")
    return {
      seconds: await track.computeDuration(),
      delaySeconds: config?.codec === "opus" ? readPreSkip(config) / rate : delaySeconds,
    };
  // Without a Xing tag, the length of an MP3 is an estimate.
  const isDeclared = container !== "mp3" || xing !== null;
  return { seconds: isDeclared ? await track.getDurationFromMetadata() : null, delaySeconds };
}

const samplesPerAacPacket = 1024;
/** Samples by which decoders of MP3 delay their output. */
const mp3DecoderDelay = 529;
