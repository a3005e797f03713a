import { Paragraph, ShadingType, Table, TableCell, TableRow, TextRun } from "docx";
import { beforeAll, describe, expect, it } from "vitest";
import {
  convert,
  docxFrom,
  docxOf,
  line,
  paragraphXml,
  partXml,
  type RenderedPage,
  relation,
  renderPage,
  renderPages,
} from "./documents.js";

interface Look {
  bold?: boolean;
  italics?: boolean;
}
const looks: readonly Look[] = [{}, { bold: true }, { italics: true }, { bold: true, italics: true }];

/** Renders each text on a page of its own, two inches square, at 54 points. */
async function large(
  texts: readonly (readonly [text: string, look?: Look])[],
  font: string,
): Promise<RenderedPage[]> {
  const pages = texts.map(
    ([text, look], at) =>
      new Paragraph({
        pageBreakBefore: at > 0,
        children: [new TextRun({ text, font, size: 108, ...look })],
      }),
  );
  const size = { width: 2_880, height: 2_880 };
  const margin = { top: 360, right: 360, bottom: 360, left: 360, header: 0, footer: 0 };
  const pdf = await convert(await docxOf(pages, { properties: { page: { size, margin } } }));
  return renderPages(
    pdf,
    texts.map((_, at) => at + 1),
  );
}

function differing(one: RenderedPage, other: RenderedPage): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at += 4)
    if (Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)) > 100) count++;
  return count;
}

/** Returns the columns with ink in each row. */
const rowsOf = ({ width, height, data }: RenderedPage): number[][] =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => x).filter((x) => (data[(y * width + x) * 4] ?? 255) < 128),
  );

const middleOf = (rows: readonly number[][]): number =>
  (Math.min(...rows.flat()) + Math.max(...rows.flat())) / 2;

const letters = [..."oeusnkdbN", "ọ", "ọ́", "ọ̀", "ẹ", "ṣ", "ụ", "ṅ", "ƙ", "ɗ", "ɓ", "₦"];
const marked = looks.flatMap((look) =>
  ["ọ\u0301", "ẹ\u0300", "Ọ\u0301", "Ẹ\u0300"].map((letter) => [letter, look] as const),
);

describe.each(["Calibri", "Arial", "Times New Roman", "Courier New"])("letters in %s", (font) => {
  let drawn: { letters: RenderedPage[]; marked: RenderedPage[]; looks: RenderedPage[] };
  beforeAll(async () => {
    const pages = await large(
      [
        ...letters.map((letter) => [letter] as const),
        ...marked,
        ...looks.map((look) => ["Ṣọ", look] as const),
      ],
      font,
    );
    drawn = {
      letters: pages.splice(0, letters.length),
      marked: pages.splice(0, marked.length),
      looks: pages,
    };
  });

  it("include those of Nigerian languages, each with a distinct shape", () => {
    for (const [at, one] of drawn.letters.entries()) {
      expect(one.ink(), letters[at]).toBeGreaterThan(0.005);
      for (const [before, other] of drawn.letters.slice(0, at).entries())
        expect(differing(one, other), `${letters[at]} and ${letters[before]}`).toBeGreaterThan(15);
    }
  });

  it("have their marks centred above them, in lower and upper case, upright, bold and italic", () => {
    for (const [at, one] of drawn.marked.entries()) {
      const shown = JSON.stringify(marked[at]);
      const rows = rowsOf(one);
      const top = rows.findIndex((row) => row.length > 0);
      const letterAt = rows.findIndex((row, y) => y > top && row.length === 0);
      const [mark, letter] = [rows.slice(top, letterAt), rows.slice(letterAt)];
      const width = Math.max(...letter.flat()) - Math.min(...letter.flat());
      expect(letterAt - top, shown).toBeGreaterThan(4);
      expect(letterAt - top, shown).toBeLessThan(20);
      expect(
        letter.findIndex((row) => row.length > 0),
        shown,
      ).toBeLessThan(10);
      expect(Math.abs(middleOf(mark) - middleOf(letter)) / width, shown).toBeLessThan(0.3);
    }
  });

  it("have more ink in bold and another shape in italics", () => {
    const [plain, bold, italic] = drawn.looks as [RenderedPage, RenderedPage, RenderedPage];
    expect(bold.ink()).toBeGreaterThan(plain.ink() * 1.15);
    expect(differing(italic, plain)).toBeGreaterThan(200);
  });
});

