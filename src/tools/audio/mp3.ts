/** MP3 by LAME, at a constant bit rate, with gapless information and ID3 tags. */
import encoder from "@audio/encode-mp3";
import { id3 } from "./id3.js";
import { countFrames, infoFrame, infoFrameSize } from "./info-frame.js";
import { Sink } from "./sink.js";
import { type Encoder, type Format, framesOf } from "./sound.js";

/** kbit/s. */
const stereo = 192;
const mono = 128;

export async function mp3Encoder({ rate, channels, seconds, tags }: Format): Promise<Encoder> {
  const bitrate = channels === 1 ? mono : stereo;
  const lame = await encoder({ sampleRate: rate, channels, bitrate });
  const head = id3(tags);
  const sink = new Sink(head.length + ((seconds + 1) * bitrate * 1000) / 8);
  sink.write(head);
  let audioFrom = 0;
  let samples = 0;
  const take = (part: Uint8Array): void => {
    // What goes before the first frame is known with the last.
    if (audioFrom === 0 && part.length > 0) {
      sink.room(infoFrameSize(part));
      audioFrom = sink.length;
    }
    sink.write(part);
  };
  return {
    add(planes) {
      samples += framesOf(planes);
      take(lame.encode(planes));
    },
    finish() {
      take(lame.flush());
      const mp3 = sink.whole();
      const audio = mp3.subarray(audioFrom);
      mp3.set(infoFrame(audio, countFrames(audio), audio.length, samples), head.length);
      return mp3;
    },
  };
}
