import {
  Bookmark,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  InternalHyperlink,
  LevelFormat,
  PageBreak,
  PageNumber,
  PageOrientation,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { openPdf } from "../../support/pdf.js";
import {
  bodyXml,
  convert,
  docxFrom,
  docxOf,
  line,
  outlineOf,
  paragraphXml,
  partsOf,
  partXml,
  readPages,
  relation,
  shownOn,
  textOf,
  withPdfium,
} from "./documents.js";

const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();
const linesOf = (text: string): string[] => text.split("\n").map(squeeze);

it("keeps headings and adds them to the PDF's outline", async () => {
  const pdf = await convert(
    await docxOf([
      new Paragraph({ text: "Deed of sale", heading: HeadingLevel.HEADING_1 }),
      line("The parties agree."),
      new Paragraph({ text: "Price", heading: HeadingLevel.HEADING_2 }),
      line("Five thousand."),
    ]),
  );
  expect(linesOf(await textOf(pdf))).toEqual([
    "Deed of sale",
    "The parties agree.",
    "Price",
    "Five thousand.",
  ]);
  expect(await outlineOf(pdf)).toEqual(["Deed of sale", "Price"]);
});

it("draws no-break spaces and byte order marks in every font, upright and in bold italics", async () => {
  const runs = ["Calibri", "Courier New", "Arial", "Times New Roman"].flatMap((font, number) => {
    const text = `${number}2\u00a0000\u00a0NGN\ufeff`;
    return [
      { text, font },
      { text, font, bold: true },
      { text, font, italics: true },
      { text, font, bold: true, italics: true },
    ];
  });
  const pdf = await convert(await docxOf(runs.map((run) => new Paragraph({ children: [new TextRun(run)] }))));
  expect(linesOf(await textOf(pdf)).map((shown) => shown.replace("\ufeff", ""))).toEqual(
    [0, 1, 2, 3].flatMap((number) => Array.from({ length: 4 }, () => `${number}2 000 NGN`)),
  );
});

it("numbers nested lists in their formats, and draws bullets", async () => {
  const formats = [LevelFormat.DECIMAL, LevelFormat.LOWER_LETTER, LevelFormat.UPPER_ROMAN];
  const levels = formats.map((format, level) => ({ level, format, text: `%${level + 1}.` }));
  const item = (level: number): Paragraph =>
    new Paragraph({ text: "item", numbering: { reference: "list", level } });
  const pdf = await convert(
    await docxOf(
      [...[0, 1, 1, 2, 2, 0, 1].map(item), new Paragraph({ text: "dot", bullet: { level: 0 } })],
      {},
      { numbering: { config: [{ reference: "list", levels }] } },
    ),
  );
  const labels = linesOf(await textOf(pdf)).map((text) => text.split(" ")[0]);
  expect(labels).toEqual(["1.", "a.", "b.", "I.", "II.", "2.", "a.", "●"]);
});

it("keeps merged cells of tables and repeats header rows on each page", async () => {
  const cell = (text: string, spans: { columnSpan?: number; rowSpan?: number } = {}): TableCell =>
    new TableCell({ children: [new Paragraph(text)], ...spans });
  const rows = [
    new TableRow({ tableHeader: true, children: [cell("Item"), cell("Price")] }),
    new TableRow({ children: [cell("Wide", { columnSpan: 2 })] }),
    new TableRow({ children: [cell("Tall", { rowSpan: 2 }), cell("first")] }),
    new TableRow({ children: [cell("second")] }),
    ...Array.from({ length: 90 }, (_, at) => new TableRow({ children: [cell(`row ${at}`), cell("₦5")] })),
  ];
  const pages = await readPages(await convert(await docxOf([new Table({ rows })])));
  expect(pages.length).toBeGreaterThan(1);
  for (const { text } of pages) expect(linesOf(text)[0]).toBe("Item Price");
  expect(squeeze(pages[0]?.text ?? "")).toMatch(/^Item Price Wide (Tall first|first ?Tall) second row 0 ₦5 /);
  expect(pages.at(-1)?.text).toContain("row 89");
});

it("accepts merged cells that start nowhere, and shows their text", async () => {
  const cell = (text: string, properties: string): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraphXml(text)}</w:tc>`;
  const [start, more] = ['<w:vMerge w:val="restart"/>', "<w:vMerge/>"];
  const before = (columns: number): string => `<w:trPr><w:gridBefore w:val="${columns}"/></w:trPr>`;
  const table = `<w:tbl><w:tr>${before(1)}${cell("first", start)}</w:tr>
    <w:tr>${cell("second", more)}${cell("covered", more)}</w:tr>
    <w:tr>${before(2)}${cell("third", more)}</w:tr></w:tbl>`;
  const text = await textOf(await convert(docxFrom(table)));
  for (const word of ["first", "second", "third"]) expect(text).toContain(word);
});

describe("the margins of cells", () => {
  const margins = (name: string, width: number): string =>
    `<w:${name}>${["left", "right"].map((side) => `<w:${side} w:w="${width * 20}"/>`).join("")}</w:${name}>`;
  const styles = partXml(
    "styles",
    `<w:style w:type="table" w:styleId="Slim"><w:tblPr>${margins("tblCellMar", 0)}</w:tblPr></w:style>`,
  );
  const parts = { "word/styles.xml": styles };
  /** Converts a column of 32.5 points with a word that is as wide. */
  const wordIn = async (ofTable: string, ofCell = ""): Promise<string> => {
    const cell = `<w:tc><w:tcPr>${ofCell}</w:tcPr>${paragraphXml("18.2899")}</w:tc>`;
    const grid = '<w:tblGrid><w:gridCol w:w="650"/></w:tblGrid>';
    const table = `<w:tbl><w:tblPr>${ofTable}</w:tblPr>${grid}<w:tr>${cell}</w:tr></w:tbl>`;
    return textOf(await convert(docxFrom(table, relation("s", "styles", "styles.xml"), parts)));
  };

  it.each([
    ["the cell", margins("tblCellMar", 8), margins("tcMar", 0)],
    ["the table", margins("tblCellMar", 0), ""],
    ["the table's style", '<w:tblStyle w:val="Slim"/>', ""],
  ])("are set by %s, so that a word has the room that it needs", async (_, ofTable, ofCell) => {
    expect(await wordIn(ofTable, ofCell)).toBe("18.2899");
  });

  it("are 5.4 points where nothing sets them", async () => {
    expect(await wordIn("")).toBe("18.2\n899");
  });
});

it("keeps the space above and below the paragraphs of cells", async () => {
  const rowsWith = async (spacing: string): Promise<number> => {
    const cell = `<w:tc><w:p><w:pPr><w:spacing ${spacing}/></w:pPr><w:r><w:t>x</w:t></w:r></w:p></w:tc>`;
    const [page = []] = await shownOn(
      await convert(docxFrom(`<w:tbl>${`<w:tr>${cell}</w:tr>`.repeat(2)}</w:tbl>`)),
    );
    const [first, second] = page.map(({ y }) => y);
    return (first ?? 0) - (second ?? 0);
  };
  const plain = await rowsWith("");
  expect((await rowsWith('w:before="160"')) - plain).toBeCloseTo(8, 1);
  expect((await rowsWith('w:after="240"')) - plain).toBeCloseTo(12, 1);
});

it("breaks only the word that is wider than a line, and no other word of its paragraph", async () => {
  const words = ["Subjects", "participated", "voluntarily", "in", "several", "hospitals"];
  const text = Array.from({ length: 60 }, (_, at) => words[at % words.length]);
  const long = "x".repeat(150);
  const shown = await textOf(await convert(docxFrom(paragraphXml([...text, long, ...text].join(" ")))));
  expect(shown.split(/\s+/).filter((word) => !/^x+$/.test(word))).toEqual([...text, ...text]);
  expect(shown.replace(/\s/g, "")).toContain(long);
});

it("breaks a word of many short texts within the page, as equations are written", async () => {
  const texts = Array.from({ length: 90 }, (_, at) => `x${at}`);
  const runs = texts.map(
    (text, at) => `<w:r><w:rPr>${at % 2 ? "<w:b/>" : ""}</w:rPr><w:t>${text}</w:t></w:r>`,
  );
  const pdf = await convert(docxFrom(`<w:p>${runs.join("")}</w:p>`));
  const shown = await withPdfium(pdf, (document) => document.getPage(0).getText());
  expect(shown.replace(/\s/g, "")).toBe(texts.join(""));
  const [page = []] = await shownOn(pdf);
  expect(new Set(page.map(({ y }) => y)).size).toBeGreaterThan(2);
});

it("keeps external and internal links", async () => {
  const link = new ExternalHyperlink({ link: "https://example.com/a?b=1", children: [new TextRun("site")] });
  const jump = new InternalHyperlink({ anchor: "end", children: [new TextRun("the end")] });
  const mark = new Bookmark({ id: "end", children: [new TextRun("End")] });
  const pages = await readPages(
    await convert(
      await docxOf([
        new Paragraph({ children: [link, jump, new PageBreak()] }),
        new Paragraph({ children: [mark] }),
      ]),
    ),
  );
  expect(pages.map(({ text }) => squeeze(text))).toEqual(["sitethe end", "End"]);
  expect(pages[0]).toMatchObject({ links: ["https://example.com/a?b=1"], jumps: [1] });
});

it.each(["javascript:alert(1)", "file:///etc/passwd", "\\\\server\\share", "vbscript:x"])(
  "removes a link to %s but keeps its words",
  async (address) => {
    const body = `<w:p><w:hyperlink r:id="h"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p>`;
    const [page] = await readPages(await convert(docxFrom(body, relation("h", "hyperlink", address, true))));
    expect(page).toMatchObject({ text: "click", links: [], jumps: [] });
  },
);

describe("pages", () => {
  it("have the size and orientation of their section", async () => {
    const section = (w: number, h: number, text: string): string =>
      `<w:p><w:pPr><w:sectPr><w:pgSz w:w="${w}" w:h="${h}"/></w:sectPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const body = `${section(11_906, 16_838, "A4")}${section(16_838, 11_906, "A4 on its side")}${paragraphXml("Letter")}`;
    const pages = await readPages(await convert(docxFrom(body)));
    expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
      [595, 842],
      [842, 595],
      [612, 792],
    ]);
  });

  it("can be landscape as the docx library declares it", async () => {
    const size = { width: 11_906, height: 16_838, orientation: PageOrientation.LANDSCAPE };
    const [page] = await readPages(
      await convert(await docxOf([line("wide")], { properties: { page: { size } } })),
    );
    expect([Math.round(page?.width ?? 0), Math.round(page?.height ?? 0)]).toEqual([842, 595]);
  });

  it("have headers and footers with page numbers", async () => {
    const numbers = ["Page ", PageNumber.CURRENT, " of ", PageNumber.TOTAL_PAGES];
    const pages = await readPages(
      await convert(
        await docxOf([line("one"), new Paragraph({ children: [new PageBreak()] }), line("two")], {
          headers: { default: new Header({ children: [line("Confidential")] }) },
          footers: {
            default: new Footer({
              children: [new Paragraph({ children: [new TextRun({ children: numbers })] })],
            }),
          },
        }),
      ),
    );
    expect(pages.map(({ text }) => squeeze(text))).toEqual([
      "Confidential one Page 1 of 2",
      "Confidential two Page 2 of 2",
    ]);
  });

  it.each([
    ["on all pages", "default", false],
    ["on the first page only", "first", true],
  ] as const)(
    "show a header of many long paragraphs whole, above the text, %s",
    async (_, type, titlePage) => {
      const paragraphs = [1, 2, 3, 4, 5, 6, 7];
      const capitals = (number: number): Paragraph =>
        line(`${number} ${"MINISTRY OF WORKS WWW ".repeat(6)}END${number}`);
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
});

