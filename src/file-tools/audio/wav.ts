/** Encodes WAV with 16 or 24 bits, up to eight channels, and both RIFF and ID3 tags. */
import { WavOutputFormat } from "mediabunny";
import type { Encoder, EncoderSettings } from "./audio-source.js";
import { checkOutputSize } from "./limits.js";
import { mux } from "./mux.js";
import { quantize, writeSamples } from "./quantize.js";
import { extensibleFormat, readChunks, riffChunk, u32le } from "./riff.js";
import { infoChunk, toMetadata } from "./tags.js";

/** Speaker masks of 1 to 8 channels; bit 0 is front left. */
const speakerMasks = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];
/** The rest of the GUID of the PCM sub-format, after its tag. */
const pcmGuid = Buffer.from([1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);

/** Extends the format chunk with the speakers of more than two channels. */
function extendFormat(plain: Buffer, { channels, bits }: EncoderSettings): Buffer {
  if (channels <= 2) return plain;
  const extension = Buffer.alloc(8);
  extension.writeUInt16LE(6 + pcmGuid.length, 0);
  extension.writeUInt16LE(bits, 2);
  extension.writeUInt32LE(speakerMasks[channels - 1] ?? 0, 4);
  const extended = Buffer.concat([plain, extension, pcmGuid]);
  extended.writeUInt16LE(extensibleFormat, 0);
  return extended;
}

/** Returns the chunks before the samples. */
async function writeHeader(settings: EncoderSettings): Promise<Buffer> {
  const { rate, channels, bits, tags } = settings;
  const codec = `pcm-s${bits}` as const;
  const config = { codec, sampleRate: rate, numberOfChannels: channels };
  const format = new WavOutputFormat({ metadataFormat: "id3" });
  const empty = await mux(format, { codec, config, packets: [] }, toMetadata(tags, "id3"));
  const chunks = [...readChunks(empty)].flatMap(({ id, body }) => {
    if (id === "fmt ") return [riffChunk(id, extendFormat(body, settings))];
    return id === "data" ? [] : [riffChunk("id3 ", body)];
  });
  // ID3 comes first, so that readers of both prefer its longer texts.
  return Buffer.concat([...chunks, infoChunk(tags)]);
}

export async function startWav(settings: EncoderSettings): Promise<Encoder> {
  const { rate, channels, bits, seconds } = settings;
  if (seconds !== null) checkOutputSize((seconds * rate * channels * bits) / 8);
  const header = await writeHeader(settings);
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add(planes) {
      const samples = quantize(planes, bits);
      const part = Buffer.alloc((samples.length * bits) / 8);
      writeSamples(samples, bits, part);
      parts.push(part);
      size += part.length;
      checkOutputSize(size);
    },
    finish() {
      const padding = Buffer.alloc(size & 1);
      const riffSize = "WAVE".length + header.length + 8 + size + padding.length;
      const head = [
        Buffer.from("RIFF"),
        u32le(riffSize),
        Buffer.from("WAVE"),
        header,
        Buffer.from("data"),
        u32le(size),
      ];
      return Buffer.concat([...head, ...parts, padding]);
    },
  };
}
