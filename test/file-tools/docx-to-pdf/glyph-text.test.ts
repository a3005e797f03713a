import { expect, it } from "vitest";
import {
  type Area,
  convert,
  docxFrom,
  docxOf,
  line,
  type RenderedPage,
  renderPage,
  textOf,
} from "./documents.js";

const runXml = (text: string, look = ""): string =>
  `<w:r><w:rPr><w:rFonts w:ascii="Times"/><w:sz w:val="144"/>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const rightToLeft = (text: string): string => `<w:p><w:pPr><w:bidi/></w:pPr>${runXml(text)}</w:p>`;

/** The first line of a page with margins of an inch. */
const firstLine: Area = { left: 0, top: 72, right: 595, bottom: 96 };

/** Returns the horizontal extent of each separate shape on a page with one line. */
function shapesOf({ width, height, data }: RenderedPage): { left: number; right: number }[] {
  const shapes: { left: number; right: number }[] = [];
  for (let x = 0; x < width; x++) {
    let hasInk = false;
    for (let y = 0; y < height && !hasInk; y++) hasInk = (data[(y * width + x) * 4] ?? 255) < 128;
    const last = shapes.at(-1);
    if (hasInk && last?.right === x) last.right = x + 1;
    else if (hasInk) shapes.push({ left: x, right: x + 1 });
  }
  return shapes;
}

/** Returns the side to which a bracket opens, by comparing its middle row with its top row. */
function openingOf({ width, height, data }: RenderedPage, { left, right }: { left: number; right: number }) {
  const middles: number[] = [];
  for (let y = 0; y < height; y++) {
    const ink = Array.from({ length: right - left }, (_, at) => left + at).filter(
      (x) => (data[(y * width + x) * 4] ?? 255) < 128,
    );
    if (ink.length > 0) middles.push(ink.reduce((sum, x) => sum + x, 0) / ink.length);
  }
  return (middles[middles.length >> 1] ?? 0) < (middles[0] ?? 0) ? "right" : "left";
}

it.each([
  ["(", "Hebrew", "(אור)"],
  ["«", "Hebrew", "«אור»"],
  ["(", "Arabic", "(باد)"],
  ["‹", "Arabic", "‹باد›"],
])("mirrors %s in %s and keeps it in the text", async (_, __, text) => {
  const pdf = await convert(docxFrom(rightToLeft(text)));
  const page = await renderPage(pdf);
  const shapes = shapesOf(page);
  const [first, last] = [shapes[0], shapes.at(-1)];
  expect(first && openingOf(page, first)).toBe("right");
  expect(last && openingOf(page, last)).toBe("left");
  // PDF readers order the words of a line differently, but a bracket stays with its word.
  expect([...(await textOf(pdf)).replace(/\s/g, "")].sort()).toEqual([...text].sort());
});

it("keeps the order of letters between right-to-left brackets", async () => {
  expect(await textOf(await convert(docxFrom(rightToLeft("(אור) בע״מ"))))).toBe("(אור) בע״מ");
});

it("does not mirror the brackets of a left-to-right word", async () => {
  const page = await renderPage(await convert(docxFrom(rightToLeft("(1)"))));
  const shapes = shapesOf(page);
  expect(shapes[0] && openingOf(page, shapes[0])).toBe("right");
});

it.each(["日本語 中文", "한국어", "हिन्दी", "ไทย", "日本 日本 中国"])(
  "keeps %s as text, although the fonts have no glyphs for it",
  async (text) => {
    const pdf = await convert(await docxOf([line(`${text} end`)]));
    expect((await textOf(pdf)).normalize("NFC")).toBe(`${text} end`.normalize("NFC"));
    expect((await renderPage(pdf)).ink()).toBeGreaterThan(0.0002);
  },
);

it("draws a whole word in a fallback font if its font lacks one of the letters", async () => {
  const widthOf = async (text: string, font: string): Promise<number> => {
    const pdf = await convert(await docxOf([line(text, font)]));
    const shapes = shapesOf(await renderPage(pdf, 1, 4, firstLine));
    return (shapes.at(-1)?.right ?? 0) - (shapes[0]?.left ?? 0);
  };
  expect(await widthOf("Ọlọ́ládé", "Calibri")).toBe(await widthOf("Ọlọ́ládé", "Arial"));
  expect(await widthOf("Olade", "Calibri")).toBeLessThan(await widthOf("Olade", "Arial"));
});
