import { describe, expect, it } from "vitest";
import { type Converted, convert, pageFrom, picturesIn } from "./documents.js";

const pixels = Buffer.from(Array.from({ length: 60 * 85 }, (_, index) => index % 251));
const picture: readonly [string, Uint8Array] = [
  "<< /Type /XObject /Subtype /Image /Width 60 /Height 85 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length LENGTH >>",
  pixels,
];
/** A picture that pdf.js cannot decode. */
const lost: typeof picture = [picture[0].replace("/Length", "/Filter /JBIG2Decode /Length"), pixels];
const sheet = "q 595 0 0 842 0 0 cm /I Do Q";
const text = (mode: 0 | 3, y: number, words: string): string =>
  `BT ${mode} Tr /F 12 Tf 1 0 0 1 72 ${y} Tm (${words}) Tj ET`;
const recognised = (lines: number): string =>
  Array.from({ length: lines }, (_, row) => text(3, 780 - row * 24, `Recognised line ${row + 1}.`)).join(
    "\n",
  );
const scan = (content: string, ...more: (typeof picture)[]): Promise<Converted> =>
  convert(pageFrom(content, "/XObject << /I 6 0 R /J 7 0 R >>", [picture, ...more]));

/** Returns the visible text. */
const shownIn = ({ xml }: Converted): string =>
  [...xml.matchAll(/<w:r>(?:(?!<\/w:r>).)*<\/w:r>/g)]
    .filter(([run]) => !run.includes("<w:vanish/>"))
    .flatMap(([run]) =>
      [...run.matchAll(/<w:t[ >][^<]*/g)].map(([written]) => written.replace(/^[^>]*>/, "")),
    )
    .join("");
const isBehind = ({ xml }: Converted): boolean =>
  /<wp:anchor [^>]*behindDoc="1".*?<wp:extent cx="7556500" cy="10693400"/.test(xml);

describe("a scan with recognised text as text", () => {
  const scanAsText = (content: string) =>
    convert(pageFrom(content, "/XObject << /I 6 0 R /J 7 0 R >>", [picture]), { scans: "text" });

  it("becomes the text alone, in paragraphs that can be edited", async () => {
    const converted = await scanAsText([sheet, recognised(30), text(0, 40, "Received 3 May")].join("\n"));
    expect(picturesIn(converted)).toHaveLength(0);
    for (const shown of ["Recognised line 1.", "Recognised line 30.", "Received 3 May"])
      expect(shownIn(converted)).toContain(shown);
    expect(converted.xml).not.toContain("<w:vanish/>");
  });

  it("keeps a picture that is no scan of the page", async () => {
    const stamp = "q 60 0 0 85 72 700 cm /I Do Q";
    expect(picturesIn(await scanAsText([stamp, text(0, 40, "Received 3 May")].join("\n")))).toHaveLength(1);
  });

  it("keeps the picture of a scan without text", async () => {
    expect(picturesIn(await scanAsText(sheet))).toHaveLength(1);
  });
});

describe("a scan with recognised text", () => {
  it("becomes a picture as large as the page, with hidden text", async () => {
    const converted = await scan([sheet, recognised(30)].join("\n"));
    expect(isBehind(converted)).toBe(true);
    expect(picturesIn(converted)).toHaveLength(1);
    expect(converted.text).toContain("Recognised line 1.");
    expect(converted.text).toContain("Recognised line 30.");
    expect(shownIn(converted)).toBe("");
  });

  it("hides paragraph marks too, so that the text takes no room", async () => {
    const { xml } = await scan([sheet, recognised(30)].join("\n"));
    const paragraphs = [...xml.matchAll(/<w:p>(?:(?!<\/w:p>).)*<\/w:p>/g)].map(([paragraph]) => paragraph);
    const worded = paragraphs.filter((paragraph) => paragraph.includes("Recognised"));
    expect(worded.length).toBeGreaterThan(0);
    for (const paragraph of worded) expect(paragraph).toMatch(/<w:rPr><w:vanish\/><\/w:rPr><\/w:pPr>/);
    // All others are lines one point high.
    for (const paragraph of paragraphs.filter((other) => !worded.includes(other)))
      expect(paragraph).toMatch(/<w:spacing [^>]*w:line="20" w:lineRule="exact"|<w:sectPr>/);
  });

  it("shows visible text on the scan", async () => {
    const converted = await scan([sheet, recognised(5), text(0, 40, "Received 3 May")].join("\n"));
    expect(isBehind(converted)).toBe(true);
    expect(shownIn(converted)).toBe("Received 3 May");
    expect(converted.text).toContain("Recognised line 5.");
  });

  it("shows its text if a layer of the picture cannot be decoded", async () => {
    const layers = [sheet, sheet.replace("/I", "/J"), recognised(3)].join("\n");
    const converted = await scan(layers, lost);
    expect(shownIn(converted)).toContain("Recognised line 3.");
  });
});

it("shows invisible text that is not on a picture", async () => {
  expect(shownIn(await convert(pageFrom(recognised(2))))).toContain("Recognised line 2.");
});
