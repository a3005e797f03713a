import sharp from "sharp";
import { expect, it } from "vitest";
import { convert, docxFrom, relation, renderPage } from "./documents.js";

/** Draws a picture of red, green and blue bars, 100 points square, and returns the colours on the page. */
async function colours(source: string, form: string): Promise<string[]> {
  const bar = (color: string, at: number) => `<rect x="${at * 20}" width="20" height="60" fill="${color}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">${["#f00", "#0f0", "#00f"].map(bar).join("")}</svg>`;
  const picture = await sharp(Buffer.from(svg)).flatten().png().toBuffer();
  const body = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="1270000"/><a:graphic><a:blipFill><a:blip r:embed="i"/>${source}</a:blipFill><a:xfrm ${form}/></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const pdf = await convert(
    docxFrom(body, relation("i", "image", "media/i.png"), { "word/media/i.png": picture }),
  );
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