it("puts footnotes at the end, linked from their marks", async () => {
  const noted = new Paragraph({ children: [new TextRun("Claim"), new FootnoteReferenceRun(1)] });
  const footnotes = { 1: { children: [new Paragraph("Proof.")] } };
  const [page] = await readPages(await convert(await docxOf([noted], {}, { footnotes })));
  expect(squeeze(page?.text ?? "")).toMatch(/^Claim ?1 1 ?Proof\.$/);
  expect(page?.jumps).toEqual([0]);
});

it("draws endnotes as footnotes, numbered as one sequence with them", async () => {
  const note = (kind: string): string =>
    partXml(
      `${kind}s`,
      `<w:${kind} w:id="2"><w:p><w:r><w:${kind}Ref/></w:r><w:r><w:t>The ${kind}.</w:t></w:r></w:p></w:${kind}>`,
    );
  const marked = (word: string, kind: string): string =>
    `<w:r><w:t xml:space="preserve">${word} </w:t></w:r><w:r><w:${kind}Reference w:id="2"/></w:r>`;
  const body = `<w:p>${marked("One", "footnote")}${marked("two", "endnote")}</w:p>`;
  const related = relation("f", "footnotes", "footnotes.xml") + relation("e", "endnotes", "endnotes.xml");
  const parts = { "word/footnotes.xml": note("footnote"), "word/endnotes.xml": note("endnote") };
  const text = squeeze(await textOf(await convert(docxFrom(body, related, parts))));
  expect(text).toMatch(/^One ?1 ?two ?2 1 ?The footnote\. 2 ?The endnote\.$/);
});

