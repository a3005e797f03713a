/** From decoded blocks to an encoder: channels, then sample rate. */

import { Unreadable } from "../engine.js";
import { channelsFor, mixTo } from "./channels.js";
import { checkLength } from "./limits.js";
import { Resampler } from "./resample.js";
import { type Block, type Encoder, framesOf, type Sound } from "./sound.js";
import { type Target, type TargetName, targets } from "./targets.js";

export class Line {
  #frames = 0;

  private constructor(
    readonly rate: number,
    readonly channels: number,
    readonly outputChannels: number,
    readonly resampler: Resampler | null,
    readonly encoder: Encoder,
  ) {}

  /** The first block says what the decoder really gives: a header may not know. */
  static async start({ planes, rate }: Block, sound: Sound, name: TargetName): Promise<Line> {
    const target: Target = targets[name];
    const channels = channelsFor(planes.length, target.mostChannels);
    const to = target.rate(rate);
    const { bits, seconds, isClaimed, tags } = sound;
    const encoder = await target.make({ rate: to, channels, bits, seconds, isClaimed, tags });
    const resampler = to === rate ? null : new Resampler(rate, to, channels);
    return new Line(rate, planes.length, channels, resampler, encoder);
  }

  /** Of the source, so far. */
  get seconds(): number {
    return this.#frames / this.rate;
  }

  async add({ planes, rate }: Block): Promise<void> {
    if (rate !== this.rate || planes.length !== this.channels)
      throw new Unreadable("its sample rate or channels change on the way; send it in parts");
    this.#frames += framesOf(planes);
    checkLength(this.seconds);
    const mixed = mixTo(planes, this.outputChannels);
    const resampled = this.resampler ? this.resampler.push(mixed) : mixed;
    if (framesOf(resampled) > 0) await this.encoder.add(resampled);
  }

  async finish(): Promise<Uint8Array> {
    const rest = this.resampler?.end();
    if (rest && framesOf(rest) > 0) await this.encoder.add(rest);
    return await this.encoder.finish();
  }
}
