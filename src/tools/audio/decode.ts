/** Any source, block by block. */

import { asNotInstalled } from "../../contract/optional-packages.js";
import { Unreadable } from "../engine.js";
import { decodeAac, type LoadAac } from "./decode-aac.js";
import { decodePcm, sampleOf } from "./decode-pcm.js";
import { decodeStream, streamed } from "./decode-stream.js";
import type { Block, Sound } from "./sound.js";

function blocksOf(sound: Sound, loadAac: LoadAac): AsyncGenerator<Block> {
  const { codec, container } = sound;
  const sample = codec && sampleOf(codec);
  if (sample) return decodePcm(sound, sample);
  const stream = streamed[`${codec} in ${container}`];
  if (stream) return decodeStream(sound, stream);
  if (codec === "aac" || codec === "alac") return decodeAac(sound, loadAac);
  throw new Unreadable(
    `it holds ${codec ?? "a codec that is not known here"} in ${container}, for which no decoder is built in; put ffmpeg on the PATH, or send mp3, wav, aac, flac, ogg or m4a`,
  );
}

/** What a decoder cannot make out is the file's fault. */
export async function* decode(sound: Sound, loadAac: LoadAac): AsyncGenerator<Block> {
  const blocks = blocksOf(sound, loadAac);
  try {
    for (;;) {
      const { value, done } = await blocks.next().catch((error: unknown) => {
        if (error instanceof Unreadable || asNotInstalled(error)) throw error;
        throw new Unreadable(`its ${sound.codec} audio is damaged and cannot be decoded; send it whole`);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await blocks.return(undefined);
  }
}
