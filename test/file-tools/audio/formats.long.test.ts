import { describe, expect, it } from "vitest";
import { isLong } from "../../support/repetitions.js";
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
  type Tone,
  wav,
} from "./tones.js";

const tone: Tone = { frequency: 440, peak: 0.4 };

async function heard(bytes: Uint8Array, name: Name, { frequency, peak }: Tone, channel = 0) {
  const { channelData, sampleRate } = await decode(bytes, name);
  const plane = channelData[channel] ?? new Float32Array();
  const { purity, decibels } = measure(plane, sampleRate, frequency);
  expect(purity).toBeGreaterThan(0.98);
  expect(Math.abs(decibels - decibelsOf(peak))).toBeLessThan(1.5);
  return { seconds: plane.length / sampleRate, channels: channelData.length };
}

// The lower rate is that of telephone audio.
describe.each(isLong ? [8_000, 44_100] : [8_000])("mono audio of %i Hz", (rate) => {
  it.each(isLong ? names : namesWith("aac"))(
    "stays mono and keeps its length and loudness in %s",
    async (name) => {
      const bytes = await convert(wav({ seconds: 0.5, rate, tones: [tone] }), name);
      const found = await probe(bytes);
      expect(found.channels).toBe(1);
      expect(Math.abs(found.seconds - 0.5)).toBeLessThan(0.05);
      const { seconds } = await heard(bytes, name, tone);
      expect(Math.abs(seconds - 0.5)).toBeLessThan(0.05);
    },
  );
});

// M4A has the rates of AAC, which another test resamples to.
it.each(isLong ? names : (["mp3", "wav", "flac", "ogg"] as const))(
  "converts 96 kHz studio audio to %s",
  async (name) => {
    const bytes = await convert(wav({ rate: 96_000, seconds: 0.5 }), name);
    const lossy = ["mp3", "aac", "m4a"].includes(name);
    expect((await probe(bytes)).rate).toBe(lossy ? 48_000 : 96_000);
    expect(Math.abs((await probe(bytes)).seconds - 0.5)).toBeLessThan(0.05);
    await heard(bytes, name, { frequency: 1000, peak: 0.25 }, 1);
  },
);

// The audio is mixed before it is encoded.
it.each(isLong ? names : (["mp3", "wav", "flac"] as const))(
  "mixes 5.1 down to stereo, except for flac and wav: %s",
  async (name) => {
    const silent = { frequency: 440, peak: 0 };
    const centre = { frequency: 700, peak: 0.6 };
    const bytes = await convert(
      wav({ seconds: 0.5, tones: [tone, silent, centre, silent, silent, silent] }),
      name,
    );
    const { channels } = await probe(bytes);
    expect(channels).toBe(name === "flac" || name === "wav" ? 6 : 2);
    // Left, centre and left surround are mixed 1 : 0.71 : 0.71.
    const share = Math.SQRT1_2 / (1 + 2 * Math.SQRT1_2);
    if (channels === 2) await heard(bytes, name, { frequency: 700, peak: 0.6 * share }, 1);
    else await heard(bytes, name, centre, 2);
  },
);

it("removes frequencies above the new sample rate's limit, without aliasing", async () => {
  const bytes = await convert(
    wav({ seconds: 0.5, rate: 96_000, tones: [{ frequency: 30_000, peak: 0.5 }] }),
    "mp3",
  );
  const { channelData, sampleRate } = await decode(bytes, "mp3");
  expect(measure(channelData[0] ?? new Float32Array(), sampleRate, 18_000).decibels).toBeLessThan(-70);
});

// The encoder of FLAC has no rates of 11,025 and 12,000 Hz, which small samples often have.
it.each([
  { bits: 16, rate: 44_100 },
  { bits: 24, rate: 44_100 },
  { bits: 16, rate: 11_025 },
  { bits: 24, rate: 12_000 },
] as const)("keeps every bit of $bits-bit audio at $rate Hz through flac and back", async (format) => {
  const source = wav({ seconds: 0.3, ...format });
  const back = await convert(await convert(source, "flac"), "wav");
  expect(Buffer.compare(back, source)).toBe(0);
});

it("keeps every sample of a flac of more than 128 frames, whose numbers take two bytes", async () => {
  // A tone without a short period makes frames of many sizes.
  const source = wav({ seconds: 70, rate: 8_000, tones: [{ frequency: 440.7, peak: 0.9 }] });
  const back = await convert(await convert(source, "flac"), "wav");
  expect(Buffer.compare(back, source)).toBe(0);
});

it("reads and writes the extensible wav header for more than two channels", async () => {
  const six = Array.from({ length: 6 }, (_, i) => ({ frequency: 300 + 100 * i, peak: 0.1 * (i + 1) }));
  const extensible = await convert(wav({ seconds: 0.3, bits: 24, tones: six }), "wav");
  expect(Buffer.from(extensible).readUInt16LE(20)).toBe(0xfffe);
  expect(Buffer.compare(await convert(extensible, "wav"), extensible)).toBe(0);
});

it("writes the length and checksum of a flac, which stream encoders omit", async () => {
  const flac = Buffer.from(await convert(wav({ seconds: 0.3 }), "flac"));
  const { createHash } = await import("node:crypto");
  const md5 = createHash("md5")
    .update(wav({ seconds: 0.3 }).subarray(44))
    .digest("hex");
  expect(flac.readUInt32BE(22)).toBe(13_230);
  expect(flac.toString("hex", 26, 42)).toBe(md5);
});

it("converts float audio to 24 bits and clips it at full scale", async () => {
  const bytes = await convert(
    wav({ bits: 32, isFloat: true, tones: [{ frequency: 440, peak: 1.5 }] }),
    "wav",
  );
  expect((await probe(bytes)).codec).toBe("pcm-s24");
  const { channelData } = await decode(bytes, "wav");
  expect(Math.max(...(channelData[0] ?? []))).toBeCloseTo(1, 5);
});

it("reads 8-bit audio", async () => {
  await heard(await convert(wav({ bits: 8, tones: [tone] }), "wav"), "wav", tone);
});

it("accepts unusual sample rates", async () => {
  const bytes = await convert(wav({ seconds: 0.4, rate: 37_801, tones: [tone] }), "m4a");
  expect((await probe(bytes)).rate).toBe(48_000);
  await heard(bytes, "m4a", tone);
});

it.each(isLong ? names : namesWith("m4a"))("converts 10 ms of audio to %s and back", async (name) => {
  const back = await convert(await convert(wav({ seconds: 0.01 }), name), "wav");
  expect(Math.abs((await probe(back)).seconds - 0.01)).toBeLessThan(0.05);
});

describe("an mp3", () => {
  it.each([
    [24_000, 1, 24_000],
    [22_050, 2, 22_050],
    [32_000, 1, 32_000],
    [8_000, 1, 48_000],
    [96_000, 2, 48_000],
  ])("of sound at %i Hz with %i channels has as many, at %i Hz", async (from, channels, to) => {
    const tones = stereo.slice(0, channels);
    const mp3 = await convert(wav({ seconds: 0.7, rate: from, tones }), "mp3");
    const found = await probe(mp3);
    expect([found.rate, found.channels]).toEqual([to, channels]);
    const { channelData } = await decode(mp3, "mp3");
    for (const [channel, { frequency }] of tones.entries())
      expect(measure(channelData[channel] as Float32Array, to, frequency).purity).toBeGreaterThan(0.97);
  });
});
