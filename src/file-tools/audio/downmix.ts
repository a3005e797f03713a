/** Downmixes surround audio to stereo for targets with two channels. */
import { frameCount, type Planes } from "./audio-source.js";

/** Gain of centre and surround channels per ITU-R BS.775. The LFE channel is dropped. */
const minus3dB = Math.SQRT1_2;

/** Weights of the input channels, in WAV order, in each output channel, by the number of input channels. */
const stereoMatrices: Readonly<Record<number, readonly [left: number[], right: number[]]>> = {
  3: [
    [1, 0, minus3dB],
    [0, 1, minus3dB],
  ],
  4: [
    [1, 0, minus3dB, 0],
    [0, 1, 0, minus3dB],
  ],
  5: [
    [1, 0, minus3dB, minus3dB, 0],
    [0, 1, minus3dB, 0, minus3dB],
  ],
  6: [
    [1, 0, minus3dB, 0, minus3dB, 0],
    [0, 1, minus3dB, 0, 0, minus3dB],
  ],
  7: [
    [1, 0, minus3dB, 0, minus3dB / 2, minus3dB, 0],
    [0, 1, minus3dB, 0, minus3dB / 2, 0, minus3dB],
  ],
  8: [
    [1, 0, minus3dB, 0, minus3dB, 0, minus3dB, 0],
    [0, 1, minus3dB, 0, 0, minus3dB, 0, minus3dB],
  ],
};

export const outputChannels = (channels: number, max: number): number => (channels > max ? 2 : channels);

/** Mixes to the given number of channels. Weights are normalised, so that full scale in every channel does not clip. */
export function downmix(planes: Planes, channels: number): Planes {
  if (planes.length <= channels) return planes;
  const sides = stereoMatrices[planes.length];
  if (!sides) return planes.slice(0, channels);
  return sides.map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const mixed = new Float32Array(frameCount(planes));
    for (const [channel, weight] of weights.entries()) {
      const plane = planes[channel] as Float32Array;
      const share = weight / sum;
      if (share > 0)
        for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] as number) + (plane[i] as number) * share;
    }
    return mixed;
  });
}
