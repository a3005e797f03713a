/** Writes ID3v2.4 tags without our code. */

const frames = {
  title: "TIT2",
  date: "TDRC",
  comment: "COMM",
  composer: "TCOM",
  copyright: "TCOP",
  lyrics: "USLT",
  isrc: "TSRC",
} as const;

export type Id3Tags = Partial<Record<keyof typeof frames, string>> & {
  cover?: { type: "image/jpeg" | "image/png"; bytes: Uint8Array };
};

/** Encodes a length with seven bits per byte. */
const synchsafe = (value: number): Buffer =>
  Buffer.of((value >>> 21) & 127, (value >>> 14) & 127, (value >>> 7) & 127, value & 127);

const utf8 = Buffer.of(3);

const frame = (id: string, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat([utf8, ...parts]);
  return Buffer.concat([Buffer.from(id), synchsafe(content.length), Buffer.alloc(2), content]);
};

export function encodeId3({ cover, ...texts }: Id3Tags): Buffer {
  const written = Object.entries(texts).map(([tag, text]) => {
    const id = frames[tag as keyof typeof frames];
    // Comments and lyrics have a language and an empty description before their text.
    return frame(id, Buffer.from(id === "COMM" || id === "USLT" ? `eng\0${text}` : text));
  });
  if (cover) written.push(frame("APIC", Buffer.from(`${cover.type}\0\x03\0`), cover.bytes));
  const body = Buffer.concat(written);
  return Buffer.concat([Buffer.from("ID3\x04\0\0"), synchsafe(body.length), body]);
}
