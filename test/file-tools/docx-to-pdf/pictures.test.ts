/** Pictures in a PDF: their places, sizes, colours and formats. */
import { AlignmentType, ImageRun, Paragraph } from "docx";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openPdf } from "../../support/pdf.js";
import { startReceiver } from "../../support/receiver.js";
import {
  type Area,
  convert,
  docxFrom,
  docxOf,
  docxWith,
  outlineOf,
  paragraphXml,
  partXml,
  pictureXml,
  type RenderedPage,
  relation,
  renderPage,
  textOf,
} from "./documents.js";

/** A word's position in points from the top left corner of the page. */
interface Word {
  text: string;
  left: number;
  right: number;
  baseline: number;
}

async function wordsOf(pdf: Uint8Array): Promise<Word[]> {
  const page = await (await openPdf(pdf)).getPage(1);
  const [, , , height = 0] = page.view;
  const { items } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!("str" in item) || item.str.trim() === "") return [];
    const [left, up] = [item.transform[4], item.transform[5]];
    return [{ text: item.str.trim(), left, right: left + item.width, baseline: height - up }];
  });
}

/** Returns the bounding box of all blue pixels, in pixels. */
function blueBox({ width, data }: RenderedPage): Area {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 2] ?? 0) < 200 || (data[at] ?? 0) > 60 || (data[at + 1] ?? 0) > 60) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + 1);
    bottom = Math.max(bottom, y + 1);
  }
  return { left, top, right, bottom };
}

const scale = 4;

/** Returns the bounding box of all blue on the page, in points. */
async function pictureOf(pdf: Uint8Array): Promise<Area> {
  const { left, top, right, bottom } = blueBox(await renderPage(pdf));
  // Pixels that are blue in part are not in the first box.
  const around = { left: left - 2, top: top - 2, right: right + 2, bottom: bottom + 2 };
  const box = blueBox(await renderPage(pdf, 1, scale, around));
  return {
    left: around.left + box.left / scale,
    top: around.top + box.top / scale,
    right: around.left + box.right / scale,
    bottom: around.top + box.bottom / scale,
  };
}

/** Returns a picture of one colour. */
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

const blue = await plain(20, 20, "#0000ff").png().toBuffer();

