import {
  Footer,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import { expect, it } from "vitest";
import { openPdf } from "../../support/pdf.js";
import { convert, docxFrom, docxOf, line, outlineOf, readPages, relation, textOf } from "./documents.js";

/** Text that would be markup, code or an escape in the language of the typesetting engine. */
const hostile = [
  '#panic("x")',
  '#read("/etc/passwd") #image("/etc/hostname.png")',
  '#import "@preview/cetz:0.2.2": *',
  '#include "/main.typ" #json("/document.json")',
  "$ x^2 $ *bold* _emphasis_ `raw` ```raw``` <label> @reference",
  "= Heading == Heading - list + list / Term: description",
  "// comment /* comment */ ~ -- --- ... \\ \\u{41} \\# \\n",
  '"quoted" \'quoted\' #"#" #{ } #[ ] ( ) ; : , . | & ^ % !',
  '"); #panic("x"); ("',
  '\\"]) #(while true {})',
];

it.each(hostile)("draws %s as it is written", async (text) => {
  const cells = [new TableRow({ children: [new TableCell({ children: [line(text)] })] })];
  const children = [
    new Paragraph({ text, heading: HeadingLevel.HEADING_1 }),
    new Paragraph({ children: [new TextRun("Claim"), new FootnoteReferenceRun(1)] }),
    new Table({ rows: cells }),
  ];
  const parts = {
    headers: { default: new Header({ children: [line(text)] }) },
    footers: { default: new Footer({ children: [line(text)] }) },
  };
  const pdf = await convert(
    await docxOf(children, parts, {
      title: text,
      creator: text,
      footnotes: { 1: { children: [line(text)] } },
    }),
  );
  const shown = (await textOf(pdf)).replace(/\s+/g, "");
  expect(shown.split(text.replace(/\s+/g, ""))).toHaveLength(6);
  expect((await outlineOf(pdf)).map((title) => title.replace(/\s+/g, " "))).toEqual([
    text.replace(/\s+/g, " "),
  ]);
  const { info } = await (await openPdf(pdf)).getMetadata();
  // The reader of the XML leaves out blanks between two entities.
  const properties = Object.values(info).filter((value) => typeof value === "string");
  const same = properties.filter((value) => value.replace(/\s+/g, "") === text.replace(/\s+/g, ""));
  expect(same).toHaveLength(2);
});

it("takes names of bookmarks, addresses and fonts for what they are", async () => {
  const name = '"> #panic(1) <x';
  const escaped = name.replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const mark = `<w:p><w:bookmarkStart w:id="1" w:name="${escaped}"/><w:r><w:rPr><w:rFonts w:ascii="${escaped}"/></w:rPr><w:t>End</w:t></w:r></w:p>`;
  const jump = `<w:p><w:hyperlink w:anchor="${escaped}"><w:r><w:t>jump</w:t></w:r></w:hyperlink></w:p>`;
  const link = '<w:p><w:hyperlink r:id="h"><w:r><w:t>site</w:t></w:r></w:hyperlink></w:p>';
  const address = "https://example.com/#panic(1)$x$[*]";
  const pages = await readPages(
    await convert(docxFrom(jump + link + mark, relation("h", "hyperlink", address, true))),
  );
  expect(pages[0]).toMatchObject({ text: "jump\nsite\nEnd", links: [address], jumps: [0] });
});

it("shows control characters and halves of surrogate pairs as nothing", async () => {
  const symbol =
    '<w:p><w:r><w:t>a</w:t><w:sym w:char="D800" w:font="Arial"/><w:sym w:char="0007" w:font="Arial"/><w:t>b</w:t></w:r></w:p>';
  expect(await textOf(await convert(docxFrom(symbol)))).toBe("ab");
});
