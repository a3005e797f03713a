/** Reads and writes encoded streams with mediabunny. */
import {
  type AudioCodec,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type MetadataTags,
  OGG,
  Output,
  type OutputFormat,
} from "mediabunny";

export interface EncodedStream {
  codec: AudioCodec;
  config: AudioDecoderConfig;
  packets: EncodedPacket[];
}

/** Returns the stream as a file. */
export async function mux(
  format: OutputFormat,
  { codec, config, packets }: EncodedStream,
  tags: MetadataTags = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, packets.length === 0 ? { decoderConfig: config } : {});
  output.setMetadataTags(tags);
  await output.start();
  for (const packet of packets) await source.add(packet, { decoderConfig: config });
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

/** Returns the stream in an Ogg file that an encoder wrote. */
export async function demuxOgg(file: Uint8Array): Promise<EncodedStream> {
  const input = new Input({ source: new BufferSource(file), formats: [OGG] });
  const track = await input.getPrimaryAudioTrack();
  const [codec, config] = [await track?.getCodec(), await track?.getDecoderConfig()];
  if (!track || !codec || !config) throw new Error("The encoder wrote no audio.");
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return { codec, config, packets };
}
