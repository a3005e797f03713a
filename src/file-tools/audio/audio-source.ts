/** Types of the stages of an audio conversion, and its limits. */
import type { AudioCodec, InputAudioTrack } from "mediabunny";
import { UnreadableFileError } from "../engine.js";
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
  /**
   * Length in seconds that the headers declare, without the delay and the padding of the encoder. Null if they declare
   * none.
   */
  seconds: number | null;
  /** Delay of the encoder and the decoder in seconds, which is dropped from the start of the decoded audio. */
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

export interface EncoderSettings extends AudioFormat, Pick<AudioSource, "seconds" | "tags"> {}

export interface Encoder {
  /** Takes at least one sample per channel. */
  add(planes: Planes): Promise<void> | void;
  /** Returns the whole file. */
  finish(): Promise<Uint8Array> | Uint8Array;
}

/** Maximum length in seconds: a tiny file can decode to days of silence. */
const maxSeconds = 2 * 3600;
/** Maximum size in bytes of the result, which is 39 minutes of 16-bit stereo at 44.1 kHz. */
const maxOutputBytes = 400e6;
const maxChannels = 8;
const minSampleRate = 1_000;
const maxSampleRate = 384_000;

export function checkLength(seconds: number): void {
  if (seconds <= maxSeconds) return;
  throw new UnreadableFileError(
    `it contains more than ${maxSeconds / 3600} hours of audio, the limit of a conversion; send a shorter file`,
  );
}

export function checkOutputSize(bytes: number): void {
  if (bytes <= maxOutputBytes) return;
  throw new UnreadableFileError(
    `the converted file would take more than ${maxOutputBytes / 1e6} MB; send a shorter file, or choose a compressed target such as mp3`,
  );
}

export function checkSoundFormat(rate: number, channels: number): void {
  if (!(rate >= minSampleRate && rate <= maxSampleRate))
    throw new UnreadableFileError(
      `its header declares a sample rate of ${rate} Hz; supported are ${minSampleRate} to ${maxSampleRate} Hz`,
    );
  if (!(channels >= 1 && channels <= maxChannels))
    throw new UnreadableFileError(
      `its header declares ${channels} channels; supported are 1 to ${maxChannels}`,
    );
}

/** Minimum share of the declared length that must be present. */
export const minCompleteShare = 0.95;
/** Number of samples of encoder delay and padding, which count towards the declared length but are not decoded. */
const encoderPaddingSamples = 2_400;

const formatSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** Throws if fewer than the declared seconds were decoded. */
export function checkDecodedLength({ seconds: declared, rate }: AudioSource, seconds: number): void {
  if (declared === null || seconds >= declared * minCompleteShare - encoderPaddingSamples / rate) return;
  throw new UnreadableFileError(
    `it is cut off or damaged: ${formatSeconds(seconds)} of ${formatSeconds(declared)} can be read; send the whole file`,
  );
}
