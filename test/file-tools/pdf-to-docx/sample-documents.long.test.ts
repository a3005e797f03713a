import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { UnreadableFileError } from "../../../src/file-tools/engine.js";
import { pdfToDocx } from "../../../src/file-tools/pdf-to-docx/convert.js";
import { isLong } from "../../support/repetitions.js";
import { shareKept, wordsOf } from "../../support/words.js";
import { convert, picturesIn } from "./documents.js";

/**
 * pdf-parse, an independent reader, whose test data has documents from journals, offices and the web. It is installed where
 * the judges are.
 */
const require = createRequire(join(import.meta.dirname, "../../../.ci/judges/package.json"));
const missing = "pdf-parse is not installed here: npm ci --prefix .ci/judges --ignore-scripts";

function locate(file: string): string | null {
  try {
    return require.resolve(file);
  } catch {
    return null;
  }
}
const reader = locate("pdf-parse/lib/pdf-parse.js");

/** Reads a PDF with pdf-parse. */
const read = (pdf: Uint8Array): Promise<{ text: string; numpages: number }> => require(reader ?? "")(pdf);
const fileOf = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(dirname(reader ?? ""), "../test/data", name)));

beforeEach((context) => {
  if (reader === null) context.skip(missing);
});

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