it("draws the text of small capitals, coloured highlights and spaced letters in plain letters", async () => {
  const look = '<w:smallCaps/><w:highlight w:val="darkBlue"/><w:spacing w:val="40"/>';
  const body = `<w:p><w:r><w:rPr>${look}</w:rPr><w:t>Ada ọ̀ṣun</w:t></w:r></w:p>`;
  expect((await textOf(await convert(docxFrom(body)))).normalize("NFC")).toBe("Ada ọ̀ṣun".normalize("NFC"));
});

it("shows tracked insertions, and omits deleted text, hidden text and field codes", async () => {
  const run = (inner: string): string => `<w:r>${inner}</w:r>`;
  const body = [
    "<w:p>",
    run("<w:t xml:space='preserve'>kept </w:t>"),
    `<w:ins>${run("<w:t>added</w:t>")}</w:ins><w:del>${run("<w:delText>gone</w:delText>")}</w:del>`,
    run("<w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t>"),
    run('<w:fldChar w:fldCharType="begin"/>'),
    run("<w:instrText> DATE \\@ dd </w:instrText>"),
    run('<w:fldChar w:fldCharType="separate"/>'),
    run("<w:t xml:space='preserve'> 21 May</w:t>"),
    `${run('<w:fldChar w:fldCharType="end"/>')}</w:p>`,
  ].join("");
  expect(await textOf(await convert(docxFrom(body)))).toBe("kept added 21 May");
});

