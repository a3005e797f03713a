import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { convert, pageFrom, pdfOf, picturesIn, prose } from "./documents.js";

const item = (text: string): string => `<li>${text}</li>`;

describe("lists", () => {
  it("become Word lists, nested by indentation", async () => {
    const { html, numbering, xml } = await convert(
      await pdfOf({ ul: ["One", prose("Two"), { ul: ["Inner", "Other"] }, "Three"] }),
    );
    expect(html).toBe(
      `<ul>${item("One")}<li>${prose("Two")}<ul>${item("Inner")}${item("Other")}</ul></li>${item("Three")}</ul>`,
    );
    expect(numbering).toContain('<w:numFmt w:val="bullet"/>');
    expect(xml.match(/<w:ilvl w:val="1"\/>/g)).toHaveLength(2);
  });

  it.each([
    ["decimal", "decimal", "%1."],
    ["lower-alpha", "lowerLetter", "%1."],
    ["upper-alpha", "upperLetter", "%1."],
    ["lower-roman", "lowerRoman", "%1."],
  ])("with %s numbers become numbered Word lists", async (type, format, pattern) => {
    const { html, numbering } = await convert(await pdfOf({ ol: ["Alpha", "Beta", "Gamma"], type }));
    expect(html).toBe(`<ol>${["Alpha", "Beta", "Gamma"].map(item).join("")}</ol>`);
    expect(numbering).toContain(`<w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/>`);
  });

  it("keep their start number", async () => {
    const { numbering } = await convert(await pdfOf({ ol: ["Seventh", "Eighth"], start: 7 }));
    expect(numbering).toContain('<w:start w:val="7"/><w:numFmt w:val="decimal"/>');
  });

  it("are not made of a single number", async () => {
    const { html } = await convert(await pdfOf(["1. The only one", prose("Text")]));
    expect(html).toMatch(/^<p>1\. The only one<\/p>/);
  });
});

const cells = (html: string): string[][] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")),
  );

const body = [
  ["Item", "Count", "Price"],
  ["Pens", "10", "100.00"],
  ["Books that are long enough to need a second line", "3", "4,500.00"],
  ["Lamps", "1", "12,000.00"],
];

describe("tables", () => {
  it.each(["", "noBorders", "lightHorizontalLines", "headerLineOnly"])(
    "with the layout %j become Word tables",
    async (layout) => {
      // A copy, because pdfmake changes its input.
      const given = { widths: [120, 60, 80], body: structuredClone(body) };
      const table = { table: given, ...(layout ? { layout } : {}) };
      const { html } = await convert(
        await pdfOf([
          { text: prose("Above"), margin: [0, 0, 0, 14] },
          table,
          { text: prose("Below"), margin: [0, 14, 0, 0] },
        ]),
      );
      expect(cells(html)).toEqual(body);
      expect(html).toMatch(/^<p>Above .*<\/p><table>.*<\/table><p>Below .*<\/p>$/);
    },
  );

  it("without lines keep the alignment of each column", async () => {
    const amounts = [
      ["Item", "Qty", "Unit", "Total"],
      ["Garri, a white bag", "2", "12,000.00", "24,000.00"],
      ["Oil", "1", "45,500.00", "45,500.00"],
      ["Mix", "10", "850.00", "8,500.00"],
    ];
    const right = (text: string) => ({ text, alignment: "right" });
    const rows = amounts.map(([first, ...others]) => [first, ...others.map(right)]);
    const { xml } = await convert(
      await pdfOf({ table: { widths: [120, 40, 60, 60], body: rows }, layout: "noBorders" }),
    );
    const aligned = [...xml.matchAll(/<w:tc>.*?<\/w:tc>/g)].map(
      ([cell]) => /<w:jc w:val="(\w+)"/.exec(cell)?.[1] ?? "left",
    );
    expect(aligned).toEqual(amounts.flatMap(() => ["left", "right", "right", "right"]));
    const margins = [...xml.matchAll(/<w:(?:left|right) w:type="dxa" w:w="(\d+)"\/>/g)];
    expect(margins.map(([, width]) => Number(width) >= 40)).toEqual([true, true]);
  });

  it("keep merged cells", async () => {
    const spanning = [
      [{ text: "Wide", colSpan: 2 }, {}, "c"],
      [{ text: "Tall", rowSpan: 2 }, "e", "f"],
      ["", "h", "i"],
    ];
    const { html } = await convert(await pdfOf({ table: { widths: [90, 90, 90], body: spanning } }));
    expect(html).toContain('<td colspan="2"><p>Wide</p></td>');
    expect(html).toContain('<td rowspan="2"><p>Tall</p></td>');
  });
});

