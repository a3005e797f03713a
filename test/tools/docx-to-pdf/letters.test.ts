import { expect, it } from "vitest";
import { convert, docxFrom, docxOf, draw, line, type Picture, textOf } from "./documents.js";

const runXml = (text: string, look = ""): string =>
  `<w:r><w:rPr><w:rFonts w:ascii="Times"/><w:sz w:val="144"/>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const rightToLeft = (text: string): string => `<w:p><w:pPr><w:bidi/></w:pPr>${runXml(text)}</w:p>`;

/** Where each separate shape begins and ends on a page's only line, from the left. */
function shapesOf({ width, height, data }: Picture): { left: number; right: number }[] {
  const shapes: { left: number; right: number }[] = [];
  for (let x = 0; x < width; x++) {
    let hasInk = false;
    for (let y = 0; y < height; y++) hasInk ||= (data[(y * width + x) * 3] ?? 255) < 128;
    const last = shapes.at(-1);
    if (hasInk && last?.right === x) last.right = x + 1;
    else if (hasInk) shapes.push({ left: x, right: x + 1 });
  }
  return shapes;
}

/** Which way a bracket opens: its middle row lies on the other side of its top row. */
function openingOf({ width, height, data }: Picture, { left, right }: { left: number; right: number }) {
  const middles: number[] = [];
  for (let y = 0; y < height; y++) {
    const ink = Array.from({ length: right - left }, (_, at) => left + at).filter(
      (x) => (data[(y * width + x) * 3] ?? 255) < 128,
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
])("turns %s in %s round, and keeps it in the text", async (_, __, text) => {
  const pdf = await convert(docxFrom(rightToLeft(text)));
  const page = await draw(pdf);
  const shapes = shapesOf(page);
  const [first, last] = [shapes[0], shapes.at(-1)];
  expect(first && openingOf(page, first)).toBe("right");
  expect(last && openingOf(page, last)).toBe("left");
  // Readers put the words of a line in order each in its own way; a bracket stays with its word.
  expect([...(await textOf(pdf)).replace(/\s/g, "")].sort()).toEqual([...text].sort());
});

it("keeps the order of the letters between brackets from right to left", async () => {
  expect(await textOf(await convert(docxFrom(rightToLeft("(אור) בע״מ"))))).toBe("(אור) בע״מ");
});

it("does not turn the brackets of other words on the line round", async () => {
  const page = await draw(await convert(docxFrom(rightToLeft("(1)"))));
  const shapes = shapesOf(page);
  expect(shapes[0] && openingOf(page, shapes[0])).toBe("right");
});

it.each(["日本語 中文", "한국어", "हिन्दी", "ไทย", "日本 日本 中国"])(
  "keeps the letters of %s for readers, though it has no shapes for them",
  async (text) => {
    const pdf = await convert(await docxOf([line(`${text} end`)]));
    expect((await textOf(pdf)).normalize("NFC")).toBe(`${text} end`.normalize("NFC"));
    expect((await draw(pdf)).ink()).toBeGreaterThan(0.0002);
  },
);

it("draws a word in one font, though a letter of it is missing in the font asked for", async () => {
  const widthOf = async (text: string, font: string): Promise<number> => {
    const shapes = shapesOf(await draw(await convert(await docxOf([line(text, font)])), 1, 4));
    return (shapes.at(-1)?.right ?? 0) - (shapes[0]?.left ?? 0);
  };
  expect(await widthOf("Ọlọ́ládé", "Calibri")).toBe(await widthOf("Ọlọ́ládé", "Arial"));
  expect(await widthOf("Olade", "Calibri")).toBeLessThan(await widthOf("Olade", "Arial"));
});
