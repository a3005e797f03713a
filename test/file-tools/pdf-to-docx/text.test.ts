import { expect, it } from "vitest";
import { type Converted, convert, pageFrom, pdfOf, prose } from "./documents.js";

it("keeps paragraphs and their order", async () => {
  const { html } = await convert(
    await pdfOf([{ text: prose("First"), margin: [0, 0, 0, 9] }, prose("Second")]),
  );
  expect(html).toBe(`<p>${prose("First")}</p><p>${prose("Second")}</p>`);
});

it("starts a paragraph at an indented line or after a line that ends early", async () => {
  const { html } = await convert(
    await pdfOf([
      { text: prose("First"), leadingIndent: 20 },
      { text: prose("Second"), leadingIndent: 20 },
    ]),
  );
  expect(html).toBe(`<p>${prose("First")}</p><p>${prose("Second")}</p>`);
});

it("keeps bold, italic and both, word by word", async () => {
  const { html } = await convert(
    await pdfOf({
      text: [
        "Plain ",
        { text: "bold", bold: true },
        " and ",
        { text: "italic", italics: true },
        " and ",
        { text: "both", bold: true, italics: true },
        " here, with enough plain words around them.",
      ],
    }),
  );
  expect(html).toMatch(
    /^<p>Plain <strong>bold<\/strong> and <em>italic<\/em> and <strong><em>both<\/em><\/strong> here, /,
  );
});

it("turns the three largest font sizes into three levels of headings", async () => {
  const definition = [
    { text: "The report", fontSize: 26 },
    { text: "A chapter", fontSize: 20 },
    { text: "A section", fontSize: 15 },
    prose("Text"),
    { text: "Another chapter", fontSize: 20, margin: [0, 9, 0, 0] },
    prose("More"),
  ];
  const { html, xml, styles } = await convert(await pdfOf(definition));
  expect(html.match(/<h\d>[^<]*/g)).toEqual([
    "<h1>The report",
    "<h2>A chapter",
    "<h3>A section",
    "<h2>Another chapter",
  ]);
  expect(xml).toContain('<w:pStyle w:val="Heading1"/>');
  expect(styles).toMatch(/w:styleId="Heading1">.*?<w:outlineLvl w:val="0"\/>.*?<w:sz w:val="52"\/>/);
});

it("keeps centred, right-aligned and justified paragraphs", async () => {
  const { xml } = await convert(
    await pdfOf([
      { text: "In the middle", alignment: "center", margin: [0, 0, 0, 9] },
      { text: "At the right", alignment: "right", margin: [0, 0, 0, 9] },
      { text: prose("Justified"), alignment: "justify", margin: [0, 0, 0, 9] },
      prose("Ragged"),
    ]),
  );
  const aligned = [...xml.matchAll(/<w:p>(?:(?!<\/w:p>).)*<\/w:p>/g)].map(
    ([paragraph]) => /<w:jc w:val="(\w+)"/.exec(paragraph)?.[1],
  );
  expect(aligned).toEqual(["center", "right", "both", undefined]);
});

it("keeps the right-aligned date of a letter apart from the text below", async () => {
  const right = (text: string) => ({ text, alignment: "right" });
  const { html, xml } = await convert(
    await pdfOf([
      right("12 March 2025"),
      "Dear Mrs Obi,",
      { text: prose("Text"), margin: [0, 9, 0, 9] },
      right("Our ref: 99/2025"),
      prose("More"),
    ]),
  );
  expect(html).toBe(
    ["12 March 2025", "Dear Mrs Obi,", prose("Text"), "Our ref: 99/2025", prose("More")]
      .map((text) => `<p>${text}</p>`)
      .join(""),
  );
  expect(xml.match(/<w:jc w:val="right"\/>/g)).toHaveLength(2);
  expect(xml).not.toContain("w:firstLine");
});

const at = (x: number, y: number, size: number, text: string): string =>
  `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`;

it("keeps a line with one large word as text, and recognises superscripts and subscripts", async () => {
  const texts = [
    ...[750, 738, 726].map((y) =>
      at(72, y, 10, "Plain text that stands above and says what the usual size is"),
    ),
    at(72, 690, 10, "One"),
    at(92, 690, 20, "LARGE"),
    at(164, 690, 10, "word in an ordinary line of text"),
    at(72, 650, 10, "Water is H"),
    at(118.7, 648, 6, "2"),
    at(122, 650, 10, "O and the area is 25 m"),
    at(223.8, 654, 6, "2"),
  ];
  const { html } = await convert(pageFrom(texts.join("\n")));
  expect(html).not.toContain("<h1>");
  expect(html).toContain("<p>Water is H<sub>2</sub>O and the area is 25 m<sup>2</sup></p>");
});

