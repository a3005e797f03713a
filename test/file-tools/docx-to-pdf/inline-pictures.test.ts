import sharp from "sharp";
import { expect, it } from "vitest";
import { openPdf } from "../../support/pdf.js";
import {
  type Area,
  convert,
  docxFrom,
  outlineOf,
  type RenderedPage,
  relation,
  renderPage,
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

const blue = await sharp({ create: { width: 20, height: 20, channels: 3, background: "#0000ff" } })
  .png()
  .toBuffer();

const text = (words: string, look = ""): string =>
  `<w:r><w:rPr><w:sz w:val="24"/>${look}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;

/** Creates a picture with its size in points. */
const picture = (width: number, height: number, form = ""): string =>
  `<w:r><w:rPr><w:sz w:val="24"/></w:rPr><w:drawing><wp:inline><wp:extent cx="${width * 12_700}" cy="${height * 12_700}"/><a:graphic><a:blipFill><a:blip r:embed="i"/></a:blipFill><a:xfrm ${form}/></a:graphic></wp:inline></w:drawing></w:r>`;

const paragraph = (runs: string, properties = ""): string => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;

const docx = (body: string): Uint8Array =>
  docxFrom(body, relation("i", "image", "media/i.png"), { "word/media/i.png": blue });

async function shown(body: string): Promise<{ words: Word[]; box: Area; find: (start: string) => Word }> {
  const pdf = await convert(docx(body));
  const words = await wordsOf(pdf);
  const find = (start: string): Word => words.find((one) => one.text.startsWith(start)) as Word;
  return { words, box: await pictureOf(pdf), find };
}

it("puts a small picture on the baseline, between the words around it", async () => {
  const { box, find } = await shown(
    paragraph(text("Press the ") + picture(12, 12) + text(" button to save the file.")) +
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
    paragraph(text("many words ".repeat(7)) + picture(60, 12) + text(" and more words".repeat(7))),
  );
  const lines = [...new Set(words.map(({ baseline }) => Math.round(baseline)))];
  expect(lines).toHaveLength(3);
  expect(box.left).toBeCloseTo(72, 0);
  expect(Math.abs(box.bottom - (lines[1] ?? 0))).toBeLessThan(1);
});

it("lists a heading with an inline picture by its words in the outline", async () => {
  const styles =
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>';
  const pdf = await convert(
    docxFrom(
      paragraph(text("Press ") + picture(12, 12) + text(" now"), '<w:pStyle w:val="H"/>'),
      relation("i", "image", "media/i.png") + relation("s", "styles", "styles.xml"),
      { "word/media/i.png": blue, "word/styles.xml": styles },
    ),
  );
  expect(await outlineOf(pdf)).toEqual(["Press now"]);
});

it("limits the link of a picture to the picture", async () => {
  const link = `<w:hyperlink r:id="l">${picture(30, 30)}</w:hyperlink>`;
  const pdf = await convert(
    docxFrom(
      paragraph(text("Visit ") + link + text(" today")),
      relation("i", "image", "media/i.png") + relation("l", "hyperlink", "https://example.com/", true),
      { "word/media/i.png": blue },
    ),
  );
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
    paragraph(text("Above")) + paragraph(picture(100, 20, 'rot="5400000"')) + paragraph(text("Below")),
  );
  expect(box.left).toBeCloseTo(72, 0);
  expect(box.right - box.left).toBeCloseTo(20, 0);
  expect(box.bottom - box.top).toBeCloseTo(100, 0);
  expect(box.top).toBeGreaterThan(find("Above").baseline);
  expect(find("Below").baseline).toBeGreaterThan(box.bottom);
});

it("ignores an infinite rotation", async () => {
  const { box, find } = await shown(
    paragraph(text("Press ") + picture(12, 12, 'rot="1e999"') + text(" now")),
  );
  expect(box.right - box.left).toBeCloseTo(12, 0);
  expect(find("now").left).toBeGreaterThan(box.right);
});
