/** Converts audio between formats. */
import { AudioSampleSink } from "mediabunny";
import { asNotInstalled } from "../../contract/optional-packages.js";
import { type Engine, UnreadableFileError } from "../engine.js";
import {
  type AudioBlock,
  type AudioSource,
  checkDecodedLength,
  checkLength,
  type Encoder,
  frameCount,
  type Planes,
  readPackets,
} from "./audio-source.js";
import { decodeAlac, decodeWithFfmpeg, isDecodable } from "./decoders.js";
import { type Target, type TargetName, targets } from "./encoders.js";
import { openAudio } from "./open-audio.js";
import { downmix, outputChannels, Resampler } from "./samples.js";

export interface AudioOptions {
  target: TargetName;
}

export const encodeAudio: Engine<AudioOptions> = async (bytes, { target }) => {
  const source = await openAudio(bytes);
  let pipeline: ConversionPipeline | null = null;
  for await (const block of decode(source)) {
    pipeline ??= await ConversionPipeline.start(block, source, targets[target]);
    await pipeline.add(block);
  }
  if (!pipeline)
    throw new UnreadableFileError(
      "no audio can be decoded from it: it is damaged or cut off; send the whole file",
    );
  checkDecodedLength(source, pipeline.seconds);
  return await pipeline.finish();
};

function startDecoder(source: AudioSource): AsyncGenerator<AudioBlock> {
  const { codec } = source;
  if (codec === "alac") return decodeAlac(source);
  return isDecodable(codec) ? decodeWithFfmpeg(source, codec) : decodePcm(source);
}

/** Decodes uncompressed audio, and G.711. */
async function* decodePcm(source: AudioSource): AsyncGenerator<AudioBlock> {
  for await (const _ of readPackets(source, { metadataOnly: true })) {
    // Reading them checks the index.
  }
  for await (const sample of new AudioSampleSink(source.track).samples()) {
    const planes = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(sample.numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: "f32-planar" });
      // Float files may contain NaN or infinity.
      return plane.every(Number.isFinite)
        ? plane
        : plane.map((value) => (Number.isFinite(value) ? value : 0));
    });
    sample.close();
    yield { planes, rate: sample.sampleRate };
  }
}

/** Passes decoded blocks through trimming, downmixing and resampling to an encoder. */
class ConversionPipeline {
  /** Samples per channel that are still to be dropped, have been converted, and are converted at most. */
  #dropped: number;
  #frames = 0;
  readonly #maxFrames: number;

  private constructor(
    readonly rate: number,
    readonly channels: number,
    readonly outputChannels: number,
    readonly resampler: Resampler | null,
    readonly encoder: Encoder,
    source: AudioSource,
  ) {
    this.#dropped = Math.round(source.delaySeconds * rate);
    this.#maxFrames = source.isDeclared ? Math.round(source.seconds * rate) : Number.POSITIVE_INFINITY;
  }

  /** Starts with the first decoded block, whose rate and channels may differ from the header's. */
  static async start(
    { planes, rate }: AudioBlock,
    source: AudioSource,
    target: Target,
  ): Promise<ConversionPipeline> {
    const channels = outputChannels(planes.length, target.maxChannels);
    const outputRate = target.outputRate(rate);
    const { bits, isDeclared, tags } = source;
    const seconds = isDeclared ? source.seconds : null;
    const encoder = await target.startEncoder({
      rate: outputRate,
      channels,
      bits,
      seconds,
      tags,
    });
    const resampler = outputRate === rate ? null : new Resampler(rate, outputRate, channels);
    return new ConversionPipeline(rate, planes.length, channels, resampler, encoder, source);
  }

  /** Seconds of the source added so far. */
  get seconds(): number {
    return this.#frames / this.rate;
  }

  async add({ planes, rate }: AudioBlock): Promise<void> {
    if (rate !== this.rate || planes.length !== this.channels)
      throw new UnreadableFileError("its sample rate or channels change within the file; send it in parts");
    const from = Math.min(this.#dropped, frameCount(planes));
    this.#dropped -= from;
    const trimmed = planes.map((plane) => plane.subarray(from, from + this.#maxFrames - this.#frames));
    this.#frames += frameCount(trimmed);
    checkLength(this.seconds);
    const mixed = downmix(trimmed, this.outputChannels);
    await this.#encode(this.resampler ? this.resampler.push(mixed) : mixed);
  }

  async finish(): Promise<Uint8Array> {
    if (this.resampler) await this.#encode(this.resampler.end());
    return await this.encoder.finish();
  }

  async #encode(planes: Planes): Promise<void> {
    if (frameCount(planes) > 0) await this.encoder.add(planes);
  }
}

/** Yields decoded blocks. A decoder's errors become `UnreadableFileError`, since the file causes them. */
async function* decode(source: AudioSource): AsyncGenerator<AudioBlock> {
  const blocks = startDecoder(source);
  try {
    for (;;) {
      const { value, done } = await blocks.next().catch((error: unknown) => {
        if (error instanceof UnreadableFileError || asNotInstalled(error)) throw error;
        throw new UnreadableFileError(
          `its ${source.codec} audio is damaged and cannot be decoded; send it whole`,
        );
      });
      if (done) return;
      if (frameCount(value.planes) > 0) yield value;
    }
  } finally {
    await blocks.return(undefined);
  }
}