it("embeds every font that it uses", async () => {
  const text = "Ọ̀ṣun ✓ ₦5 שלום";
  const pdf = await convert(
    await docxOf(["Calibri", "Arial", "Times New Roman", "Courier New"].map((font) => line(text, font))),
  );
  const objects = Buffer.from(pdf).toString("latin1");
  const described = objects.match(/\/Type \/FontDescriptor/g)?.length ?? 0;
  expect(described).toBeGreaterThanOrEqual(5);
  expect(objects.match(/\/FontFile2 \d+ 0 R/g)).toHaveLength(described);
  expect(objects).not.toMatch(/\/Subtype \/Type1\b/);
});

it("keeps the text of narrow columns within them", async () => {
  const cell = (text: string): TableCell => new TableCell({ children: [new Paragraph(text)] });
  const rows = [new TableRow({ children: ["", "7", "8"].map(cell) })];
  const pdf = await convert(await docxOf([new Table({ rows, columnWidths: [600, 600, 600] })]));
  // Columns of 30 points from the margin on. The first is empty between its lines.
  const page = await renderPage(pdf, 1, 4, { left: 72, top: 74, right: 162, bottom: 82 });
  const inkOf = (column: number): number => page.ink((column * 30 + 2) / 90, 0, (column * 30 + 28) / 90, 1);
  expect([0, 1, 2].map((column) => inkOf(column) > 0)).toEqual([false, true, true]);
});

it("draws the borders of a table and the shading of its cells", async () => {
  const cell = (fill: string): TableCell =>
    new TableCell({
      shading: { type: ShadingType.CLEAR, fill },
      width: { size: 4_000, type: "dxa" },
      children: [new Paragraph(" ")],
    });
  const table = new Table({
    columnWidths: [4_000, 4_000],
    rows: [
      new TableRow({ height: { value: 2_000, rule: "exact" }, children: [cell("FFD700"), cell("1F4E79")] }),
    ],
  });
  const page = await renderPage(await convert(await docxOf([table])), 1, 2);
  expect(page.colorAt(150 / 595, 120 / 842)).toEqual([0xff, 0xd7, 0]);
  expect(page.colorAt(400 / 595, 120 / 842)).toEqual([0x1f, 0x4e, 0x79]);
  expect(page.ink(60 / 595, 70 / 842, 80 / 595, 170 / 842)).toBeGreaterThan(0.01);
});

