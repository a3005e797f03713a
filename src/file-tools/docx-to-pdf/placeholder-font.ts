/** Creates a font of boxes for the characters that no font has, so that their text remains in the PDF. */

export const placeholderName = "Standin Placeholder";

const unitsPerEm = 1000;
/** An outer box and an inner one in the other direction. */
const box = { left: 60, bottom: 0, right: 540, top: 700 };
const corners = { x: [60, 60, 540, 540, 170, 430, 430, 170], y: [0, 700, 700, 0, 110, 110, 590, 590] };
const advance = 600;
/** Maximum number of glyphs of a TrueType font after the first, which is for missing characters. */
const maxGlyphs = 65_534;

const int16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * at);
  return bytes;
};
const int32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

function boxGlyph(): Buffer {
  const steps = (values: number[]) => values.map((value, at) => value - (values[at - 1] ?? 0));
  const header = int16(2, box.left, box.bottom, box.right, box.top, 3, 7, 0);
  return Buffer.concat([header, Buffer.alloc(8, 1), int16(...steps(corners.x), ...steps(corners.y))]);
}

function cmapTable(codePoints: readonly number[]): Buffer {
  const groups = codePoints.map((code, at) => int32(code, code, at + 1));
  const table = Buffer.concat([int16(12, 0), int32(16 + 12 * groups.length, 0, groups.length), ...groups]);
  return Buffer.concat([int16(0, 1, 3, 10), int32(12), table]);
}

function nameTable(): Buffer {
  const names = [1, 4, 6].map((id) => ({
    id,
    text: id === 6 ? placeholderName.replaceAll(" ", "") : placeholderName,
  }));
  const texts = names.map(({ text }) => Buffer.from(text, "utf16le").swap16());
  let at = 0;
  const records = names.map(({ id }, index) => {
    const length = texts[index]?.length ?? 0;
    at += length;
    return int16(3, 1, 0x409, id, length, at - length);
  });
  return Buffer.concat([int16(0, names.length, 6 + 12 * names.length), ...records, ...texts]);
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** Creates the font of these characters. Combining marks have no outline and no width. */
export function placeholderFont(characters: ReadonlySet<string>): Uint8Array {
  const all = [...characters].map((character) => character.codePointAt(0) as number);
  const codePoints = all.sort((a, b) => a - b).slice(0, maxGlyphs);
  const isMark = codePoints.map((code) => /\p{M}/u.test(String.fromCodePoint(code)));
  const glyph = boxGlyph();
  const hasOutline = [true, ...isMark.map((mark) => !mark)];
  const offsets: number[] = [];
  for (const isDrawn of hasOutline) offsets.push((offsets.at(-1) ?? 0) + (isDrawn ? glyph.length : 0));
  const count = hasOutline.length;
  const { left, bottom, right, top } = box;
  const tables: Record<string, Buffer> = {
    cmap: cmapTable(codePoints),
    glyf: Buffer.concat(hasOutline.map((isDrawn) => (isDrawn ? glyph : Buffer.alloc(0)))),
    head: Buffer.concat([
      int32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      int16(3, unitsPerEm, 0, 0, 0, 0, 0, 0, 0, 0, left, bottom, right, top, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([
      int32(0x10000),
      int16(800, -200, 0, advance, 0, 0, right, 1, 0, 0, 0, 0, 0, 0, 0, count),
    ]),
    hmtx: int16(...hasOutline.flatMap((isDrawn) => (isDrawn ? [advance, left] : [0, 0]))),
    loca: int32(0, ...offsets),
    maxp: Buffer.concat([int32(0x10000), int16(count, 8, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: nameTable(),
  };
  const names = Object.keys(tables);
  let at = 12 + 16 * names.length;
  const directory = Object.entries(tables).map(([name, table]) => {
    const entry = Buffer.concat([Buffer.from(name), int32(0, at, table.length)]);
    at += padded(table).length;
    return entry;
  });
  return Buffer.concat([
    int32(0x10000),
    int16(names.length, 128, 3, 16 * names.length - 128),
    ...directory,
    ...Object.values(tables).map(padded),
  ]);
}
