/** Audio from one format to another: with the ffmpeg on PATH where there is one, else with the engine built in. */
import { type Engine, Unreadable } from "../engine.js";
import { checkDecoded } from "./claims.js";
import { decode } from "./decode.js";
import { type LoadAac, loadAac } from "./decode-aac.js";
import { convertWithFfmpeg } from "./ffmpeg.js";
import { Line } from "./line.js";
import { openSound } from "./open.js";
import type { Sound } from "./sound.js";
import type { TargetName } from "./targets.js";

export interface AudioOptions {
  target: TargetName;
  ffmpeg: "auto" | "off";
}

async function convertHere(sound: Sound, target: TargetName, load: LoadAac): Promise<Uint8Array> {
  let line: Line | null = null;
  for await (const block of decode(sound, load)) {
    line ??= await Line.start(block, sound, target);
    await line.add(block);
  }
  if (!line)
    throw new Unreadable("nothing in it can be decoded: it is damaged or cut off; send the whole file");
  checkDecoded(sound, line.seconds);
  return await line.finish();
}

/** `load`: the decoder for AAC, which need not be installed. */
export const audioEngine =
  (load: LoadAac): Engine<AudioOptions> =>
  async (bytes, { target, ffmpeg }) => {
    const sound = await openSound(bytes);
    const converted = ffmpeg === "auto" ? await convertWithFfmpeg(sound, target) : null;
    return converted ?? (await convertHere(sound, target, load));
  };

export const convertAudio = audioEngine(loadAac);
