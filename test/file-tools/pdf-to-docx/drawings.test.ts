/** Pages of drawings, and pictures in the formats of scanners. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { type Converted, convert, pageFrom, pdfFrom, picturesIn } from "./documents.js";

const drawing = [
  "0 0 1 rg 100 600 200 100 re f",
  "1 0 0 RG 5 w 300 100 m 500 200 400 0 550 150 c S",
  "0 0.6 0 rg 60 60 m 160 60 l 110 160 l h f",
].join("\n");

/** Returns a pixel of the only picture of a document, at shares of its width and height. */
async function colourAt(converted: Converted, x: number, y: number): Promise<number[]> {
  const [only, ...others] = picturesIn(converted);
  expect(others).toEqual([]);
  const { data, info } = await sharp(only).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
  return [...data.subarray(at, at + 3)];
}

const isAsLargeAsPage = ({ xml }: Converted): boolean => /<wp:extent cx="7556500" cy="10693400"/.test(xml);

it("a page of drawings becomes a picture as large as the page", async () => {
  const converted = await convert(pageFrom(drawing));
  expect(isAsLargeAsPage(converted)).toBe(true);
  expect(await colourAt(converted, 200 / 595, 192 / 842)).toEqual([0, 0, 255]);
  expect(await colourAt(converted, 110 / 595, 752 / 842)).toEqual([0, 153, 0]);
  expect(await colourAt(converted, 0.9, 0.5)).toEqual([255, 255, 255]);
});

it("a drawing with a small picture in it is drawn whole", async () => {
  const picture = [
    "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length LENGTH >>",
    Uint8Array.from([0, 0, 0, 0]),
  ] as const;
  const content = `${drawing}\nq 50 0 0 50 400 400 cm /I Do Q`;
  const converted = await convert(pageFrom(content, "/XObject << /I 6 0 R >>", [picture]));
  expect(await colourAt(converted, 200 / 595, 192 / 842)).toEqual([0, 0, 255]);
  expect(await colourAt(converted, 425 / 595, 417 / 842)).toEqual([0, 0, 0]);
});

it("a ticked box of a form is drawn with the page", async () => {
  const form = pdfFrom([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [5 0 R] >>",
    ["<< /Length LENGTH >>", drawing],
    "<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /F 4 /Rect [400 600 450 650] /AS /Yes /AP << /N << /Yes 6 0 R >> >> >>",
    ["<< /Type /XObject /Subtype /Form /BBox [0 0 50 50] /Length LENGTH >>", "1 0 1 rg 0 0 50 50 re f"],
  ]);
  expect(await colourAt(await convert(form), 425 / 595, 217 / 842)).toEqual([255, 0, 255]);
});

it("a drawing that shows nothing is no picture", async () => {
  await expect(convert(pageFrom("1 1 1 rg 0 0 595 842 re f"))).rejects.toThrow(
    /^it contains no readable text or pictures/,
  );
});

it("a page with text keeps its text, and is not drawn", async () => {
  const converted = await convert(pageFrom(`${drawing}\nBT /F 12 Tf 72 500 Td (Quarterly figures) Tj ET`));
  expect(converted.text).toContain("Quarterly figures");
  expect(picturesIn(converted)).toEqual([]);
});

/** Left half red, right half blue, 24 by 16 pixels. */
const jpeg2000 = Buffer.from(
  "/0//UQAvAAAAAAAYAAAAEAAAAAAAAAAAAAAAGAAAABAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEBAQQEAAH/XAAHQEBISFD/ZAAlAAFDcm" +
    "VhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAACYAAH/k8fUJBFQVK4sVtIAAGEhLN3IAGEhL9+BaDaYDyn5osRW/fF2wmad" +
    "MyAAAADCQb1LCoTCLwCfEpPi2/8uXf1y1Bv+ZGhRAN+BOBQAWBXgIvLnFZtkaR48ArleAPXTJuC+cl0fDOOqfpykDf8ZGhRAP4DH2hIAK7DErU" +
    "a4CAUfx9oSACxcxq1GuAgFH//Z",
  "base64",
);

/** A black square of 8 by 8 pixels: the information about the page, and a region in MMR coding. */
const jbig2 = Buffer.from(
  [
    "00000000300001 00000013 00000008 00000008 00000000 00000000 00 0000",
    "00000001260001 00000016 00000008 00000008 00000000 00000000 00 01",
    // Horizontal mode with runs of 0 and 8, then seven times the line above.
    "26a2ffff",
  ]
    .join("")
    .replaceAll(" ", ""),
  "hex",
);

const scanOf = (entries: string, bytes: Uint8Array): Promise<Converted> =>
  convert(
    pageFrom("q 595 0 0 842 0 0 cm /I Do Q", "/XObject << /I 6 0 R >>", [
      [`<< /Type /XObject /Subtype /Image ${entries} /Length LENGTH >>`, bytes],
    ]),
  );

it("a scan in JPEG 2000 becomes a picture", async () => {
  const converted = await scanOf("/Width 24 /Height 16 /Filter /JPXDecode", jpeg2000);
  expect(isAsLargeAsPage(converted)).toBe(true);
  expect(await colourAt(converted, 0.25, 0.5)).toEqual([208, 64, 32]);
  expect(await colourAt(converted, 0.75, 0.5)).toEqual([32, 64, 208]);
});

it("a scan in JBIG2 becomes a picture", async () => {
  const entries = "/Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode";
  const converted = await scanOf(entries, jbig2);
  expect(isAsLargeAsPage(converted)).toBe(true);
  expect(await colourAt(converted, 0.5, 0.5)).toEqual([0, 0, 0]);
});
