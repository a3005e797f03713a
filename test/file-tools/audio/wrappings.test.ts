/** Sound in wrappings that players open: unusual containers, foreign tags and damaged metadata. */
import { describe, expect, it } from "vitest";
import { coverOf, encodeId3 } from "./id3.js";
import { oggPage, packetsOf, pageOffsets, setFlags } from "./ogg.js";
import { convert, decode, measure, probe, stereo, wav } from "./tones.js";

const seconds = 0.3;
const source = wav({ seconds });
const sourceMp3 = await convert(source, "mp3");
/** With tags, so that it has a second metadata block. */
const taggedMp3 = Buffer.concat([await encodeId3({ title: "Wrapped" }), sourceMp3]);
const sourceFlac = await convert(taggedMp3, "flac");

/** Expects the tones of the source. */
async function expectTones(file: Uint8Array): Promise<void> {
  const { channelData, sampleRate } = await decode(await convert(file, "wav"), "wav");
  expect(channelData).toHaveLength(stereo.length);
  for (const [channel, { frequency }] of stereo.entries()) {
    const plane = channelData[channel] ?? new Float32Array();
    expect(Math.abs(plane.length / sampleRate - seconds)).toBeLessThan(0.08);
    expect(measure(plane, sampleRate, frequency).purity).toBeGreaterThan(0.97);
  }
}

/** Splits a native FLAC file into its first metadata block, the other blocks, and its frames. */
function flacParts(flac: Uint8Array): { first: Buffer; others: Buffer[]; frames: Buffer } {
  const bytes = Buffer.from(flac);
  const blocks: Buffer[] = [];
  let at = 4;
  for (let isLast = false; !isLast; ) {
    isLast = ((bytes[at] ?? 0) & 0x80) !== 0;
    const end = at + 4 + bytes.readUIntBE(at + 1, 3);
    blocks.push(bytes.subarray(at, end));
    at = end;
  }
  const [first = Buffer.alloc(0), ...others] = blocks;
  return { first, others, frames: bytes.subarray(at) };
}

function flacInOgg(): Buffer {
  const { first, others, frames } = flacParts(sourceFlac);
  const head = Buffer.concat([Buffer.from("\x7fFLAC\x01\0\0\x01fLaC", "latin1"), first]);
  return Buffer.concat([oggPage([head], 2, 0), oggPage(others, 0, 1), oggPage([frames], 4, 2)]);
}

function mp3InWav(): Buffer {
  const head = Buffer.from(source.subarray(0, 44));
  head.writeUInt32LE(36 + sourceMp3.length, 4);
  head.writeUInt16LE(0x55, 20);
  head.writeUInt32LE(sourceMp3.length, 40);
  return Buffer.concat([head, sourceMp3]);
}

/** Returns the FLAC file with another metadata block after the first. */
function flacWith(type: number, body: Buffer): Buffer {
  const { first, others, frames } = flacParts(sourceFlac);
  const block = Buffer.alloc(4);
  block.writeUInt32BE(type * 0x1000000 + body.length);
  return Buffer.concat([Buffer.from("fLaC"), first, block, body, ...others, frames]);
}

function rf64(): Buffer {
  const sizes = Buffer.alloc(36);
  sizes.write("ds64");
  sizes.writeUInt32LE(28, 4);
  sizes.writeBigUInt64LE(BigInt(source.length + 28), 8);
  sizes.writeBigUInt64LE(BigInt(source.length - 44), 16);
  const rest = Buffer.from(source.subarray(12));
  rest.writeUInt32LE(0xffffffff, 28);
  return Buffer.concat([Buffer.from("RF64\xff\xff\xff\xffWAVE", "latin1"), sizes, rest]);
}

/** Replaces the Info frame of the MP3 by a VBRI frame in another mode of stereo, as Fraunhofer's encoder writes it. */
function mp3AfterVbri(): Buffer {
  const mp3 = Buffer.from(sourceMp3);
  const audio = mp3.indexOf(mp3.subarray(0, 2), 4);
  const vbri = Buffer.alloc(audio);
  mp3.copy(vbri, 0, 0, 4);
  vbri.writeUInt8(vbri.readUInt8(3) ^ 0x40, 3);
  vbri.write("VBRI", 36);
  return Buffer.concat([vbri, mp3.subarray(audio)]);
}

