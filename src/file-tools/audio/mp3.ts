/** Encodes MP3 with LAME at a constant bit rate that fits the source, with gapless playback information and ID3 tags. */
import encoder from "@audio/encode-mp3";
import { type Encoder, type EncoderSettings, frameCount } from "./audio-types.js";
import { encodeId3 } from "./id3.js";
import { countFrames, createInfoFrame, infoFrameSize } from "./mp3-info-frame.js";
import { OutputBuffer } from "./output-buffer.js";

/** Bit rates of music. */
const stereoKbps = 192;
const monoKbps = 128;
/** Bit rates that LAME and all sample rates of `targets` have. */
const bitRatesKbps = [32, 40, 48, 64, 80, 96, 112, 128, 160];
/** With less per channel and kHz, LAME lowers the sample rate. */
const minKbpsPerKhz = 1.4;

/** Returns the bit rate of music, or a lower one if the source is worth no more. */
export function mp3Kbps({
  rate,
  channels,
  worthKbps,
}: Pick<EncoderSettings, "rate" | "channels" | "worthKbps">): number {
  const full = channels === 1 ? monoKbps : stereoKbps;
  const least = Math.max(Math.min(full, worthKbps), (minKbpsPerKhz * channels * rate) / 1_000);
  return bitRatesKbps.find((kbps) => kbps >= least) ?? full;
}

export async function createMp3Encoder(settings: EncoderSettings): Promise<Encoder> {
  const { rate, channels, seconds, tags } = settings;
  const bitrate = mp3Kbps(settings);
  const lame = await encoder({ sampleRate: rate, channels, bitrate });
  const head = encodeId3(tags);
  const output = new OutputBuffer(head.length + ((seconds + 1) * bitrate * 1000) / 8);
  output.write(head);
  let audioOffset = 0;
  let samples = 0;
  const write = (part: Uint8Array): void => {
    // Reserves room for the Info frame, which is written last because it counts the frames.
    if (audioOffset === 0 && part.length > 0) {
      output.reserve(infoFrameSize(part));
      audioOffset = output.length;
    }
    output.write(part);
  };
  return {
    add(planes) {
      samples += frameCount(planes);
      write(lame.encode(planes));
    },
    finish() {
      write(lame.flush());
      const mp3 = output.finish();
      const audio = mp3.subarray(audioOffset);
      mp3.set(createInfoFrame(audio, countFrames(audio), audio.length, samples), head.length);
      return mp3;
    },
  };
}
