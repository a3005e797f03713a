/** Files made by ffmpeg 7.0, in formats that the sandbox reads but does not write. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { convert, decibelsOf, decode, measure, probe, stereo, type Tone, wav } from "./tones.js";

const file = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`./ffmpeg-files/${name}`, import.meta.url));

async function heard(bytes: Uint8Array, tones: readonly Tone[], seconds: number): Promise<void> {
  const { channelData, sampleRate } = await decode(bytes, "wav");
  expect(channelData).toHaveLength(tones.length);
  for (const [channel, { frequency, peak }] of tones.entries()) {
    const plane = channelData[channel] ?? new Float32Array();
    expect(Math.abs(plane.length / sampleRate - seconds)).toBeLessThan(0.05);
    const { purity, decibels } = measure(plane, sampleRate, frequency);
    expect(purity, `${frequency} Hz in channel ${channel}`).toBeGreaterThan(0.97);
    expect(Math.abs(decibels - decibelsOf(peak))).toBeLessThan(1.5);
  }
}

it.each(["opus.ogg", "vbr.mp3"])("reads %s, with its tags", async (name) => {
  const bytes = await convert(await file(name), "wav");
  await heard(bytes, stereo, 0.6);
  expect((await probe(bytes)).tags).toMatchObject({ title: "Ọ̀nà", artist: "Adé" });
});

it("ends an mp3 of ffmpeg at the sample that it declares, although its frames mix the modes for two channels", async () => {
  const { channelData } = await decode(await convert(await file("vbr.mp3"), "wav"), "wav");
  expect(channelData[0]).toHaveLength(0.6 * 44_100);
});

const mono: Tone = { frequency: 440, peak: 0.5 };

it("keeps every bit of Apple Lossless, with the index at the end of the file", async () => {
  const bytes = await convert(await file("lossless.m4a"), "wav");
  await heard(bytes, stereo, 0.6);
  const same = wav({ seconds: 0.6, rate: 11_025 });
  const samples = (from: Uint8Array): number[] =>
    Array.from({ length: 2 * 6_615 }, (_, i) =>
      Buffer.from(from.buffer, from.byteOffset).readInt16LE(44 + i * 2),
    );
  const right = samples(same);
  // The two programs may round samples differently.
  expect(
    Math.max(...samples(bytes).map((sample, i) => Math.abs(sample - (right[i] as number)))),
  ).toBeLessThan(2);
});

it("reads the sample rate of Apple Lossless if it is too high for the MP4 header", async () => {
  const bytes = await convert(await file("lossless-studio.m4a"), "wav");
  expect((await probe(bytes)).rate).toBe(96_000);
  await heard(bytes, [mono], 0.3);
});

it("reads a fragmented m4a", async () => {
  await heard(await convert(await file("fragments.m4a"), "wav"), [mono], 0.6);
});

it("reads a wav of unknown length, as written to a pipe", async () => {
  const bytes = await file("piped.wav");
  expect(Buffer.from(bytes).readUInt32LE(4)).toBe(0xffffffff);
  await heard(await convert(bytes, "wav"), [mono], 0.6);
});

/** A different tone for each channel: left, right, centre, LFE, back and side. */
const speakers = [300, 400, 500, 60, 700, 800, 900, 1000].map((frequency) => ({ frequency, peak: 0.5 }));

it.each([
  ["surround-5.1.m4a", 6],
  ["surround-5.1.aac", 6],
  ["surround-5.1.ogg", 6],
  ["surround-lossless.m4a", 6],
  ["surround-7.1.m4a", 8],
])("keeps the order of the channels of %s", async (name, channels) => {
  const { channelData, sampleRate } = await decode(await convert(await file(name), "wav"), "wav");
  expect(channelData).toHaveLength(channels);
  for (const [channel, plane] of channelData.entries()) {
    const { frequency } = speakers[channel] as Tone;
    expect(measure(plane, sampleRate, frequency).purity, `${frequency} Hz in ${channel}`).toBeGreaterThan(
      0.9,
    );
  }
});
