import { beforeAll, describe, expect, it } from "vitest";
import { openAudio } from "../../../src/file-tools/audio/open-audio.js";
import { oncePer } from "../../support/once-per.js";
import { isLong, shareOf } from "../../support/repetitions.js";
import { encodeId3 } from "./id3.js";
import { convert, type Name, names, probe, wav } from "./tones.js";

const named = { title: "Ọ̀nà", comment: "made for a test", lyrics: "la la\nla" };
const tags = { ...named, composer: "Fẹlá", copyright: "© Ṣadé", isrc: "NGA012100123" };

/** Writes ID3v2.3 frames in UTF-16, as ffmpeg and older programs do. */
function older(frames: readonly (readonly [id: string, ...texts: string[]])[]): Buffer {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}\0`, "utf16le");
  const body = Buffer.concat(
    frames.map(([id, ...texts]) => {
      const content = Buffer.concat([Buffer.of(1), ...texts.map(utf16)]);
      const head = Buffer.alloc(10);
      head.write(id, "latin1");
      head.writeUInt32BE(content.length, 4);
      return Buffer.concat([head, content]);
    }),
  );
  const size = [body.length >> 14, (body.length >> 7) & 127, body.length & 127];
  return Buffer.concat([Buffer.from("ID3\x03\0\0\0"), Buffer.from(size), body]);
}

let mp3: Uint8Array;
beforeAll(async () => {
  mp3 = await convert(wav({ seconds: 0.1 }), "mp3");
});
/** Returns the MP3 with all tags, and with further frames. */
async function tagged(more: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const raw = { TCOM: tags.composer, TCOP: tags.copyright, TSRC: tags.isrc, ...more };
  return Buffer.concat([await encodeId3({ ...named, raw }), mp3]);
}

/** Converts the tagged file. */
const taggedIn = oncePer(async (name: Name) => convert(await tagged(), name));

it.each(names)("keeps composer, copyright, lyrics and ISRC in conversions to and from %s", async (name) => {
  const { isrc, ...others } = tags;
  const made = (await openAudio(await convert(await taggedIn(name), "flac"))).tags;
  expect(made).toMatchObject(others);
  // M4A has no place for it.
  expect(made.isrc).toBe(name === "m4a" ? undefined : isrc);
});

type Places = readonly (readonly [name: string, text: string])[];
const inId3: Places = [
  ["TCOM", tags.composer],
  ["TCOP", tags.copyright],
  ["TSRC", tags.isrc],
];
const inVorbis: Places = [
  ["COMPOSER", tags.composer],
  ["COPYRIGHT", tags.copyright],
  ["ISRC", tags.isrc],
];
/** Raw names of the tags, as read by mediabunny, except for lyrics, which it maps. */
const places: Record<Name, Places> = {
  mp3: inId3,
  aac: inId3,
  wav: inId3,
  flac: inVorbis,
  ogg: inVorbis,
  m4a: [
    ["©wrt", tags.composer],
    ["cprt", tags.copyright],
  ],
};
it.each(names)("stores them in %s under the names that players read", async (name) => {
  const found = (await probe(await taggedIn(name))).tags;
  expect(found.lyrics).toBe(tags.lyrics);
  for (const [key, text] of places[name]) expect(found.raw?.[key], key).toBe(text);
});

it("reads comments and lyrics in user-defined ID3 frames", async () => {
  const frames = older([
    ["TXXX", "comment", "Ìyá ńlá"],
    ["TXXX", "USLT", "la la"],
    ["TXXX", "ISRC", "NG123"],
  ]);
  const { tags: found } = await openAudio(await convert(Buffer.concat([frames, mp3]), "flac"));
  expect(found).toMatchObject({ comment: "Ìyá ńlá", lyrics: "la la", isrc: "NG123" });
});

const dates = ["2021", "2021-03", "2021-03-04", "2021-01-01"];
/** Short runs try each date in WAV and FLAC; MP3 and AAC have the same tags as WAV, and OGG the same as FLAC. */
const shares: Record<Name, number> = { mp3: 4, wav: 1, aac: 4, flac: 1, ogg: 4, m4a: 4 };

describe.each(names.map((name, turn) => [name, turn] as const))("a date in %s", (name, turn) => {
  it.each(shareOf(dates, shares[name], turn))("keeps its precision: %s", async (date) => {
    const made = await convert(await tagged({ TDRC: date }), name);
    expect((await openAudio(made)).tags.date).toBe(date);
  });
});

it.each(isLong ? names : (["flac"] as const))(
  "includes the day and month, which ID3v2.3 stores separately, in the date of a %s",
  async (name) => {
    const frames = older([
      ["TYER", "2021"],
      ["TDAT", "0403"],
    ]);
    const made = await convert(Buffer.concat([frames, mp3]), name);
    expect((await openAudio(made)).tags.date).toBe("2021-03-04");
  },
);
