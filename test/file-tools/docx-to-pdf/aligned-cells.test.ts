import { describe, expect, it } from "vitest";
import { convert, docxFrom, paragraphXml, shownOn } from "./documents.js";

interface CellOptions {
  align?: string | undefined;
  /** The `w:vMerge` of its properties. */
  merge?: string;
}

const cellXml = (words: readonly string[], { align = "top", merge = "" }: CellOptions = {}): string =>
  `<w:tc><w:tcPr>${merge}<w:vAlign w:val="${align}"/></w:tcPr>${words.map(paragraphXml).join("") || "<w:p/>"}</w:tc>`;

const rowXml = (cells: readonly string[], height = 0): string =>
  `<w:tr><w:trPr>${height ? `<w:trHeight w:val="${height * 20}"/>` : ""}</w:trPr>${cells.join("")}</w:tr>`;

const tableXml = (rows: readonly string[]): string =>
  `<w:tbl><w:tblGrid>${'<w:gridCol w:w="3000"/>'.repeat(3)}</w:tblGrid>${rows.join("")}</w:tbl><w:p/>`;

const start = '<w:vMerge w:val="restart"/>';
const covered = cellXml([], { merge: "<w:vMerge/>" });

/** Returns the words within the page's margins, which are 72 points. */
async function wordsWithinMargins(table: string): Promise<Set<string>> {
  const pages = await shownOn(await convert(docxFrom(table)));
  const within = pages.flat().filter(({ y }) => y > 70 && y < 792 - 70);
  return new Set(within.flatMap(({ text }) => text.trim().split(/\s+/)));
}

/** Makes a table of cells that differ in length, alignment, height and row span, and the words in them. */
function mixedTable(seed: number): { table: string; words: string[] } {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const words: string[] = [];
  const write = (count: number): string[] => {
    const own = Array.from({ length: count }, (_, at) => `w${words.length + at}x`);
    words.push(...own);
    return own;
  };
  const coveredRows = [0, 0, 0];
  const cell = (column: number): string => {
    const align = ["top", "center", "bottom"][below(3)];
    if (coveredRows[column]) {
      coveredRows[column]--;
      return covered;
    }
    if (below(8) > 0) return cellXml(write(below(10) === 0 ? 15 : below(5)), { align });
    coveredRows[column] = below(6);
    return cellXml(write(below(6)), { align, merge: start });
  };
  const rows = Array.from({ length: 5 + below(40) }, () =>
    rowXml([0, 1, 2].map(cell), below(4) === 0 ? below(300) : 0),
  );
  return { table: tableXml(rows), words };
}

describe("cells that are aligned to the middle or the bottom", () => {
  it.each(Array.from({ length: 24 }, (_, at) => at + 1))(
    "lose no word of a mixed table (%i)",
    async (seed) => {
      const { table, words } = mixedTable(seed);
      const shown = await wordsWithinMargins(table);
      expect(words.filter((word) => !shown.has(word))).toEqual([]);
    },
  );

  it("stand in the middle or at the bottom of their row, or of the rows that they span", async () => {
    const cells = [cellXml(["top"]), cellXml(["middle"], { align: "center" })];
    const rows = [
      rowXml([...cells, cellXml(["spans"], { align: "bottom", merge: start })], 100),
      rowXml([cellXml(["second"], { align: "bottom" }), cellXml([]), covered], 100),
    ];
    const [page = []] = await shownOn(await convert(docxFrom(tableXml(rows))));
    const yOf = (word: string): number => page.find(({ text }) => text === word)?.y ?? Number.NaN;
    expect(yOf("top") - yOf("middle")).toBeGreaterThan(35);
    expect(yOf("top") - yOf("middle")).toBeLessThan(50);
    expect(yOf("top") - yOf("second")).toBeGreaterThan(180);
    expect(yOf("spans")).toBeCloseTo(yOf("second"), 0);
  });
});
