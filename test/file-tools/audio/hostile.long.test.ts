import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from "mediabunny";
import { beforeAll, describe, expect, it } from "vitest";
import { UnreadableFileError } from "../../../src/file-tools/engine.js";
import { repetitions } from "../../support/repetitions.js";
import { flacSilence } from "./flac-silence.js";
import { convert, type Name, names, wav } from "./tones.js";

const whole = {} as Record<Name, Uint8Array>;
beforeAll(async () => {
  // The last frame of the FLAC is short, so that little is lost without it.
  for (const name of names) whole[name] = await convert(wav({ seconds: 0.67 }), name);
});

async function refusal(bytes: Uint8Array, target: Name = "mp3"): Promise<string> {
  const error: unknown = await convert(bytes, target).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnreadableFileError);
  return (error as UnreadableFileError).message;
}

const patched = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = wav();
  change(bytes);
  return bytes;
};

it("refuses a file of zero bytes", async () => {
  expect(await refusal(new Uint8Array())).toMatch(/^it is empty; send mp3/);
});

it.each([
  ["text", Buffer.from("not a song at all, ".repeat(500))],
  ["a picture", Buffer.from(`\x89PNG\r\n\x1a\n${"IHDR".repeat(500)}`, "latin1")],
  ["zeros", Buffer.alloc(50_000)],
  ["ones", Buffer.alloc(50_000, 255)],
])("refuses %s", async (_, bytes) => {
  expect(await refusal(bytes)).toContain("not in a supported audio format; send mp3, wav");
});

it.each([
  ["16-bit Microsoft ADPCM audio", 2, 16],
  ["16-bit IMA ADPCM audio", 17, 16],
  ["16-bit GSM 6.10 audio", 49, 16],
  ["16-bit codec 4660 audio", 0x1234, 16],
  ["12-bit PCM audio", 1, 12],
])("names an unsupported codec of a wav: %s", async (name, tag, bits) => {
  const bytes = patched((wav) => {
    wav.writeUInt16LE(tag, 20);
    wav.writeUInt16LE(bits, 34);
  });
  expect(await refusal(bytes)).toBe(
    `it contains ${name} in wav, which has no built-in decoder; send mp3, wav, aac, flac, ogg or m4a`,
  );
});

describe.each(names)("a truncated %s", (name) => {
  // A stream of AAC states no length.
  it.skipIf(name === "aac")("is refused as cut off at half its length", async () => {
    const bytes = whole[name];
    expect(await refusal(bytes.slice(0, bytes.length / 2))).toMatch(/cut off/);
  });

  it("is refused with only a header", async () => {
    expect(await refusal(whole[name].slice(0, 200))).not.toBe("");
  });
});

it.each(["mp3", "wav", "flac", "m4a", "aac"] as const)(
  "converts a %s without its last fiftieth",
  async (name) => {
    const bytes = whole[name];
    expect((await convert(bytes.slice(0, bytes.length * 0.98), "wav")).length).toBeGreaterThan(100_000);
  },
);

it.each(names)("either converts or refuses a damaged %s", async (name) => {
  let seed = 1;
  for (let round = 0; round < repetitions(4, 6); round++) {
    const bytes = Buffer.from(whole[name]);
    for (let i = 0; i < 20; i++) {
      seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
      bytes[seed % (round % 2 ? 200 : bytes.length)] = seed >>> 24;
    }
    const outcome: unknown = await convert(bytes, "wav").catch((error: unknown) => error);
    expect(outcome instanceof Uint8Array || outcome instanceof UnreadableFileError).toBe(true);
  }
});

it.each([
  ["a sample rate of 0", (b: Buffer) => b.writeUInt32LE(0, 24), /sample rate of 0 Hz/],
  ["a sample rate of 4 GHz", (b: Buffer) => b.writeUInt32LE(4e9, 24), /sample rate of 4000000000 Hz/],
  ["no channels", (b: Buffer) => b.writeUInt16LE(0, 22), /0 channels/],
  ["frames of no bytes", (b: Buffer) => b.writeUInt16LE(0, 32), /contradicts itself/],
  ["a gigabyte of audio", (b: Buffer) => b.writeUInt32LE(0x40000000, 40), /declares 1073741824 bytes/],
  ["a codec from 1993", (b: Buffer) => b.writeUInt16LE(80, 20), /MPEG layer 2 audio in wav/],
])("refuses a wav that declares %s", async (_, change, message) => {
  expect(await refusal(patched(change))).toMatch(message);
});

it("refuses ten hours of silence in 60 KB by its header", async () => {
  const bomb = flacSilence(36_000, 36_000);
  expect(bomb.length).toBeLessThan(70_000);
  expect(await refusal(bomb)).toMatch(/more than 2 hours/);
});

it("stops decoding ten hours of silence without a declared length", async () => {
  expect(await refusal(flacSilence(36_000, 0, 1_000), "wav")).toMatch(/more than 2 hours/);
});

it("converts a minute of the same silence", async () => {
  expect((await convert(flacSilence(60, 0), "wav")).length).toBeGreaterThan(60 * 16_000);
});

it("refuses audio that would be too large as a wav, and suggests a compressed target", async () => {
  const message = /take more than 400 MB; send a shorter file, or choose a compressed target such as mp3/;
  expect(await refusal(flacSilence(7_000, 7_000, 48_000), "wav")).toMatch(message);
});

it.each([
  ["stts", 12],
  ["stsz", 16],
])("refuses an m4a whose index references two billion packets too many (%s)", async (table, at) => {
  const bomb = Buffer.from(whole.m4a);
  bomb.writeUInt32BE(0x7fffffff, bomb.indexOf(table, 0, "latin1") + at);
  expect(await refusal(bomb, "wav")).not.toBe("");
});

it("refuses a video without sound", async () => {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const source = new EncodedVideoPacketSource("vp8");
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = { codec: "vp8", codedWidth: 16, codedHeight: 16 };
  await source.add(new EncodedPacket(new Uint8Array(100), "key", 0, 1), { decoderConfig });
  await output.finalize();
  expect(await refusal(new Uint8Array(target.buffer as ArrayBuffer))).toMatch(
    /video without sound; send mp3/,
  );
});

it.each(["drms", "enca"])("refuses an encrypted m4a (%s)", async (kind) => {
  const locked = Buffer.from(whole.m4a);
  locked.write(kind, locked.indexOf("mp4a"), "latin1");
  expect(await refusal(locked)).toMatch(/^it is encrypted/);
});
