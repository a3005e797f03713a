/** More channels than a target takes become stereo. */
import { framesOf, type Planes } from "./sound.js";

/** Of centre and surround channels in each side, as ITU-R BS.775 has it; the LFE channel is left out. */
const h = Math.SQRT1_2;

/** Weights of the channels, in WAV order, in the left output and in the right one. */
const downmix: Readonly<Record<number, readonly [left: number[], right: number[]]>> = {
  3: [
    [1, 0, h],
    [0, 1, h],
  ],
  4: [
    [1, 0, h, 0],
    [0, 1, 0, h],
  ],
  5: [
    [1, 0, h, h, 0],
    [0, 1, h, 0, h],
  ],
  6: [
    [1, 0, h, 0, h, 0],
    [0, 1, h, 0, 0, h],
  ],
  7: [
    [1, 0, h, 0, h / 2, h, 0],
    [0, 1, h, 0, h / 2, 0, h],
  ],
  8: [
    [1, 0, h, 0, h, 0, h, 0],
    [0, 1, h, 0, 0, h, 0, h],
  ],
};

export const channelsFor = (channels: number, most: number): number => (channels > most ? 2 : channels);

/** Planes for so many channels; weights are scaled so that full scale in every channel does not clip. */
export function mixTo(planes: Planes, channels: number): Planes {
  if (planes.length <= channels) return planes;
  const sides = downmix[planes.length];
  if (!sides) return planes.slice(0, channels);
  return sides.map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const mixed = new Float32Array(framesOf(planes));
    for (const [channel, weight] of weights.entries()) {
      const plane = planes[channel] as Float32Array;
      const share = weight / sum;
      if (share > 0)
        for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] as number) + (plane[i] as number) * share;
    }
    return mixed;
  });
}
