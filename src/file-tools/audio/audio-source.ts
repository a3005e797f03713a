/** Types shared by the stages of an audio conversion. */
import type { AudioCodec, InputAudioTrack } from "mediabunny";
import type { Tags } from "./tags.js";

/** Samples from -1 to 1, one array per channel, in WAV order: left, right, centre, LFE, back, side. */
export type Planes = Float32Array[];

export interface AudioBlock {
  planes: Planes;
  /** Sample rate in Hz. */
  rate: number;
}

export const frameCount = (planes: Planes): number => planes[0]?.length ?? 0;

export type Container = "wav" | "mp3" | "flac" | "ogg" | "aac" | "mp4";

export interface AudioSource {
  bytes: Uint8Array;
  container: Container;
  codec: AudioCodec | "alac";
  track: InputAudioTrack;
  rate: number;
  channels: number;
  /** Bit depth that a lossless target needs. */
  bits: 16 | 24;
  /** Length without the delay and the padding of the encoder. */
  seconds: number;
  /** Whether `seconds` comes from the file's headers, rather than being estimated from its size. */
  isDeclared: boolean;
  /** Delay of the encoder and the decoder, which is dropped from the start of the decoded audio. */
  delaySeconds: number;
  tags: Tags;
}

/** Format of the samples that an encoder takes. */
export interface AudioFormat {
  rate: number;
  channels: number;
  /** Bit depth of lossless targets. */
  bits: 16 | 24;
}

export interface EncoderSettings extends AudioFormat {
  /** Length of the source in seconds, or null if it is not declared. */
  seconds: number | null;
  /** Bit rate of MP3 above which nothing is gained, because the source is lossy or has a low sample rate. */
  usefulKbps: number;
  tags: Tags;
}

export interface Encoder {
  add(planes: Planes): Promise<void> | void;
  /** Returns the whole file. */
  finish(): Promise<Uint8Array> | Uint8Array;
}
