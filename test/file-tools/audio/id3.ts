/** Writes ID3v2.4 tags with mediabunny, without our code. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  type MetadataTags,
  Mp3OutputFormat,
  Output,
} from "mediabunny";

/** The head of a frame of MP3, without which mediabunny writes no file. */
const frame = Buffer.from("fffb9000", "hex");

/** Returns a tag that other files can follow. Frames that mediabunny does not know by name are `raw`, by their ids. */
export async function encodeId3(tags: MetadataTags): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp3OutputFormat({ xingHeader: false }), target });
  const source = new EncodedAudioPacketSource("mp3");
  output.addAudioTrack(source);
  output.setMetadataTags(tags);
  await output.start();
  const decoderConfig = { codec: "mp3", numberOfChannels: 2, sampleRate: 44_100 };
  await source.add(new EncodedPacket(frame, "key", 0, 1), { decoderConfig });
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer).subarray(0, -frame.length);
}

/** Returns a cover of this many bytes, of which only the first look like a picture. */
export function coverOf(bytes: number): NonNullable<MetadataTags["images"]> {
  const data = new Uint8Array(bytes).fill(7);
  data.set([0xff, 0xd8]);
  return [{ data, mimeType: "image/jpeg", kind: "coverFront" }];
}
