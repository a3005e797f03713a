/** Passes decoded blocks through downmixing and resampling to an encoder. */

import { UnreadableFileError } from "../engine.js";
import { type AudioBlock, type AudioSource, type Encoder, frameCount, worthKbps } from "./audio-types.js";
import { downmix, outputChannels } from "./downmix.js";
import { checkLength } from "./limits.js";
import { Resampler } from "./resample.js";
import { type Target, type TargetName, targets } from "./targets.js";

export class ConversionPipeline {
  #frames = 0;

  private constructor(
    readonly rate: number,
    readonly channels: number,
    readonly outputChannels: number,
    readonly resampler: Resampler | null,
    readonly encoder: Encoder,
  ) {}

  /** Starts with the first decoded block, whose rate and channels may differ from the header's. */
  static async start(
    { planes, rate }: AudioBlock,
    source: AudioSource,
    name: TargetName,
  ): Promise<ConversionPipeline> {
    const target: Target = targets[name];
    const channels = outputChannels(planes.length, target.maxChannels);
    const outputRate = target.outputRate(rate);
    const { bits, seconds, isDeclared, tags } = source;
    const encoder = await target.createEncoder({
      rate: outputRate,
      channels,
      bits,
      seconds,
      isDeclared,
      worthKbps: worthKbps(source),
      tags,
    });
    const resampler = outputRate === rate ? null : new Resampler(rate, outputRate, channels);
    return new ConversionPipeline(rate, planes.length, channels, resampler, encoder);
  }

  /** Seconds of the source added so far. */
  get seconds(): number {
    return this.#frames / this.rate;
  }

  async add({ planes, rate }: AudioBlock): Promise<void> {
    if (rate !== this.rate || planes.length !== this.channels)
      throw new UnreadableFileError("its sample rate or channels change within the file; send it in parts");
    this.#frames += frameCount(planes);
    checkLength(this.seconds);
    const mixed = downmix(planes, this.outputChannels);
    const resampled = this.resampler ? this.resampler.push(mixed) : mixed;
    if (frameCount(resampled) > 0) await this.encoder.add(resampled);
  }

  async finish(): Promise<Uint8Array> {
    const rest = this.resampler?.end();
    if (rest && frameCount(rest) > 0) await this.encoder.add(rest);
    return await this.encoder.finish();
  }
}
