/** Decodes any supported source, block by block. */

import { asNotInstalled } from "../../contract/optional-packages.js";
import { UnreadableFileError } from "../engine.js";
import type { AudioBlock, AudioSource } from "./audio-types.js";
import { decodeAac, type LoadAacDecoder } from "./decode-aac.js";
import { decodePcm, pcmFormat } from "./decode-pcm.js";
import { decodeStream, streamDecoders } from "./decode-stream.js";
import { UnsupportedCodecError } from "./open-audio.js";

function startDecoder(source: AudioSource, loadAac: LoadAacDecoder): AsyncGenerator<AudioBlock> {
  const { codec, container } = source;
  const sample = codec && pcmFormat(codec);
  if (sample) return decodePcm(source, sample);
  const stream = streamDecoders[`${codec} in ${container}`];
  if (stream) return decodeStream(source, stream);
  if (codec === "aac" || codec === "alac") return decodeAac(source, loadAac);
  throw new UnsupportedCodecError(container, source.codecName);
}

/** Yields decoded blocks. A decoder's errors become `UnreadableFileError`, since the file causes them. */
export async function* decode(source: AudioSource, loadAac: LoadAacDecoder): AsyncGenerator<AudioBlock> {
  const blocks = startDecoder(source, loadAac);
  try {
    for (;;) {
      const { value, done } = await blocks.next().catch((error: unknown) => {
        if (error instanceof UnreadableFileError || asNotInstalled(error)) throw error;
        throw new UnreadableFileError(
          `its ${source.codec} audio is damaged and cannot be decoded; send it whole`,
        );
      });
      if (done) return;
      yield value;
    }
  } finally {
    await blocks.return(undefined);
  }
}