describe("the style of a table", () => {
  const part = (type: string, fill: string, look = ""): string =>
    `<w:tblStylePr w:type="${type}"><w:rPr>${look}</w:rPr><w:tcPr><w:shd w:fill="${fill}"/></w:tcPr></w:tblStylePr>`;
  const looks = part("firstRow", "1F4E79", '<w:color w:val="FFFFFF"/>') + part("band1Horz", "DDEEFF");
  const styles = partXml("styles", `<w:style w:type="table" w:styleId="Grid">${looks}</w:style>`);
  const row = `<w:tr><w:trPr><w:trHeight w:val="400"/></w:trPr><w:tc>${paragraphXml("MMMMMM")}</w:tc></w:tr>`;
  const [blue, pale, white] = ["1f4e79", "ddeeff", "ffffff"];

  it.each([
    ["the first row and every second one", 'w:firstRow="1" w:noHBand="0"', [blue, pale, white, pale]],
    ["the first row", 'w:firstRow="1" w:noHBand="1"', [blue, white, white, white]],
    ["every second row", 'w:firstRow="0" w:noHBand="0"', [pale, white, pale, white]],
    ["the rows of the older mask", 'w:val="0220"', [blue, white, white, white]],
    ["no row", 'w:val="0200"', [white, white, white, white]],
  ])("shades %s, as the table asks for", async (_, look, wanted) => {
    const properties = `<w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook ${look}/></w:tblPr>`;
    const table = `<w:tbl>${properties}<w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid>${row.repeat(4)}</w:tbl>`;
    const related = relation("s", "styles", "styles.xml");
    const page = await renderPage(
      await convert(docxFrom(table, related, { "word/styles.xml": styles })),
      1,
      2,
    );
    const shades = [0, 1, 2, 3].map((at) => page.colorAt(200 / 612, (72 + 20 * at + 15) / 792));
    expect(shades.map((shade) => Buffer.from(shade).toString("hex"))).toEqual(wanted);
    // Letters are white on the dark first row, and black elsewhere.
    const letters = page.ink(78 / 612, 74 / 792, 130 / 612, 80 / 792);
    expect(letters).toBeGreaterThan(0.05);
    expect(letters).toBeLessThan(0.95);
  });
});

describe("borders of paragraphs", () => {
  const borders = (sides: readonly string[]): string =>
    `<w:pBdr>${sides.map((side) => `<w:${side} w:val="single" w:sz="24" w:space="4" w:color="FF0000"/>`).join("")}</w:pBdr>`;
  const bordered = (sides: readonly string[], more = "", left = 'w:left="1440"'): string =>
    `<w:p><w:pPr>${borders(sides)}<w:ind ${left} w:right="1440"/>${more}</w:pPr></w:p>`;

  /** Returns the rows with a horizontal line, and the columns with a vertical one, in points. */
  async function linesOf(body: string): Promise<{ rows: number[]; columns: number[] }> {
    const page = await renderPage(await convert(docxFrom(body)));
    const isRed = (x: number, y: number): boolean => {
      const [red = 0, green = 0, blue = 0] = page.data.subarray((y * page.width + x) * 4);
      return red > 200 && green < 100 && blue < 100;
    };
    const starts = (size: number, isLine: (at: number) => boolean): number[] =>
      Array.from({ length: size }, (_, at) => at).filter((at) => isLine(at) && !isLine(at - 1));
    return {
      rows: starts(page.height, (y) => isRed(300, y)),
      columns: starts(
        page.width,
        (x) => Array.from({ length: 40 }, (_, y) => 76 + y).filter((y) => isRed(x, y)).length > 8,
      ),
    };
  }

  it.each([
    ["of the text", 'w:left="1440"'],
    ["of a first line that hangs out", 'w:left="1800" w:hanging="360"'],
  ])("are drawn on each side, at the indentation %s", async (_, left) => {
    const { rows, columns } = await linesOf(bordered(["top", "left", "bottom", "right"], "", left));
    expect(rows).toHaveLength(2);
    // The text begins two inches from the left edge of a page that is 612 points wide.
    expect(columns.map((x) => Math.abs(x - 140) < 3 || Math.abs(x - 472) < 3)).toEqual([true, true]);
  });

  it("are drawn only where they are set", async () => {
    expect(await linesOf(bordered(["bottom"]))).toEqual({ rows: [expect.any(Number)], columns: [] });
  });

  it("surround adjacent paragraphs with the same borders once, unless a page begins between them", async () => {
    const box = bordered(["top", "bottom"]);
    expect((await linesOf(box.repeat(3))).rows).toHaveLength(2);
    expect((await linesOf(`${box}<w:p/>${box}`)).rows).toHaveLength(4);
    expect((await linesOf(box + bordered(["top", "bottom"], "<w:pageBreakBefore/>"))).rows).toHaveLength(2);
  });
});
