import { Header, type Paragraph } from "docx";
import { expect, it } from "vitest";
import { convert, docxOf, line, shownOn } from "./documents.js";

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