/** Creates a picture with so many colours that it counts as a photo. */
async function photograph(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let index = 0; index < data.length; index++)
    data[index] = (index * 7919 + (index >> 5) * 104729) % 251;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}
const dataUrl = (type: string, bytes: Buffer): string =>
  `data:image/${type};base64,${bytes.toString("base64")}`;

describe("pictures", () => {
  it("keep their position and pixels, and get a description", async () => {
    const photo = dataUrl("jpeg", await photograph(300, 200));
    const converted = await convert(
      await pdfOf([prose("Above"), { image: photo, width: 150, margin: [0, 9] }, prose("Below")]),
    );
    expect(converted.html).toMatch(
      /^<p>Above .*<\/p><p><img alt="Picture 1 of page 1" src="" \/><\/p><p>Below .*<\/p>$/,
    );
    const [picture] = picturesIn(converted);
    expect(await sharp(picture).metadata()).toMatchObject({ format: "jpeg", width: 300, height: 200 });
    expect(converted.xml).toContain(`<wp:extent cx="${150 * 12_700}" cy="${100 * 12_700}"/>`);
  });

  it("keep their transparency", async () => {
    const glass = await sharp({
      create: { width: 40, height: 30, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    const [picture] = picturesIn(
      await convert(await pdfOf([{ image: dataUrl("png", glass), width: 40 }, "Text"])),
    );
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels, data[3]]).toEqual([40, 30, 4, 128]);
  });

  it("are turned upright", async () => {
    const pixels = Buffer.concat(
      Array.from({ length: 4 }, () => Buffer.from([255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255])),
    );
    const dictionary =
      "<< /Type /XObject /Subtype /Image /Width 4 /Height 4 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length LENGTH >>";
    const pdf = pageFrom("q 0 200 -200 0 400 300 cm /I Do Q", "/XObject << /I 6 0 R >>", [
      [dictionary, pixels],
    ]);
    const [picture] = picturesIn(await convert(pdf));
    const data = await sharp(picture).removeAlpha().raw().toBuffer();
    // Rotated counterclockwise, the right side comes to the top.
    expect([...data.subarray(0, 3), ...data.subarray(-3)]).toEqual([0, 0, 255, 255, 0, 0]);
  });

  it("fill the pages of a scan without text", async () => {
    const scans = await Promise.all([photograph(248, 351), photograph(351, 248)]);
    const content = scans.map((scan, index) => ({
      image: dataUrl("jpeg", scan),
      fit: [595, 842],
      ...(index > 0 ? { pageBreak: "before" } : {}),
    }));
    const converted = await convert(await pdfOf(content, { pageMargins: 0 }));
    const sizes = await Promise.all(
      picturesIn(converted).map(async (picture) => (await sharp(picture).metadata()).width),
    );
    expect(sizes.sort()).toEqual([248, 351]);
    expect(converted.text.trim()).toBe("");
    // Each covers its whole page, whatever the margins.
    expect(converted.xml.match(/<wp:anchor [^>]*behindDoc="1"/g)).toHaveLength(2);
    expect(converted.xml.match(/<wp:posOffset>/g)).toHaveLength(4);
    expect(converted.xml.match(/<wp:posOffset>0<\/wp:posOffset>/g)).toHaveLength(4);
    expect(converted.xml.match(/<w:br w:type="page"\/>/g)).toHaveLength(1);
  });
});

describe("pages", () => {
  it("break where the PDF's pages do", async () => {
    const { xml } = await convert(
      await pdfOf(["One", { text: "Two", pageBreak: "before" }, { text: "Three", pageBreak: "before" }]),
    );
    expect(xml.replace(/<w:br w:type="page"\/>/g, "|").replace(/<[^>]*>/g, "")).toBe("One|Two|Three");
  });

  it("keep their size and orientation", async () => {
    const { xml } = await convert(
      await pdfOf([
        prose("Upright"),
        { text: prose("Wide"), pageBreak: "before", pageOrientation: "landscape" },
      ]),
    );
    expect(xml.match(/<w:pgSz [^>]*>/g)).toEqual([
      '<w:pgSz w:w="11906" w:h="16838" w:orient="portrait"/>',
      '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>',
    ]);
  });

  it("are scaled down to the maximum size of word processors", async () => {
    const { xml } = await convert(await pdfOf(prose("Poster"), { pageSize: { width: 4000, height: 3000 } }));
    expect(xml).toContain('<w:pgSz w:w="31680" w:h="23760" w:orient="landscape"/>');
  });
});
