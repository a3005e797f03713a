/** What a file really is: its own bytes decide, whatever its name says. */
import {
  ADTS,
  BufferSource,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  Logging,
  LogLevel,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
} from "mediabunny";
import { Unreadable } from "../engine.js";
import { alacOf } from "./alac.js";
import { checkOgg, checkWav, countAdts, hasMp3Length } from "./claims.js";
import { flacBits, flacHead } from "./flac-header.js";
import { afterId3 } from "./id3.js";
import { checkChannels, checkLength, checkRate } from "./limits.js";
import { isrcOf } from "./mp4-isrc.js";
import type { Container, Sound, Tags } from "./sound.js";
import { toTags } from "./tags.js";
import { sayWavCodec } from "./wav-codecs.js";

const containers = new Map<InputFormat, Container>([
  [WAVE, "wav"],
  [FLAC, "flac"],
  [OGG, "ogg"],
  [MP4, "mp4"],
  [QTFF, "mp4"],
  [ADTS, "aac"],
  [MP3, "mp3"],
]);

const send = "send mp3, wav, aac, flac, ogg or m4a";

/** Rejects with Unreadable. */
export async function openSound(bytes: Uint8Array): Promise<Sound> {
  if (bytes.length === 0) throw new Unreadable(`it is empty; ${send}`);
  Logging.level = LogLevel.Silent;
  const input = new Input({ source: new BufferSource(bytes), formats: [...containers.keys()] });
  const format = await input.getFormat().catch(() => {
    throw new Unreadable(`its bytes are those of no audio format that is known here; ${send}`);
  });
  const container = containers.get(format) ?? "mp4";
  try {
    const track = await trackOf(input);
    return await describe(bytes, container, track, await tagsOf(input, bytes, container));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (container === "wav" && error instanceof Error && error.message.startsWith("Unsupported"))
      throw new Unreadable(
        `it is wav with ${sayWavCodec(bytes)}, which cannot be read here; send WAV as PCM, or mp3, aac, flac, ogg or m4a`,
      );
    throw new Unreadable(`it begins like ${container} and is damaged or cut off; ${send}`);
  }
}

async function tagsOf(input: Input, bytes: Uint8Array, container: Container): Promise<Tags> {
  const found = await input.getMetadataTags();
  // RIFF calls so what it was taken from.
  if (container === "wav") delete found.raw?.ISRC;
  const isrc = container === "mp4" ? isrcOf(bytes) : undefined;
  return { ...toTags(found), ...(isrc ? { isrc } : {}) };
}

async function trackOf(input: Input): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack();
  if (track) return track;
  const hasVideo = (await input.getVideoTracks()).length > 0;
  throw new Unreadable(
    hasVideo
      ? `it is a video without sound; ${send}`
      : `it holds no audio track of a kind that is known here; ${send}`,
  );
}

async function describe(
  bytes: Uint8Array,
  container: Container,
  track: InputAudioTrack,
  tags: Tags,
): Promise<Sound> {
  if (container === "wav") checkWav(bytes);
  if (container === "ogg") checkOgg(bytes);
  const internal = await track.getInternalCodecId();
  const alac = internal === "alac" ? alacOf(bytes) : null;
  const codec = alac ? "alac" : await track.getCodec();
  const rate = alac?.rate ?? (await track.getSampleRate());
  const channels = await track.getNumberOfChannels();
  checkRate(rate);
  checkChannels(channels);
  if (internal === "drms" || internal === "enca")
    throw new Unreadable("it is encrypted, as bought music may be; send a file without protection");
  const length = await lengthOf(bytes, container, track, rate);
  if (length.isClaimed) checkLength(length.seconds);
  return {
    bytes,
    container,
    codec,
    track,
    rate,
    channels,
    alac,
    bits: alac ? depth(alac.bits) : await bitsOf(track, codec),
    ...length,
    tags,
  };
}

const depth = (bits: number): 16 | 24 => (bits > 16 ? 24 : 16);

async function bitsOf(track: InputAudioTrack, codec: Sound["codec"]): Promise<16 | 24> {
  if (codec === "flac") return depth(await flacBits(track));
  return /^pcm-[sf](24|32|64)/.test(codec ?? "") ? 24 : 16;
}

async function lengthOf(
  bytes: Uint8Array,
  container: Container,
  track: InputAudioTrack,
  rate: number,
): Promise<{ seconds: number; isClaimed: boolean }> {
  if (container === "flac") {
    const info = await flacHead(track);
    const view = new DataView(info.buffer, info.byteOffset, info.length);
    const samples = info.length < 26 ? 0 : (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22);
    // Not known to a writer of streams: about as much as 16-bit stereo.
    return samples > 0
      ? { seconds: samples / rate, isClaimed: true }
      : { seconds: bytes.length / (rate * 2), isClaimed: false };
  }
  if (container === "aac") {
    // The first frame holds nothing yet.
    const frames = countAdts(bytes, afterId3(bytes)) - 1;
    return { seconds: (frames * 1024) / rate, isClaimed: true };
  }
  const told = await track.getDurationFromMetadata();
  if (told !== null && container !== "mp3") return { seconds: told, isClaimed: true };
  if (told !== null) return { seconds: told, isClaimed: hasMp3Length(bytes, afterId3(bytes)) };
  return { seconds: await track.computeDuration(), isClaimed: false };
}