const text = (words: string, look = ""): string =>
  `<w:r><w:rPr><w:sz w:val="24"/>${look}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;

const paragraph = (runs: string, properties = ""): string => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;

async function shown(body: string): Promise<{ words: Word[]; box: Area; find: (start: string) => Word }> {
  const pdf = await convert(docxWith(blue, body));
  const words = await wordsOf(pdf);
  const find = (start: string): Word => words.find((one) => one.text.startsWith(start)) as Word;
  return { words, box: await pictureOf(pdf), find };
}

it("puts a small picture on the baseline, between the words around it", async () => {
  const { box, find } = await shown(
    paragraph(text("Press the ") + pictureXml(12, 12) + text(" button to save the file.")) +
      paragraph(text("Next")),
  );
  const [press, button, next] = [find("Press"), find("button"), find("Next")];
  expect(button.baseline).toBeCloseTo(press.baseline, 1);
  expect(Math.abs(box.bottom - press.baseline)).toBeLessThan(0.5);
  expect(box.right - box.left).toBeCloseTo(12, 0);
  expect(box.bottom - box.top).toBeCloseTo(12, 0);
  for (const gap of [box.left - press.right, button.left - box.right]) {
    expect(gap).toBeGreaterThan(1.5);
    expect(gap).toBeLessThan(5);
  }
  expect(next.baseline - press.baseline).toBeLessThan(20);
});

it("wraps text after an inline picture, and a picture that does not fit on the line", async () => {
  const { words, box } = await shown(
    paragraph(text("many words ".repeat(7)) + pictureXml(60, 12) + text(" and more words".repeat(7))),
  );
  const lines = [...new Set(words.map(({ baseline }) => Math.round(baseline)))];
  expect(lines).toHaveLength(3);
  expect(box.left).toBeCloseTo(72, 0);
  expect(Math.abs(box.bottom - (lines[1] ?? 0))).toBeLessThan(1);
});

it("lists a heading with an inline picture by its words in the outline", async () => {
  const heading =
    '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>';
  const body = paragraph(text("Press ") + pictureXml(12, 12) + text(" now"), '<w:pStyle w:val="H"/>');
  const parts = { "word/styles.xml": partXml("styles", heading) };
  const pdf = await convert(docxWith(blue, body, relation("s", "styles", "styles.xml"), parts));
  expect(await outlineOf(pdf)).toEqual(["Press now"]);
});

it("limits the link of a picture to the picture", async () => {
  const link = `<w:hyperlink r:id="l">${pictureXml(30, 30)}</w:hyperlink>`;
  const body = paragraph(text("Visit ") + link + text(" today"));
  const pdf = await convert(docxWith(blue, body, relation("l", "hyperlink", "https://example.com/", true)));
  const page = await (await openPdf(pdf)).getPage(1);
  const [only, ...others] = await page.getAnnotations();
  const { left, right, top, bottom } = await pictureOf(pdf);
  expect(others).toEqual([]);
  expect(only.url).toBe("https://example.com/");
  for (const [at, edge] of [left, 792 - bottom, right, 792 - top].entries())
    expect(Math.abs(only.rect[at] - edge)).toBeLessThan(0.5);
});

it("reserves the room of a rotated picture's bounding box", async () => {
  const { box, find } = await shown(
    paragraph(text("Above")) +
      paragraph(pictureXml(100, 20, { form: 'rot="5400000"' })) +
      paragraph(text("Below")),
  );
  expect(box.left).toBeCloseTo(72, 0);
  expect(box.right - box.left).toBeCloseTo(20, 0);
  expect(box.bottom - box.top).toBeCloseTo(100, 0);
  expect(box.top).toBeGreaterThan(find("Above").baseline);
  expect(find("Below").baseline).toBeGreaterThan(box.bottom);
});

it("ignores an infinite rotation", async () => {
  const { box, find } = await shown(
    paragraph(text("Press ") + pictureXml(12, 12, { form: 'rot="1e999"' }) + text(" now")),
  );
  expect(box.right - box.left).toBeCloseTo(12, 0);
  expect(find("now").left).toBeGreaterThan(box.right);
});

const bar = (color: string, at: number) => `<rect x="${at * 20}" width="20" height="60" fill="${color}"/>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">${["#f00", "#0f0", "#00f"].map(bar).join("")}</svg>`;
const bars = await sharp(Buffer.from(svg)).flatten().png().toBuffer();

/** Draws the bars, 100 points square, and returns the colours on the page. */
async function colours(source: string, form: string): Promise<string[]> {
  const pdf = await convert(docxWith(bars, paragraph(pictureXml(100, 100, { source, form }))));
  const page = await renderPage(pdf);
  const names = ["red", "green", "blue"];
  return [16, 50, 84].map((x) => {
    const found = page.colorAt((72 + x) / 612, (72 + 16) / 792);
    return found.every((value) => value > 200) ? "white" : (names[found.indexOf(Math.max(...found))] ?? "");
  });
}

it.each([
  ["unchanged", "", "", ["red", "green", "blue"]],
  ["cropped by its left third", '<a:srcRect l="33333"/>', "", ["green", "blue", "blue"]],
  ["cropped by its right two thirds", '<a:srcRect r="66667"/>', "", ["red", "red", "red"]],
  ["flipped", "", 'flipH="1"', ["blue", "green", "red"]],
  ["rotated by 180 degrees", "", 'rot="10800000"', ["blue", "green", "red"]],
  ["rotated by 90 degrees", "", 'rot="5400000"', ["red", "red", "red"]],
])("draws a picture %s", async (_, source, form, wanted) => {
  const found = await colours(source, form);
  expect([found[0], found[2]]).toEqual([wanted[0], wanted[2]]);
});

