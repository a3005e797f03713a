/** Creates files with tones of known frequency and loudness, and reads files with independent libraries. */
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { encodeAudio } from "../../../src/file-tools/audio/convert.js";

export const names = ["mp3", "wav", "aac", "flac", "ogg", "m4a"] as const;
export type Name = (typeof names)[number];

/** Returns the formats with only one of AAC and M4A, which have the same slow encoder. */
export const namesWith = (container: "aac" | "m4a"): readonly Name[] =>
  names.filter((name) => (name !== "aac" && name !== "m4a") || name === container);

export const convert = (bytes: Uint8Array, target: Name): Promise<Uint8Array> =>
  encodeAudio(bytes, { target });

export interface Tone {
  /** Hz. */
  frequency: number;
  /** Peak amplitude as a share of full scale. */
  peak: number;
}

/** Different tones, so that swapped channels are detected. */
export const stereo: Tone[] = [
  { frequency: 440, peak: 0.5 },
  { frequency: 1000, peak: 0.25 },
];

export interface WavOptions {
  seconds?: number;
  rate?: number;
  tones?: Tone[];
  bits?: 8 | 16 | 24 | 32;
  isFloat?: boolean;
}

export const sampleOf = ({ frequency, peak }: Tone, i: number, rate: number): number =>
  peak * Math.sin((2 * Math.PI * frequency * i) / rate);

function put(bytes: Buffer, at: number, sample: number, bits: number, isFloat: boolean): void {
  if (isFloat) bytes.writeFloatLE(sample, at);
  else if (bits === 8) bytes.writeUInt8(Math.round(sample * 127) + 128, at);
  else bytes.writeIntLE(Math.round(sample * (2 ** (bits - 1) - 1)), at, bits / 8);
}

/** Writes a WAV without an encoder. */
export function wav(options: WavOptions = {}): Buffer {
  const { seconds = 1, rate = 44_100, tones = stereo, bits = 16, isFloat = false } = options;
  const frames = Math.round(seconds * rate);
  const frame = (tones.length * bits) / 8;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + frames * frame, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(isFloat ? 3 : 1, 20);
  head.writeUInt16LE(tones.length, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * frame, 28);
  head.writeUInt16LE(frame, 32);
  head.writeUInt16LE(bits, 34);
  head.write("data", 36);
  head.writeUInt32LE(frames * frame, 40);
  const data = Buffer.alloc(frames * frame);
  for (let i = 0; i < frames; i++)
    for (const [channel, tone] of tones.entries())
      put(data, i * frame + (channel * bits) / 8, sampleOf(tone, i, rate), bits, isFloat);
  return Buffer.concat([head, data]);
}

const input = (bytes: Uint8Array) => new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });

/** Reads the properties and tags of a file with mediabunny. */
export async function probe(bytes: Uint8Array) {
  const file = input(bytes);
  const track = await file.getPrimaryAudioTrack();
  if (!track) throw new Error("no audio track");
  return {
    format: (await file.getFormat()).name,
    codec: await track.getCodec(),
    rate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    seconds: await track.computeDuration(),
    tags: await file.getMetadataTags(),
  };
}

interface Decoded {
  channelData: Float32Array[];
  sampleRate: number;
}

async function decodeWav(bytes: Uint8Array): Promise<Decoded> {
  const track = await input(bytes).getPrimaryAudioTrack();
  if (!track) throw new Error("no audio track");
  const [channels, sampleRate] = [await track.getNumberOfChannels(), await track.getSampleRate()];
  const width = (await track.getCodec()) === "pcm-s24" ? 3 : 2;
  const packets: Uint8Array[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets()) packets.push(data);
  const all = Buffer.concat(packets);
  const channelData = Array.from({ length: channels }, (_, channel) =>
    Float32Array.from(
      { length: all.length / width / channels },
      (_, i) => all.readIntLE((i * channels + channel) * width, width) / 2 ** (width * 8 - 1),
    ),
  );
  return { channelData, sampleRate };
}

const decoders: Record<Name, (bytes: Uint8Array) => Promise<Decoded>> = {
  mp3: async (bytes) => (await import("@audio/decode-mp3")).default(bytes),
  flac: async (bytes) => (await import("@audio/decode-flac")).default(bytes),
  ogg: async (bytes) => (await import("@audio/decode-vorbis")).default(bytes),
  aac: async (bytes) => (await import("@audio/decode-aac")).default(bytes),
  m4a: async (bytes) => (await import("@audio/decode-aac")).default(bytes),
  wav: decodeWav,
};

/** Decodes a file with the decoder of its format, without our code. */
export const decode = (bytes: Uint8Array, name: Name): Promise<Decoded> => decoders[name](bytes);

/** Returns the share of a tone in the signal, 0 to 1, and the loudness in dBFS. */
export function measure(plane: Float32Array, rate: number, frequency: number) {
  // Skips the ends, which encoders distort.
  const middle = plane.subarray(Math.round(rate * 0.1), plane.length - Math.round(rate * 0.1));
  let [sine, cosine, power] = [0, 0, 0];
  for (let i = 0; i < middle.length; i++) {
    const sample = middle[i] as number;
    const angle = (2 * Math.PI * frequency * i) / rate;
    sine += sample * Math.sin(angle);
    cosine += sample * Math.cos(angle);
    power += sample * sample;
  }
  return {
    purity: (2 * (sine ** 2 + cosine ** 2)) / (power * middle.length),
    decibels: 10 * Math.log10(power / middle.length),
  };
}

/** Returns the loudness of a sine in dBFS. */
export const decibelsOf = (peak: number): number => 20 * Math.log10(peak / Math.SQRT2);
