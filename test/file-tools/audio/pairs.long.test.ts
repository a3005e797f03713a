import {
  type AttachedImage,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Output,
  WavOutputFormat,
} from "mediabunny";
import { beforeAll, describe, expect, it } from "vitest";
import { isLong, shareOf } from "../../support/repetitions.js";
import {
  convert,
  decibelsOf,
  decode,
  measure,
  type Name,
  names,
  namesWith,
  probe,
  stereo,
  wav,
} from "./tones.js";

const seconds = 0.5;
const cover = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const tags = {
  title: "Ẹ kú ọjọ́ ìbí",
  artist: "Adé & Co.",
  album: "Ọ̀nà",
  albumArtist: "Various",
  genre: "Highlife",
  comment: "made for a test",
  trackNumber: 3,
  tracksTotal: 12,
  discNumber: 1,
  discsTotal: 2,
};

/** The source, with tags written by mediabunny. */
async function tagged(): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new WavOutputFormat({ metadataFormat: "id3" }), target });
  const source = new EncodedAudioPacketSource("pcm-s16");
  output.addAudioTrack(source);
  const images: AttachedImage[] = [{ data: cover, mimeType: "image/png", kind: "coverFront" }];
  output.setMetadataTags({ ...tags, date: new Date("2019-04-27"), images });
  await output.start();
  const decoderConfig = { codec: "pcm-s16", numberOfChannels: 2, sampleRate: 44_100 };
  const data = wav({ seconds }).subarray(44);
  await source.add(new EncodedPacket(data, "key", 0, seconds), { decoderConfig });
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

const expected: Record<Name, [format: string, codec: string]> = {
  mp3: ["MP3", "mp3"],
  wav: ["WAVE", "pcm-s16"],
  aac: ["ADTS", "aac"],
  flac: ["FLAC", "flac"],
  ogg: ["Ogg", "vorbis"],
  m4a: ["MP4", "aac"],
};

let source: Uint8Array;
const sources = {} as Record<Name, Uint8Array>;
beforeAll(async () => {
  source = await tagged();
  for (const name of names) sources[name] = await convert(source, name);
});

/** In short runs, each format is read once and written once. */
const pairs = names.flatMap((from, turn) => shareOf(names, 6, turn + 1).map((to) => [from, to] as const));

describe.each(pairs)("%s to %s", (from, to) => {
  it("keeps length, channels, sound and tags", async () => {
    const bytes = await convert(sources[from], to);
    const found = await probe(bytes);
    expect([found.format, found.codec]).toEqual(expected[to]);
    expect(found).toMatchObject({ rate: 44_100, channels: 2 });
    // The length in the headers is compared with the source's, and the decoded audio with the original tones.
    expect(Math.abs(found.seconds - (await probe(sources[from])).seconds)).toBeLessThan(0.05);
    const { channelData, sampleRate } = await decode(bytes, to);
    expect(Math.abs((channelData[0]?.length ?? 0) / sampleRate - seconds)).toBeLessThan(0.05);
    for (const [channel, { frequency, peak }] of stereo.entries()) {
      const { purity, decibels } = measure(channelData[channel] ?? new Float32Array(), sampleRate, frequency);
      expect(purity).toBeGreaterThan(0.99);
      expect(Math.abs(decibels - decibelsOf(peak))).toBeLessThan(1.5);
    }
    expect(found.tags).toMatchObject(tags);
    expect(found.tags.date?.toISOString().slice(0, 10)).toBe("2019-04-27");
    expect(Buffer.compare(found.tags.images?.[0]?.data ?? Buffer.alloc(0), cover)).toBe(0);
  });
});

it("returns the same bytes for the same file at any time", async () => {
  for (const name of isLong ? names : namesWith("m4a"))
    expect(Buffer.compare(await convert(source, name), sources[name]), name).toBe(0);
  // Creation and modification times.
  const mp4 = Buffer.from(sources.m4a);
  for (const box of ["mvhd", "tkhd", "mdhd"])
    expect(mp4.readBigUInt64BE(mp4.indexOf(box, 0, "latin1") + 8), box).toBe(0n);
});

it("stores the disc number of an m4a in the item that players read", () => {
  const at = Buffer.from(sources.m4a).indexOf("disk\0\0\0\x18data", 0, "latin1");
  expect(Buffer.from(sources.m4a).readUInt16BE(at + 22)).toBe(tags.discNumber);
});

/** Returns the time of a click in the decoded audio, which is at 0.2 s in the source. */
async function clickAt(name: Name): Promise<number> {
  const source = wav({ seconds: 0.4, tones: [{ frequency: 440, peak: 0 }] });
  for (let i = 0; i < 8; i++) source.writeInt16LE(i % 2 ? -30_000 : 30_000, 44 + (8_820 + i) * 2);
  const { channelData, sampleRate } = await decode(await convert(source, name), name);
  const plane = channelData[0] ?? new Float32Array();
  return (
    plane.reduce((best, sample, i) => (Math.abs(sample) > Math.abs(plane[best] ?? 0) ? i : best), 0) /
    sampleRate
  );
}

it("keeps audio in time despite encoder delays", async () => {
  for (const name of names) expect(Math.abs((await clickAt(name)) - 0.2), name).toBeLessThan(0.002);
});
