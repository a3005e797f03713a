/** Converts audio between formats. */
import { asNotInstalled } from "../../contract/optional-packages.js";
import { type Engine, UnreadableFileError } from "../engine.js";
import {
  type AudioBlock,
  type AudioSource,
  checkDecodedLength,
  checkLength,
  type Encoder,
  frameCount,
} from "./audio-source.js";
import { decode } from "./decoders.js";
import { type TargetName, targets } from "./encoders.js";
import { openAudio } from "./open-audio.js";
import { downmix, outputChannels, Resampler } from "./samples.js";

export interface AudioOptions {
  target: TargetName;
}

export const encodeAudio: Engine<AudioOptions> = async (bytes, options) => {
  const target = targets[options.target];
  const source = await openAudio(bytes);
  let encoder: Encoder | null = null;
  let resampler: Resampler | null = null;
  for await (const { planes, rate } of decodeTrimmed(source)) {
    const channels = outputChannels(planes.length, target.maxChannels);
    if (!encoder) {
      // The rate and the channels of decoded audio may differ from the header's.
      const outputRate = target.outputRate(rate);
      if (outputRate !== rate) resampler = new Resampler(rate, outputRate, channels);
      encoder = await target.startEncoder({ ...source, rate: outputRate, channels });
    }
    const mixed = downmix(planes, channels);
    const output = resampler ? resampler.push(mixed) : mixed;
    if (frameCount(output) > 0) await encoder.add(output);
  }
  if (!encoder)
    throw new UnreadableFileError(
      "no audio can be decoded from it: it is damaged or cut off; send the whole file",
    );
  const rest = resampler?.end() ?? [];
  if (frameCount(rest) > 0) await encoder.add(rest);
  return await encoder.finish();
};

/** Yields decoded blocks of one format, without the delay of the encoder and its padding. */
async function* decodeTrimmed(source: AudioSource): AsyncGenerator<AudioBlock> {
  let first: AudioBlock | null = null;
  let [dropped, frames, maxFrames] = [0, 0, Number.POSITIVE_INFINITY];
  for await (const block of decodeSafely(source)) {
    const { planes, rate } = block;
    if (!first) {
      first = block;
      dropped = Math.round(source.delaySeconds * rate);
      if (source.seconds !== null) maxFrames = Math.round(source.seconds * rate);
    }
    if (rate !== first.rate || planes.length !== first.planes.length)
      throw new UnreadableFileError("its sample rate or channels change within the file; send it in parts");
    const from = Math.min(dropped, frameCount(planes));
    dropped -= from;
    const trimmed = planes.map((plane) => plane.subarray(from, from + maxFrames - frames));
    frames += frameCount(trimmed);
    checkLength(frames / rate);
    yield { planes: trimmed, rate };
  }
  if (first) checkDecodedLength(source, frames / first.rate);
}

/** Yields decoded blocks. A decoder's errors become `UnreadableFileError`, since the file causes them. */
async function* decodeSafely(source: AudioSource): AsyncGenerator<AudioBlock> {
  try {
    for await (const block of decode(source)) if (frameCount(block.planes) > 0) yield block;
  } catch (error) {
    if (error instanceof UnreadableFileError || asNotInstalled(error)) throw error;
    throw new UnreadableFileError(
      `its ${source.codec} audio is damaged and cannot be decoded; send it whole`,
    );
  }
}