const apeTag = (): Buffer => {
  const item = Buffer.from("\x03\0\0\0\0\0\0\0Title\0abc", "latin1");
  const edge = (flags: number): Buffer => {
    const bytes = Buffer.alloc(32);
    bytes.write("APETAGEX");
    for (const [at, value] of [2000, item.length + 32, 1, flags].entries())
      bytes.writeUInt32LE(value, 8 + at * 4);
    return bytes;
  };
  return Buffer.concat([edge(0xa0000000), item, edge(0x80000000)]);
};

/** An ID3 tag with one frame, whose body need not be valid. */
const id3 = (name: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 10 + body.length]),
    Buffer.from(name),
    Buffer.from([0, 0, 0, body.length, 0, 0]),
    body,
  ]);

it.each<[string, Uint8Array]>([
  ["FLAC in Ogg", flacInOgg()],
  ["MP3 in WAV", mp3InWav()],
  ["MP3 after an APE tag", Buffer.concat([apeTag(), sourceMp3])],
  ["MP3 before an APE tag", Buffer.concat([sourceMp3, apeTag()])],
  ["MP3 after a VBRI frame", mp3AfterVbri()],
  ["MP3 after other bytes", Buffer.concat([Buffer.alloc(5_000, 0xfb), sourceMp3])],
  [
    "MP3 after an empty ID3 tag",
    Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\x0a"), Buffer.alloc(10), sourceMp3]),
  ],
  ["MP3 with a picture frame without a picture", Buffer.concat([id3("APIC", Buffer.from([0])), sourceMp3])],
  ["FLAC with an application block", flacWith(2, Buffer.from("ATCH\0\0\0\0"))],
  ["FLAC with a picture block that ends early", flacWith(6, Buffer.alloc(7, 0x7f))],
  ["FLAC with padding", flacWith(1, Buffer.alloc(3_000))],
  ["RF64", rf64()],
])("reads %s", (_, file) => expectTones(file));

const cover = await encodeId3({ title: "In front", images: coverOf(100_000) });

it.each<[string, Uint8Array]>([
  ["an MP3", sourceMp3],
  ["an MP3 after tags", taggedMp3],
  ["a FLAC after tags with a cover", Buffer.concat([cover, sourceFlac])],
])("gives %s the length that its encoder declares, to the sample", async (_, file) => {
  const back = await probe(await convert(file, "wav"));
  expect(back.seconds * back.rate).toBeCloseTo(seconds * 44_100, 5);
});

it.each<[string, Uint8Array]>([
  ["no tags", source],
  ["a title", taggedMp3],
  ["a cover that takes several pages", Buffer.concat([cover, sourceMp3])],
])("ends the comments of an ogg with the bit that decoders ask for, with %s", async (_, file) => {
  const ogg = Buffer.from(await convert(file, "ogg"));
  const [, comments = Buffer.alloc(0), setup = Buffer.alloc(0)] = packetsOf(ogg);
  expect(comments.toString("latin1", 0, 7)).toBe("\x03vorbis");
  let at = 7 + 4 + comments.readUInt32LE(7);
  const count = comments.readUInt32LE(at);
  at += 4;
  for (let number = 0; number < count; number++) at += 4 + comments.readUInt32LE(at);
  expect([...comments.subarray(at)]).toEqual([1]);
  expect(setup.toString("latin1", 0, 7)).toBe("\x05vorbis");
  await expectTones(ogg);
});

it.each([
  ["the lengths", [4, 40]],
  ["the length of the file", [4]],
])("reads a wav whose recorder did not fill in %s", async (_, offsets) => {
  const unfinished = Buffer.from(source);
  for (const at of offsets) unfinished.writeUInt32LE(0, at);
  await expectTones(unfinished);
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

it("refuses Speex by name", async () => {
  const speex = oggPage([Buffer.from("Speex   1.2".padEnd(80, "\0"))], 6, 0);
  await expect(convert(speex, "mp3")).rejects.toThrow(
    "it contains Speex in ogg, which has no built-in decoder; send mp3",
  );
});
