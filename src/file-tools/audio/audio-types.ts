/** Types shared by the stages of an audio conversion. */

import type { AudioCodec, InputAudioTrack } from "mediabunny";
import type { AlacInfo } from "./alac.js";

/** Samples from -1 to 1, one array per channel, in WAV order: left, right, centre, LFE, back, side. */
export type Planes = Float32Array[];

export interface AudioBlock {
  planes: Planes;
  /** Sample rate in Hz. */
  rate: number;
}

export const frameCount = (planes: Planes): number => planes[0]?.length ?? 0;

export interface CoverArt {
  type: "image/jpeg" | "image/png";
  bytes: Uint8Array;
}

/** Trimmed, non-empty texts. `date` is YYYY, YYYY-MM or YYYY-MM-DD; `track` and `disc` are "3" or "3/12". */
export interface Tags {
  title?: string;
  artist?: string;
  album?: string;
  albumArtist?: string;
  date?: string;
  track?: string;
  disc?: string;
  genre?: string;
  comment?: string;
  composer?: string;
  copyright?: string;
  lyrics?: string;
  isrc?: string;
  cover?: CoverArt;
}

export type Container = "wav" | "mp3" | "flac" | "ogg" | "aac" | "mp4" | "aiff" | "caf";

export interface AudioSource {
  bytes: Uint8Array;
  container: Container;
  /** Set for Apple Lossless only. */
  alac: AlacInfo | null;
  /** Null if mediabunny does not recognise it. */
  codec: AudioCodec | "alac" | null;
  /** Name of the codec for error messages. */
  codecName: string;
  track: InputAudioTrack;
  rate: number;
  channels: number;
  /** Bit depth that a lossless target needs. */
  bits: 16 | 24;
  seconds: number;
  /** Whether `seconds` comes from the file's headers, rather than being estimated from its size. */
  isDeclared: boolean;
  tags: Tags;
}
export interface EncoderSettings {
  rate: number;
  channels: number;
  /** Bit depth of lossless targets. */
  bits: 16 | 24;
  /** Length of the source, from which the output size is estimated. */
  seconds: number;
  isDeclared: boolean;
  /** Bit rate of MP3 above which nothing is gained, because the source is lossy or has a low sample rate. */
  worthKbps: number;
  tags: Tags;
}

/** How many bits MP3 takes for the quality of one bit of another lossy codec. */
const lossyCodecs: Readonly<Record<string, number>> = { mp3: 1, aac: 2, vorbis: 2, opus: 2 };
/** Bit rate of MP3 per channel and Hz above which nothing is gained. */
const maxKbpsPerHz = 128 / 44_100;

/** Returns the bit rate of MP3 above which nothing is gained from a source. */
export function worthKbps({
  codec,
  bytes,
  seconds,
  rate,
  channels,
}: Pick<AudioSource, "codec" | "bytes" | "seconds" | "rate" | "channels">): number {
  const factor = seconds > 0 ? lossyCodecs[codec ?? ""] : undefined;
  const lossy = factor ? (factor * bytes.length * 8) / 1_000 / seconds : Number.POSITIVE_INFINITY;
  return Math.min(lossy, maxKbpsPerHz * rate * Math.min(2, channels));
}

export interface Encoder {
  add(planes: Planes): void | Promise<void>;
  /** Returns the whole file. */
  finish(): Uint8Array | Promise<Uint8Array>;
}

export type CreateEncoder = (format: EncoderSettings) => Promise<Encoder>;
