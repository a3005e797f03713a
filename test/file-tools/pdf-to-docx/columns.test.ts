import { describe, expect, it } from "vitest";
import { convert, pageFrom, pdfOf, prose } from "./documents.js";

interface Text {
  left: number;
  /** Distance from the bottom of the page. */
  baseline: number;
  text: string;
}

const drawn = (texts: readonly Text[]): Uint8Array =>
  pageFrom(
    texts.map(({ left, baseline, text }) => `BT /F 10 Tf ${left} ${baseline} Td (${text}) Tj ET`).join("\n"),
  );

const leading = 12;
const lines = (name: string, left: number, top: number, count: number): Text[] =>
  Array.from({ length: count }, (_, index) => ({
    left,
    baseline: top - index * leading,
    text: `${name}${index + 1} is a line that is as wide as its column`,
  }));
const inParagraph = (texts: readonly Text[]): string => `<p>${texts.map(({ text }) => text).join(" ")}</p>`;

describe("two columns, the second of which is shorter", () => {
  const start = lines("a", 60, 700, 14);
  const rest = lines("b", 60, 700 - 15 * leading, 9);
  const beside = lines("c", 310, 700, 10);

  it.each([
    ["column by column", [...start, ...rest, ...beside]],
    ["row by row", [...start, ...rest, ...beside].sort((a, b) => b.baseline - a.baseline || a.left - b.left)],
  ])("are read one after the other if drawn %s", async (_, texts) => {
    const { html } = await convert(drawn(texts));
    expect(html).toBe([start, rest, beside].map(inParagraph).join(""));
  });

  it("do not split the paragraphs of the first", async () => {
    const left = ["One", "Two", "Three"].map((name) => ({ text: prose(name), margin: [0, 0, 0, 12] }));
    const { html } = await convert(
      await pdfOf({ columns: [left, { text: "Beside ".repeat(60).trim() }], columnGap: 24 }),
    );
    expect(html).toBe(
      [prose("One"), prose("Two"), prose("Three"), "Beside ".repeat(60).trim()]
        .map((text) => `<p>${text}</p>`)
        .join(""),
    );
  });

  it("end at a heading above text as wide as the page", async () => {
    const heading = { left: 60, baseline: 700 - 16 * leading, text: "What follows" };
    const below = Array.from({ length: 3 }, (_, index) => ({
      left: 60,
      baseline: 700 - (18 + index) * leading,
      text: "This line is as wide as both columns and what is free between them, from one margin to the other",
    }));
    const { html } = await convert(drawn([...start, ...beside, heading, ...below]));
    expect(html).toBe([start, beside, [heading], below].map(inParagraph).join(""));
  });
});
