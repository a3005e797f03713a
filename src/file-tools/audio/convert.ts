/** Converts audio between formats. */
import { asNotInstalled } from "../../contract/optional-packages.js";
import { type Engine, UnreadableFileError } from "../engine.js";
import type { AudioBlock, AudioSource } from "./audio-types.js";
import { decodeAac, type LoadAacDecoder, loadAacDecoder } from "./decode-aac.js";
import { decodePcm, pcmFormat } from "./decode-pcm.js";
import { decodeStream, streamDecoders } from "./decode-stream.js";
import { checkDecodedLength } from "./header-checks.js";
import { openAudio, UnsupportedCodecError } from "./open-audio.js";
import { ConversionPipeline } from "./pipeline.js";
import type { TargetName } from "./targets.js";

export interface AudioOptions {
  target: TargetName;
}

async function convertSource(
  source: AudioSource,
  target: TargetName,
  load: LoadAacDecoder,
): Promise<Uint8Array> {
  let pipeline: ConversionPipeline | null = null;
  for await (const block of decode(source, load)) {
    pipeline ??= await ConversionPipeline.start(block, source, target);
    await pipeline.add(block);
  }
  if (!pipeline)
    throw new UnreadableFileError(
      "no audio can be decoded from it: it is damaged or cut off; send the whole file",
    );
  checkDecodedLength(source, pipeline.seconds);
  return await pipeline.finish();
}

/** Creates the engine. `load` loads the AAC decoder, which is an optional dependency. */
export const createAudioEngine =
  (load: LoadAacDecoder): Engine<AudioOptions> =>
  async (bytes, { target }) =>
    convertSource(await openAudio(bytes), target, load);

export const encodeAudio = createAudioEngine(loadAacDecoder);

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
async function* decode(source: AudioSource, loadAac: LoadAacDecoder): AsyncGenerator<AudioBlock> {
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
