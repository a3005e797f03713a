/** Videos in real containers. The frames are a few made-up bytes: nothing in the sandbox decodes them. */
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
  /** The last frame ends then. */
  seconds: number;
  framesPerSecond?: number;
  width?: number;
  height?: number;
  /** Bytes of a frame. */
  frameBytes?: number;
  tags?: MetadataTags;
  /** Sound of the same length beside the pictures, or in their place. */
  sound?: "beside" | "alone";
}

const formats = {
  mp4: () => new Mp4OutputFormat({ fastStart: "in-memory" }),
  "mp4 with its index at the end": () => new Mp4OutputFormat({ fastStart: false }),
  "fragmented mp4": () => new Mp4OutputFormat({ fastStart: "fragmented" }),
  mov: () => new MovOutputFormat({ fastStart: "in-memory" }),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  /** As browsers record: nothing is told that is not known yet. */
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

/** The smallest index that tells a duration and a track of pictures, 64-bit times included. */
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

/** The head of a box of so many bytes of content; from 4 GB on and for tests its size has 64 bits. */
export const boxHead = (type: string, content: number, wide = false): Buffer =>
  wide
    ? Buffer.concat([uint32(1), ascii(type), uint32(0, content + 16)])
    : Buffer.concat([uint32(content + 8), ascii(type)]);

const little = (...values: readonly number[]): Buffer => {
  const bytes = uint32(...values);
  return bytes.swap32();
};

/** The headers of an AVI and no frame behind them. */
export function aviOf(seconds: number, framesPerSecond = 25): Buffer {
  const frames = Math.round(seconds * framesPerSecond);
  const main = little(1e6 / framesPerSecond, 0, 0, 0, frames, 0, 1, 0, 640, 360, 0, 0, 0, 0);
  const header = Buffer.concat([ascii("hdrlavih"), little(main.length), main]);
  const list = Buffer.concat([ascii("LIST"), little(header.length), header]);
  return Buffer.concat([ascii("RIFF"), little(list.length + 4), ascii("AVI "), list]);
}