describe("pictures", () => {
  const mapXml = paragraph(pictureXml(100, 100));

  const image = async (type: "png" | "jpg", background: string): Promise<ImageRun> => {
    const file = plain(60, 30, background);
    const data = await (type === "png" ? file.png() : file.jpeg()).toBuffer();
    return new ImageRun({ type, data, transformation: { width: 300, height: 150 } });
  };

  it("keep their position, size and colour", async () => {
    const page = await renderPage(
      await convert(
        await docxOf([
          new Paragraph({ alignment: AlignmentType.CENTER, children: [await image("png", "#10a040")] }),
          new Paragraph({ children: [await image("jpg", "#c02020")] }),
        ]),
      ),
    );
    // A4 has 595 by 842 points; the margins are an inch, a pixel of Word's is three quarters of a point.
    const at = (x: number, y: number): number[] => page.colorAt(x / 595, y / 842);
    expect(at(595 / 2, 72 + 56)).toEqual([0x10, 0xa0, 0x40]);
    expect(at(595 / 2 - 105, 72 + 56)).toEqual([0x10, 0xa0, 0x40]);
    expect(at(595 / 2 - 120, 72 + 56)).toEqual([255, 255, 255]);
    const [red = 0, green = 0, blue = 0] = at(80, 72 + 112 + 56);
    expect([red > 180, green < 45, blue < 45]).toEqual([true, true, true]);
    expect(at(72 + 235, 72 + 112 + 56)).toEqual([255, 255, 255]);
  });

  it("are drawn in every format that Word embeds, even if they are large", async () => {
    const kinds = {
      gif: await plain(40, 40, "#0000ff").gif().toBuffer(),
      tiff: await plain(40, 40, "#0000ff").tiff({ compression: "lzw" }).toBuffer(),
      webp: await plain(40, 40, "#0000ff").webp({ lossless: true }).toBuffer(),
      png: await plain(6_000, 600, "#0000ff").png().toBuffer(),
    };
    for (const [kind, bytes] of Object.entries(kinds)) {
      const parts = { [`word/media/i.${kind}`]: bytes };
      const pdf = await convert(docxFrom(mapXml, relation("i", "image", `media/i.${kind}`), parts));
      expect((await renderPage(pdf)).colorAt(100 / 612, 100 / 792), kind).toEqual([0, 0, 255]);
      expect(pdf.length, kind).toBeLessThan(500_000);
    }
  });

  it("are replaced by their alternative text if they are external, and never fetched", async () => {
    const web = await startReceiver();
    try {
      const linked = relation("i", "image", `${web.url}/map.png`, true);
      const vml =
        '<w:p><w:r><w:pict><v:shape alt="A plan"><v:imagedata r:id="i"/></v:shape></w:pict></w:r></w:p>';
      for (const reference of ['r:link="i"', 'r:embed="i"'])
        expect(
          await textOf(await convert(docxFrom(paragraph(pictureXml(100, 100, { reference })) + vml, linked))),
        ).toBe("[A map]\n[A plan]");
      expect(web.received).toEqual([]);
    } finally {
      await web.close();
    }
  });

  it.each([
    ["damaged", "media/i.png", Buffer.from("\x89PNG\r\n\x1a\nnothing else", "latin1")],
    ["a vector drawing", "media/i.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["outside the archive", "../../../../../../etc/hostname", Buffer.from("")],
  ])("are replaced by their alternative text if they are %s", async (_, target, bytes) => {
    const parts = { [`word/${target}`]: bytes };
    const docx = docxFrom(mapXml + paragraphXml("after"), relation("i", "image", target), parts);
    expect(await textOf(await convert(docx))).toBe("[A map]\nafter");
  });
});
