/** Sound in AIFF, CAF and RF64, which the sandbox reads but does not write. */
import { describe, expect, it } from "vitest";
import { useListeningSandbox } from "../../support/sandbox.js";
import { pageOffsets, setFlags } from "./ogg.js";
import { convert, decode, measure, probe, sampleOf, stereo, type WavOptions, wav } from "./tones.js";

const sandbox = useListeningSandbox();
const seconds = 0.3;
const rate = 44_100;

/** Returns the samples of a WAV in big-endian order. */
function bigEndian(options: WavOptions): Buffer {
  const width = (options.bits ?? 16) / 8;
  const samples = Buffer.from(wav({ seconds, ...options }).subarray(44));
  for (let at = 0; at < samples.length; at += width) samples.subarray(at, at + width).reverse();
  return samples;
}

const aiffChunk = (id: string, body: Buffer, size = body.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id);
  head.writeUInt32BE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
};

interface AiffOptions {
  bits?: number;
  /** Compression type of AIFC. */
  compression?: string;
  declared?: number;
}

function aiff(samples: Buffer, { bits = 16, compression = "", declared }: AiffOptions = {}): Buffer {
  const common = Buffer.alloc(18);
  common.writeUInt16BE(2);
  common.writeUInt32BE((samples.length * 8) / bits / 2, 2);
  common.writeUInt16BE(bits, 6);
  // 44,100 as an 80-bit number: 2 to the power of 15, times 44,100 / 32,768.
  common.writeUInt16BE(16_383 + 15, 8);
  common.writeUInt32BE(rate * 2 ** 16, 10);
  const sound = Buffer.concat([Buffer.alloc(8), samples]);
  const chunks = Buffer.concat([
    Buffer.from(compression ? "AIFC" : "AIFF"),
    aiffChunk("COMM", compression ? Buffer.concat([common, Buffer.from(`${compression}\0\0`)]) : common),
    aiffChunk("NAME", Buffer.from("Ọ̀nà")),
    aiffChunk("SSND", sound, declared),
  ]);
  return aiffChunk("FORM", chunks);
}

const cafChunk = (id: string, body: Buffer, size = BigInt(body.length)): Buffer => {
  const head = Buffer.alloc(12);
  head.write(id);
  head.writeBigInt64BE(size, 4);
  return Buffer.concat([head, body]);
};

function caf(samples: Buffer, format: string, flags: number, bits: number): Buffer {
  const description = Buffer.alloc(32);
  description.writeDoubleBE(rate);
  description.write(format, 8);
  for (const [at, value] of [flags, bits / 4, 1, 2, bits].entries())
    description.writeUInt32BE(value, 12 + at * 4);
  return Buffer.concat([
    Buffer.from("caff\0\x01\0\0", "latin1"),
    cafChunk("desc", description),
    cafChunk("info", Buffer.from("\0\0\0\x02artist\0Adé\0title\0Ọ̀nà\0")),
    cafChunk("data", Buffer.concat([Buffer.alloc(4), samples]), -1n),
  ]);
}

function rf64(): Buffer {
  const plain = wav({ seconds });
  const sizes = Buffer.alloc(36);
  sizes.write("ds64");
  sizes.writeUInt32LE(28, 4);
  sizes.writeBigUInt64LE(BigInt(plain.length + 28), 8);
  sizes.writeBigUInt64LE(BigInt(plain.length - 44), 16);
  const rest = Buffer.from(plain.subarray(12));
  rest.writeUInt32LE(0xffffffff, 28);
  return Buffer.concat([Buffer.from("RF64\xff\xff\xff\xffWAVE", "latin1"), sizes, rest]);
}

