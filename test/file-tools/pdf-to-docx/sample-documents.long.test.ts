import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { UnreadableFileError } from "../../../src/file-tools/engine.js";
import { pdfToDocx } from "../../../src/file-tools/pdf-to-docx/convert.js";
import { isLong } from "../../support/repetitions.js";
import { shareKept, wordsOf } from "../../support/words.js";
import { convert, picturesIn } from "./documents.js";

const require = createRequire(import.meta.url);
/** pdf-parse, an independent reader, whose test data has documents from journals, offices and the web. */
const read: (
  pdf: Uint8Array,
) => Promise<{ text: string; numpages: number }> = require("pdf-parse/lib/pdf-parse.js");
const folder = join(dirname(require.resolve("pdf-parse/package.json")), "test/data");
const fileOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));

const documents: [name: string, least: { pages: number; words: number; pictures: number }][] = [
  ["04-valid.pdf", { pages: 5, words: 2_500, pictures: 0 }],
  ["05-versions-space.pdf", { pages: 1, words: 2, pictures: 0 }],
];
// The other documents show the same with less to read, and blocks.test.ts converts pictures.
if (isLong)
  documents.push(
    ["01-valid.pdf", { pages: 14, words: 11_000, pictures: 10 }],
    ["02-valid.pdf", { pages: 5, words: 3_000, pictures: 5 }],
  );

it.each(documents)(
  "keeps the words of %s, as read by pdf-parse",
  { timeout: 60_000 },
  async (name, least) => {
    const original = await read(fileOf(name));
    const converted = await convert(fileOf(name));
    const wanted = wordsOf(original.text);
    expect(wanted.length).toBeGreaterThanOrEqual(least.words);
    expect(shareKept(wanted, wordsOf(converted.text))).toBeGreaterThan(0.95);
    expect(picturesIn(converted).length).toBeGreaterThanOrEqual(least.pictures);
    const ends = converted.xml.match(/<w:br w:type="page"\/>|<w:sectPr>/g);
    expect([original.numpages, ends?.length]).toEqual([least.pages, least.pages]);
  },
);

it("refuses a file that pdf-parse cannot open either", async () => {
  const name = "03-invalid.pdf";
  await expect(read(fileOf(name))).rejects.toThrow();
  await expect(pdfToDocx(fileOf(name), {})).rejects.toThrow(UnreadableFileError);
});