it("shows the fallback of a drawing that displays nothing", async () => {
  const choice = '<mc:Choice Requires="cx"><w:drawing><wp:inline/></w:drawing></mc:Choice>';
  const fallback = "<mc:Fallback><w:t>Sales by month</w:t></mc:Fallback>";
  const body = `<w:p><w:r><mc:AlternateContent>${choice}${fallback}</mc:AlternateContent></w:r></w:p>`;
  expect(await textOf(await convert(docxFrom(body)))).toBe("Sales by month");
});

const names = [
  "Ṣọlá Adébáyọ̀",
  "ọ̀nà ẹ̀kọ́ ọlọ́jọ́",
  "Ìkẹ́",
  "Ọ̀ṣun",
  "Ụzọ",
  "Ngọzị",
  "Ṅkwọ",
  "Ƙasa ɗaki ɓarna ƴanci",
  "₦5,000.00",
];

it("keeps Nigerian names and the naira sign in every font, as read by two libraries", async () => {
  const fonts = ["Calibri", "Arial", "Times New Roman", "Courier New", "Something Unheard Of"];
  const lines = fonts.flatMap((font) => [font, ...names].map((name) => ({ name, font })));
  const pdf = await convert(await docxOf(lines.map(({ name, font }) => line(name, font))));
  const wanted = lines.map(({ name }) => name.normalize("NFC"));
  expect((await textOf(pdf)).normalize("NFC").split("\n")).toEqual(wanted);
  const text = await withPdfium(pdf, (document) => document.getPage(0).getText());
  expect(text.normalize("NFC").replace(/\s/g, "")).toBe(wanted.join("").replace(/\s/g, ""));
});

/** Converts a document with these properties, and returns those of the PDF. */
async function infoOf(properties: string): Promise<object> {
  const parts = partsOf(paragraphXml("text"), "", {
    "_rels/.rels": `<Relationships>${relation("r1", "officeDocument", "word/document.xml")}${relation("r2", "metadata/core-properties", "docProps/core.xml")}</Relationships>`,
    "docProps/core.xml": `<p xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">${properties}</p>`,
  });
  return (await (await openPdf(await convert(zipSync(parts)))).getMetadata()).info;
}

it("keeps the title, author and date of the document", async () => {
  const properties =
    "<dc:title>Ìwé</dc:title><dc:creator>Ada Obi</dc:creator><dcterms:modified>2024-05-06T07:08:09Z</dcterms:modified>";
  expect(await infoOf(properties)).toMatchObject({
    Title: "Ìwé",
    Author: "Ada Obi",
    CreationDate: "D:20240506070809Z",
  });
});

it("keeps a blank between two entities of a title", async () => {
  expect(await infoOf("<dc:title>Rice &amp; &amp; beans</dc:title>")).toMatchObject({
    Title: "Rice & & beans",
  });
});

it("shows all bodies of a document that has several", async () => {
  const whole = bodyXml(paragraphXml("first"));
  const document = whole.replace("</w:body>", `</w:body><w:body>${paragraphXml("second")}</w:body>`);
  const pdf = await convert(docxFrom("", "", { "word/document.xml": document }));
  expect(await textOf(pdf)).toBe("first\nsecond");
});
