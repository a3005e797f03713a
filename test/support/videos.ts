/** Videos in real containers. Their frames are a few arbitrary bytes, since the sandbox does not decode them. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  type MetadataTags,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from "mediabunny";

const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

export interface VideoShape {
  /** End of the last frame. */
  seconds: number;
  framesPerSecond?: number;
  width?: number;
  height?: number;
  /** Size of a frame, in bytes. */
  frameBytes?: number;
  tags?: MetadataTags;
  /** Whether to add an audio track of the same length, or to use it instead of the video track. */
  sound?: "beside" | "alone";
}

const formats = {
  mp4: () => new Mp4OutputFormat({ fastStart: "in-memory" }),
  "mp4 with its index at the end": () => new Mp4OutputFormat({ fastStart: false }),
  "fragmented mp4": () => new Mp4OutputFormat({ fastStart: "fragmented" }),
  mov: () => new MovOutputFormat({ fastStart: "in-memory" }),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  /** As browsers record: without sizes and durations that are unknown while recording. */
  "live webm": () => new WebMOutputFormat({ appendOnly: true }),
} as const satisfies Record<string, () => OutputFormat>;

export type VideoKind = keyof typeof formats;
export const videoKinds = Object.keys(formats) as VideoKind[];

export async function videoOf(kind: VideoKind, shape: VideoShape): Promise<Buffer> {
  const { seconds, framesPerSecond = 10, width = 640, height = 360, frameBytes = 40 } = shape;
  const output = new Output({ format: formats[kind](), target: new BufferTarget() });
  if (shape.tags) output.setMetadataTags(shape.tags);
  const pictures = new EncodedVideoPacketSource("vp9");
  const sound = new EncodedAudioPacketSource("opus");
  if (shape.sound !== "alone") output.addVideoTrack(pictures, { frameRate: framesPerSecond });
  if (shape.sound) output.addAudioTrack(sound);
  await output.start();
  const frame = new Uint8Array(frameBytes).fill(1);
  const frames = Math.round(seconds * framesPerSecond);
  const decoderConfig = { codec: "vp09.00.10.08", codedWidth: width, codedHeight: height };
  const soundConfig = { codec: "opus", numberOfChannels: 1, sampleRate: 48_000 };
  for (let at = 0; at < frames; at++) {
    const type = at % 50 === 0 ? "key" : "delta";
    const [start, length] = [at / framesPerSecond, 1 / framesPerSecond];
    if (shape.sound !== "alone")
      await pictures.add(new EncodedPacket(frame, type, start, length), { decoderConfig });
    if (shape.sound)
      await sound.add(new EncodedPacket(frame, "key", start, length), { decoderConfig: soundConfig });
  }
  await output.finalize();
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0));
}

const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), ascii(type), body]);
};

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

/** The smallest index with a duration and a video track, in 32-bit or 64-bit times. */
export function movieBox(seconds: number, handler = "vide", wide = false): Buffer {
  const scale = 1000;
  const times = wide
    ? Buffer.concat([uint32(0x01000000), zeros(16), uint32(scale, 0, seconds * scale)])
    : Buffer.concat([zeros(12), uint32(scale, seconds * scale)]);
  const size = uint32(640 << 16, 360 << 16);
  const track = box(
    "trak",
    box("tkhd", zeros(12), uint32(1), zeros(60), size),
    box("mdia", box("mdhd", times), box("hdlr", zeros(8), ascii(handler), zeros(13))),
  );
  return box("moov", box("mvhd", times), track);
}

export const fileTypeBox = box("ftyp", ascii("isom"), uint32(512), ascii("isommp41"));

/** Returns the header of a box with this content size. The size field has 64 bits from 4 GB on, or if a test requires it. */
export const boxHead = (type: string, content: number, wide = false): Buffer =>
  wide
    ? Buffer.concat([uint32(1), ascii(type), uint32(0, content + 16)])
    : Buffer.concat([uint32(content + 8), ascii(type)]);

const little = (...values: readonly number[]): Buffer => {
  const bytes = uint32(...values);
  return bytes.swap32();
};

/** Returns the headers of an AVI without frames. */
export function aviOf(seconds: number, framesPerSecond = 25): Buffer {
  const frames = Math.round(seconds * framesPerSecond);
  const main = little(1e6 / framesPerSecond, 0, 0, 0, frames, 0, 1, 0, 640, 360, 0, 0, 0, 0);
  const header = Buffer.concat([ascii("hdrlavih"), little(main.length), main]);
  const list = Buffer.concat([ascii("LIST"), little(header.length), header]);
  return Buffer.concat([ascii("RIFF"), little(list.length + 4), ascii("AVI "), list]);
}