async function expectTones(bytes: Uint8Array): Promise<void> {
  const { channelData, sampleRate } = await decode(bytes, "wav");
  expect([channelData.length, sampleRate]).toEqual([2, rate]);
  for (const [channel, { frequency, peak }] of stereo.entries()) {
    const plane = channelData[channel] ?? new Float32Array();
    expect(plane.length / sampleRate).toBeCloseTo(seconds, 2);
    expect(measure(plane, sampleRate, frequency).purity).toBeGreaterThan(0.97);
    const at = 1_000;
    const right = sampleOf({ frequency, peak }, at, rate);
    expect(Math.abs((plane[at] ?? Number.NaN) - right)).toBeLessThan(0.01);
  }
}

/** Returns 8-bit samples with a sign. */
const signed = (): Buffer =>
  Buffer.from(
    wav({ seconds, bits: 8 })
      .subarray(44)
      .map((sample) => sample ^ 0x80),
  );

describe.each<[string, () => Buffer]>([
  ["AIFF of 16 bits", () => aiff(bigEndian({}))],
  ["AIFF of 24 bits", () => aiff(bigEndian({ bits: 24 }), { bits: 24 })],
  ["AIFF of 8 bits", () => aiff(signed(), { bits: 8 })],
  ["AIFC with little-endian samples", () => aiff(wav({ seconds }).subarray(44), { compression: "sowt" })],
  ["AIFC with floats", () => aiff(bigEndian({ bits: 32, isFloat: true }), { bits: 32, compression: "fl32" })],
  ["CAF of 16 bits", () => caf(bigEndian({}), "lpcm", 0, 16)],
  [
    "CAF with little-endian floats",
    () => caf(wav({ seconds, bits: 32, isFloat: true }).subarray(44), "lpcm", 3, 32),
  ],
  ["RF64", rf64],
])("%s", (name, make) => {
  it("is read over HTTP, with its tags", async () => {
    const body = new FormData();
    body.set("file", new Blob([Uint8Array.from(make())]), "sound");
    body.set("target_format", "wav");
    const response = await sandbox.account().fetch("/v1/tools/audio-convert", { method: "POST", body });
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    await expectTones(bytes);
    if (name !== "RF64") expect((await probe(bytes)).tags.title).toBe("Ọ̀nà");
  });
});

it("names a codec that it does not decode", async () => {
  await expect(convert(caf(Buffer.alloc(4_000), "ima4", 0, 4), "mp3")).rejects.toThrow(
    'it contains "ima4" audio in caf, which has no built-in decoder; send mp3, wav',
  );
  await expect(convert(aiff(Buffer.alloc(4_000), { compression: "MAC6" }), "mp3")).rejects.toThrow(
    'it contains "MAC6" audio in aiff',
  );
});

it("refuses an AIFF that is cut off", async () => {
  const samples = bigEndian({});
  const half = aiff(samples.subarray(0, samples.length / 2), { declared: samples.length + 8 });
  await expect(convert(half, "mp3")).rejects.toThrow(/cut off/);
});

describe("sound without its end", () => {
  it("is converted where an AAC stream lacks the end of its last frame", async () => {
    const whole = await convert(wav({ seconds: 0.6 }), "aac");
    const { seconds: found } = await probe(await convert(whole.subarray(0, whole.length - 50), "wav"));
    expect(found).toBeGreaterThan(0.5);
  });

  it("is converted where the last page of an Ogg is not marked", async () => {
    const ogg = Buffer.from(await convert(wav({ seconds: 0.6 }), "ogg"));
    setFlags(ogg.subarray(pageOffsets(ogg).at(-1)), 0);
    const { seconds: found } = await probe(await convert(ogg, "wav"));
    expect(found).toBeCloseTo(0.6, 1);
  });
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

  it("of a small mp3 is hardly larger, and as long", async () => {
    const tones = stereo.slice(0, 1);
    const small = await convert(wav({ seconds: 4, rate: 22_050, tones }), "mp3");
    const music = await convert(wav({ seconds: 4, rate: 44_100, tones }), "mp3");
    const again = await convert(small, "mp3");
    expect(small.length).toBeLessThan(music.length * 0.7);
    expect(again.length).toBeLessThan(small.length * 1.1);
    expect(Math.abs((await probe(again)).seconds - 4)).toBeLessThan(0.1);
  });
});
