/** What passes between the stages of a conversion. */

import type { AudioCodec, InputAudioTrack } from "mediabunny";
import type { Alac } from "./alac.js";

/** Samples from -1 to 1, a plane for each channel; channels in the order of WAV: left, right, centre, LFE, back, side. */
export type Planes = Float32Array[];

export interface Block {
  planes: Planes;
  /** Samples a second. */
  rate: number;
}

export const framesOf = (planes: Planes): number => planes[0]?.length ?? 0;

export interface Cover {
  type: "image/jpeg" | "image/png";
  bytes: Uint8Array;
}

/** Texts are trimmed and not empty; `date` is YYYY, YYYY-MM or YYYY-MM-DD, `track` and `disc` are "3" or "3/12". */
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
  cover?: Cover;
}

export type Container = "wav" | "mp3" | "flac" | "ogg" | "aac" | "mp4";

export interface Sound {
  bytes: Uint8Array;
  container: Container;
  /** Of Apple Lossless. */
  alac: Alac | null;
  /** Null: one that is not known here. */
  codec: AudioCodec | "alac" | null;
  track: InputAudioTrack;
  rate: number;
  channels: number;
  /** That keep what it holds. */
  bits: 16 | 24;
  seconds: number;
  /** `seconds` is what the file says of itself, and not reckoned from its size. */
  isClaimed: boolean;
  tags: Tags;
}

/** What an encoder is to make. */
export interface Format {
  rate: number;
  channels: number;
  /** Of lossless targets. */
  bits: 16 | 24;
  /** What is reserved for the output follows it. */
  seconds: number;
  /** `seconds` is what the source says of itself, and not reckoned from its size. */
  isClaimed: boolean;
  tags: Tags;
}

export interface Encoder {
  add(planes: Planes): void | Promise<void>;
  /** The whole file. */
  finish(): Uint8Array | Promise<Uint8Array>;
}

export type MakeEncoder = (format: Format) => Promise<Encoder>;
