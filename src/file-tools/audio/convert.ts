/** Converts audio between formats, with ffmpeg if it is on the PATH, otherwise with the built-in decoders and encoders. */
import { type Engine, UnreadableFileError } from "../engine.js";
import type { AudioSource } from "./audio-types.js";
import { decode } from "./decode.js";
import { type LoadAacDecoder, loadAacDecoder } from "./decode-aac.js";
import { convertWithFfmpeg, decodeWithFfmpeg } from "./ffmpeg.js";
import { checkDecodedLength } from "./header-checks.js";
import { openAudio, UnsupportedCodecError } from "./open-audio.js";
import { ConversionPipeline } from "./pipeline.js";
import type { TargetName } from "./targets.js";

export interface AudioOptions {
  target: TargetName;
  ffmpeg: "auto" | "off";
}

async function convertBuiltIn(
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

/** Opens what ffmpeg decodes of a file whose codec has no built-in decoder. */
async function openDecoded(bytes: Uint8Array, error: unknown): Promise<AudioSource> {
  const decoded =
    error instanceof UnsupportedCodecError ? await decodeWithFfmpeg(bytes, error.container) : null;
  if (!decoded) throw error;
  return await openAudio(decoded);
}

/** Creates the engine. `load` loads the AAC decoder, which is an optional dependency. */
export const createAudioEngine =
  (load: LoadAacDecoder): Engine<AudioOptions> =>
  async (bytes, { target, ffmpeg }) => {
    const source = await openAudio(bytes).catch((error: unknown) =>
      ffmpeg === "auto" ? openDecoded(bytes, error) : Promise.reject(error),
    );
    const converted = ffmpeg === "auto" ? await convertWithFfmpeg(source, target) : null;
    return converted ?? (await convertBuiltIn(source, target, load));
  };

export const encodeAudio = createAudioEngine(loadAacDecoder);
