/** Encodes MP3 with LAME at a constant bit rate, with gapless playback information and ID3 tags. */
import encoder from "@audio/encode-mp3";
import { type Encoder, type EncoderSettings, frameCount } from "./audio-types.js";
import { encodeId3 } from "./id3.js";
import { countFrames, createInfoFrame, infoFrameSize } from "./mp3-info-frame.js";
import { OutputBuffer } from "./output-buffer.js";

const stereoKbps = 192;
const monoKbps = 128;

export async function createMp3Encoder({ rate, channels, seconds, tags }: EncoderSettings): Promise<Encoder> {
  const bitrate = channels === 1 ? monoKbps : stereoKbps;
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
