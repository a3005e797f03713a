import { Header, type Paragraph } from "docx";
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { convert, docxOf, line } from "./documents.js";

interface PlacedText {
  text: string;
  /** Distance of the baseline from the bottom of the page, in points. */
  y: number;
}

/** Returns the text of each page that is drawn within it. */
async function shownOn(pdf: Uint8Array): Promise<PlacedText[][]> {
  const file = await getDocumentProxy(pdf.slice());
  const pages: PlacedText[][] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const { items } = await page.getTextContent();
    const placed = items.flatMap((item) =>
      "str" in item && item.str.trim() !== "" ? [{ text: item.str, y: item.transform[5] as number }] : [],
    );
    const [, bottom = 0, , top = 0] = page.view;
    pages.push(placed.filter(({ y }) => y > bottom && y < top));
  }
  return pages;
}

const capitals = (number: number): Paragraph =>
  line(`${number} ${"MINISTRY OF WORKS WWW ".repeat(6)}END${number}`);
const paragraphs = [1, 2, 3, 4, 5, 6, 7];

it.each([
  ["on all pages", "default", false],
  ["on the first page only", "first", true],
] as const)(
  "shows a header of many long paragraphs whole, above the text, %s",
  async (_, type, titlePage) => {
    const header = new Header({ children: paragraphs.map(capitals) });
    const docx = await docxOf([line("Dear Sir")], {
      headers: { [type]: header },
      properties: { titlePage },
    });
    const [page = []] = await shownOn(await convert(docx));
    const ends = paragraphs.map((number) => page.find(({ text }) => text.endsWith(`END${number}`))?.y ?? 0);
    expect(ends).toEqual([...ends].sort((a, b) => b - a));
    expect(page.find(({ text }) => text === "Dear Sir")?.y).toBeLessThan((ends.at(-1) ?? 0) - 8);
  },
);