it("keeps superscripts and subscripts of one line in any order", async () => {
  const texts = [
    at(72, 700, 10, "An area in m"),
    at(129.1, 704, 6, "2"),
    at(135.3, 700, 10, "of H"),
    at(153.6, 698, 6, "2"),
    at(156.9, 700, 10, "O and of CO"),
    at(212.5, 698, 6, "2"),
    at(218.6, 700, 10, "as well, then"),
    at(280, 700, 20, "large"),
  ];
  const { html } = await convert(pageFrom(texts.join("\n")));
  expect(html).toBe(
    "<p>An area in m<sup>2</sup> of H<sub>2</sub>O and of CO<sub>2</sub> as well, then large</p>",
  );
});

it("joins hyphenated words at line ends, and keeps hyphens that belong to words", async () => {
  const lines = [
    "A programme that was broken by a hyphen at the end of the line exam-",
    "ple, and then, after as many words as it takes to come to the end, a well-",
    "known one that the text also writes as well-known elsewhere.",
  ];
  const content = lines.map((line, row) => `1 0 0 1 72 ${700 - row * 14} Tm (${line}) Tj`).join("\n");
  const { text } = await convert(pageFrom(`BT /F 12 Tf ${content} ET`));
  expect(text).toContain(
    "line example, and then, after as many words as it takes to come to the end, a well-known one",
  );
});

it("reads two columns one after the other", async () => {
  const { html } = await convert(
    await pdfOf([
      { text: prose("Above"), margin: [0, 0, 0, 12] },
      { columns: [{ text: prose("Left") }, { text: prose("Right") }], columnGap: 24 },
    ]),
  );
  expect(html).toBe(["Above", "Left", "Right"].map((start) => `<p>${prose(start)}</p>`).join(""));
});

it("keeps links", async () => {
  const { html } = await convert(
    await pdfOf({
      text: ["See ", { text: "our site", link: "https://example.com/a?b=1&c=2" }, " for the rest of it."],
    }),
  );
  expect(html).toBe(
    '<p>See <a href="https://example.com/a?b=1&amp;c=2">our site</a> for the rest of it.</p>',
  );
});

it("keeps letters beyond ASCII", async () => {
  const words = "₦5,000 Ẹ kú àárọ̀ Привет Ελλάδα";
  expect((await convert(await pdfOf(words))).text.trim()).toBe(words);
});

it("keeps right-to-left text in logical order", async () => {
  const unicode = [
    "beginbfchar <61> <05E9>",
    "<62> <05DC>",
    "<63> <05D5>",
    "<64> <05DD>",
    "<20> <0020> endbfchar",
  ].join("\n");
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>";
  // The letters of shalom in visual order, so the last one first.
  const { text, xml } = await convert(
    pageFrom("BT /G 12 Tf 400 700 Td (dcba dcba) Tj ET", "", [font, ["<< /Length LENGTH >>", unicode]]),
  );
  expect(text.trim()).toBe("שלום שלום");
  expect(xml).toContain("<w:bidi/>");
  expect(xml).toContain("<w:rtl/>");
});

const coreOf = ({ files }: Converted): string =>
  Buffer.from(files["docProps/core.xml"] as Uint8Array).toString();

it("keeps title, author and language, and uses English for a PDF without a language", async () => {
  const converted = await convert(
    await pdfOf("Text", { info: { title: "Über & more", author: "Ada Obi" }, language: "yo-NG" }),
  );
  expect(coreOf(converted)).toContain("<dc:title>Über &amp; more</dc:title><dc:creator>Ada Obi</dc:creator>");
  expect(converted.styles).toContain('<w:lang w:val="yo-NG"/>');
  expect((await convert(await pdfOf("Text"))).styles).toContain('<w:lang w:val="en-GB"/>');
});

it("gives the same bytes for the same file", async () => {
  const pdf = await pdfOf(["Text", { text: "a link", link: "https://example.com" }]);
  const [first, second] = [Buffer.from((await convert(pdf)).bytes), Buffer.from((await convert(pdf)).bytes)];
  expect(first.equals(second)).toBe(true);
  // The zip date of the first file: 1 January 1980.
  expect(first.readUInt16LE(12)).toBe(0x21);
});

it("keeps the creation date of the PDF, and uses a fixed one for a PDF without a date", async () => {
  const creationDate = new Date("2020-02-03T04:05:06Z");
  expect(coreOf(await convert(await pdfOf("Text", { info: { creationDate } })))).toMatch(
    /<dcterms:created [^>]*>2020-02-03T04:05:06Z<.*<dcterms:modified [^>]*>2020-02-03T04:05:06Z</,
  );
  expect(coreOf(await convert(pageFrom("BT /F 12 Tf 72 700 Td (Text) Tj ET")))).toMatch(
    /<dcterms:created [^>]*>1980-01-01T00:00:00Z<.*<dcterms:modified [^>]*>1980-01-01T00:00:00Z</,
  );
});
