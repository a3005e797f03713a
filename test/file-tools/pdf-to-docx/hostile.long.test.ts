import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { constants, createDeflate, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, it } from "vitest";
import { UnreadableFileError } from "../../../src/file-tools/engine.js";
import { Memory, withBoundedMemory } from "../../../src/file-tools/pdf-to-docx/bounded-memory.js";
import { pdfToDocx } from "../../../src/file-tools/pdf-to-docx/convert.js";
import { freshFolder, startOn } from "../../support/folder.js";
import { file } from "../../support/forms.js";
import { hasPeaks, peakMB } from "../../support/memory.js";
import { isLong, repetitions } from "../../support/repetitions.js";
import { upload } from "../../support/uploads.js";
import { convert, pageFrom, pdfFrom, pdfOf, picturesIn, prose } from "./documents.js";

const MB = 2 ** 20;
const hello = "BT /F 12 Tf 72 700 Td (Hello world) Tj ET";

async function refusal(pdf: Uint8Array): Promise<string> {
  const error: unknown = await pdfToDocx(pdf, {}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnreadableFileError);
  const { message } = error as UnreadableFileError;
  expect(message).toMatch(/^[a-z].*[^.]$/);
  return message;
}

/** Compresses megabytes of spaces, which are valid empty content, by a factor of a thousand. */
async function packed(megabytes: number): Promise<Buffer> {
  const spaces = Buffer.alloc(MB, 32);
  const deflate = createDeflate({ level: constants.Z_BEST_SPEED });
  const source = (function* () {
    for (let index = 0; index < megabytes; index++) yield spaces;
  })();
  const [out] = await Promise.all([
    buffer(deflate),
    new Promise<void>((resolve, reject) => {
      pipeline(source, deflate, (error) => (error ? reject(error) : resolve()));
    }),
  ]);
  return out;
}

const filtered = (filter: string, data: Uint8Array) =>
  pageFrom([`<< /Length LENGTH /Filter ${filter} >>`, data]);

it("refuses streams that unpack to too much, without using that much memory", async () => {
  const program = await startOn(freshFolder());
  const account = program.account("svc_test_bombs");
  const send = (pdf: Uint8Array) => upload(account, [file("file", pdf, "a.pdf")], "/v1/tools/pdf-to-docx");
  expect((await send(pageFrom(hello))).status).toBe(200);
  const before = peakMB(program);
  const bomb = await packed(170);
  for (const pdf of [
    ...(isLong ? [filtered("/FlateDecode", bomb)] : []),
    filtered("[/FlateDecode /FlateDecode]", deflateSync(bomb)),
    filtered("[/ASCIIHexDecode /Fl#61teDecode]", Buffer.from(`${bomb.toString("hex")}>`)),
  ])
    expect((await send(pdf)).body.error.message).toMatch(
      /"a.pdf": it unpacks to more than 512 MB, or a part of it to more than 128 MB; /,
    );
  // Garbage takes 100 MB on Node 20 and 180 on Node 24; a stream that is kept would add 160.
  if (hasPeaks) expect(peakMB(program) - before).toBeLessThan(240);
});

/** Run-length encoded spaces, each pair of bytes of which unpacks to 128. */
const runLengths = (megabytes: number): Buffer => Buffer.alloc((megabytes * MB) / 64, "8120", "hex");

/** Returns LZW codes. Each adds a space to the longest string until the table is full, then the longest one repeats. */
function lzw(megabytes: number): Buffer {
  const [clear, space, first, last] = [256, 32, 258, 4095];
  const growing = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const repeated = Array.from({ length: (megabytes * MB) / (last - first + 2) }, () => last);
  const codes = [clear, space, ...growing, ...repeated];
  const widths = codes.map((code) => (code < 511 ? 9 : code < 1023 ? 10 : code < 2047 ? 11 : 12));
  const bits = codes.map((code, at) => code.toString(2).padStart(widths[at] ?? 0, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const tooMuch = /^it unpacks to more than 512 MB, or a part of it to more than 128 MB; /;

it("refuses a small stream that unpacks to too much, whatever its filter", async () => {
  expect(await refusal(filtered("/LZWDecode", lzw(140)))).toMatch(tooMuch);
  expect(await refusal(filtered("/RunLengthDecode", runLengths(140)))).toMatch(tooMuch);
});

it("reads a page that is packed twice", async () => {
  const twice = deflateSync(deflateSync(Buffer.from(hello)));
  expect((await convert(filtered("[/FlateDecode /FlateDecode]", twice))).text).toContain("Hello world");
});

it("reads a page beside streams that unpack to too much and are used nowhere", async () => {
  const unused = ["<< /Length LENGTH /Filter /LZWDecode >>", lzw(140)] as const;
  expect((await convert(pageFrom(hello, "", [unused]))).text).toContain("Hello world");
});

const image = (width: number, height: number, filter = "/FlateDecode") =>
  `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter ${filter} /Length LENGTH >>`;
const painted = (dictionary: string, data: Uint8Array, times = 1): Uint8Array =>
  pageFrom("q 595 0 0 842 0 0 cm /I Do Q ".repeat(times), "/XObject << /I 6 0 R >>", [[dictionary, data]]);

it("refuses a picture that is too large according to the PDF or to its own header", async () => {
  const lostOrTooMuch = /^(?:it unpacks to more than 512 MB|the picture on page 1 cannot be decoded)/;
  const little = deflateSync(Buffer.alloc(100));
  expect(await refusal(painted(image(40_000, 40_000), little))).toMatch(lostOrTooMuch);
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  jpeg.writeUInt16BE(60_000, size);
  jpeg.writeUInt16BE(60_000, size + 2);
  expect(await refusal(painted(image(8, 8, "/DCTDecode"), jpeg))).toMatch(lostOrTooMuch);
  const jpeg2000 = Buffer.alloc(60);
  jpeg2000.write("ff4fff51", "hex");
  jpeg2000.writeUInt32BE(8_000, 8);
  jpeg2000.writeUInt32BE(5_000, 12);
  for (const components of [5, 16_384]) {
    jpeg2000.writeUInt16BE(components, 40);
    for (const data of [jpeg2000, Buffer.concat([Buffer.alloc(85, 1), jpeg2000])])
      expect(await refusal(painted(image(8, 8, "/JPXDecode"), data))).toMatch(lostOrTooMuch);
  }
});

it("refuses a page of pictures that are too large in total", async () => {
  // Each is decoded to its declared size, even if it has less data.
  const grey = deflateSync(Buffer.alloc(repetitions(100, 16 * MB)));
  const pictures = Array.from(
    { length: 12 },
    () => [image(4_000, 4_000).replace("RGB", "Gray"), grey] as const,
  );
  const names = pictures.map((_, index) => `/I${index} ${index + 6} 0 R`).join(" ");
  const paints = pictures.map((_, index) => `q 90 0 0 90 0 0 cm /I${index} Do Q`).join(" ");
  expect(await refusal(pageFrom(paints, `/XObject << ${names} >>`, pictures))).toMatch(tooMuch);
});

it("stores a picture once that is painted many times", async () => {
  const pixels = deflateSync(
    Buffer.from(Array.from({ length: 60 * 60 * 3 }, (_, index) => (index * 7919) % 251)),
  );
  const times = repetitions(40, 200);
  const converted = await convert(painted(image(60, 60), pixels, times));
  expect(picturesIn(converted)).toHaveLength(1);
  expect(converted.xml.match(/<w:drawing>/g)).toHaveLength(times);
});

it("refuses more than 500 pages", async () => {
  const numbers = Array.from({ length: 501 }, (_, index) => index + 3);
  const pdf = pdfFrom([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}] /Count 501 >>`,
    ...numbers.map(() => "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"),
  ]);
  expect(await refusal(pdf)).toBe("it has 501 pages, more than 500; send it in parts");
});

it("refuses only those encrypted PDFs that need a password", async () => {
  const secret = await pdfOf("Secret", { userPassword: "1234" });
  expect(await refusal(secret)).toBe("it needs a password; save it without one and send that");
  for (const version of ["1.3", "1.4", "1.7", "1.7ext3"]) {
    const open = await pdfOf(prose("Open"), { ownerPassword: "1234", version });
    expect(Buffer.from(open).toString("latin1")).toContain("/Encrypt ");
    expect((await convert(open)).text.trim()).toBe(prose("Open"));
  }
});

it("keeps the pictures of an encrypted PDF", async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const picture = { image: `data:image/png;base64,${png.toString("base64")}` };
  expect(picturesIn(await convert(await pdfOf([picture, "Text"], { ownerPassword: "1234" })))).toHaveLength(
    1,
  );
});

it.runIf(isLong)("refuses encrypted streams that unpack to too much", async () => {
  const spaces = " ".repeat(MB);
  const bomb = await pdfOf("Hello world", { ownerPassword: "1234" }, (page) => {
    for (let added = 0; added < 140; added++) page.addContent(spaces);
  });
  expect(await refusal(bomb)).toMatch(tooMuch);
});

it("bounds what the work takes in arrays and in WebAssembly, and nothing once it is done", async () => {
  const take = (...sizes: number[]) =>
    withBoundedMemory(async () => sizes.map((size) => new Uint8Array(size)));
  await expect(take(2 ** 38)).rejects.toThrow(/Invalid typed array length/);
  expect((await take(120 * MB, 10)).map(({ length }) => length)).toEqual([120 * MB, 10]);
  await expect(take(129 * MB)).rejects.toThrow(UnreadableFileError);
  await expect(take(...Array.from({ length: 8 }, () => 100 * MB))).rejects.toThrow(UnreadableFileError);
  const grown = withBoundedMemory(async () => new Memory({ initial: 1 }).grow((512 * MB) / 65_536));
  await expect(grown).rejects.toThrow(UnreadableFileError);
  const swallowed = withBoundedMemory(async () => {
    try {
      return new Uint8Array(129 * MB);
    } catch {
      return null;
    }
  });
  await expect(swallowed).rejects.toThrow(UnreadableFileError);
  expect(new Uint8Array(129 * MB)).toHaveLength(129 * MB);
  expect(new DecompressionStream("deflate")).toBeDefined();
});

const trailing = (entry: string): Uint8Array =>
  Buffer.from(Buffer.from(pageFrom(hello)).toString("latin1").replace("/Root", `${entry} /Root`), "latin1");

it("refuses a PDF whose encryption is incomplete", async () => {
  expect(await refusal(trailing("/Encrypt<< /Filter /Standard >>"))).toMatch(/^it is damaged/);
});

it.each([
  ["zero bytes", new Uint8Array(), /^it is empty/],
  ["text", new Uint8Array(Buffer.from("no PDF at all")), /^it is not a PDF/],
  ["a picture", new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")), /^it is not a PDF/],
  ["only the first line of a PDF", new Uint8Array(Buffer.from("%PDF-1.7\n")), /^it is cut short/],
  ["a PDF without pages", pdfFrom(["<< /Type /Catalog >>"]), /^it is damaged/],
  ["an empty page", pageFrom(""), /^it contains no readable text or pictures/],
  [
    "pages that contain themselves",
    pdfFrom(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 3 >>"]),
    /^it contains no readable text or pictures/,
  ],
])("refuses %s", async (_, pdf, reason) => {
  expect(await refusal(pdf)).toMatch(reason);
});

it("refuses a PDF that is cut off before its pages", async () => {
  const whole = await pdfOf(prose("Text"));
  expect(await refusal(whole.slice(0, 400))).toMatch(/^it is cut short|^it contains no readable text/);
});

it("refuses a scan that cannot be decoded, instead of leaving its page empty", async () => {
  const scan = painted(image(100, 100, "/JPXDecode"), Buffer.from("not decoded"));
  expect(await refusal(scan)).toMatch(/^the picture on page 1 cannot be decoded; /);
});

it.each([
  ["a form that paints itself", "/A Do", "/XObject << /A 6 0 R >>"],
  ["absurdly large numbers", "BT /F 99999999999999999999 Tf 1e300 0 0 1e300 1e300 1e300 Tm (Hi) Tj ET", ""],
  ["brackets that never close", `${"[".repeat(200_000)}${"<<".repeat(1000)}`, ""],
])("reads the text next to %s", async (_, content, resources) => {
  const form =
    "<< /Type /XObject /Subtype /Form /BBox [0 0 10 10] /Resources << /XObject << /A 6 0 R >> >> /Length LENGTH >>";
  const { text } = await convert(pageFrom(`${hello} ${content}`, resources, [[form, "/A Do"]]));
  expect(text).toContain("Hello world");
});

it("removes characters that XML does not allow", async () => {
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>";
  const meanings = ["<61> <0001>", "<62> <FFFF>", "<63> <D800>", "<64> <000B>"].map(
    (one) => `1 beginbfchar ${one} endbfchar`,
  );
  const { text } = await convert(
    pageFrom("BT /G 12 Tf 72 700 Td (H a b c d <w:p> & H) Tj ET", "", [
      font,
      ["<< /Length LENGTH >>", meanings.join("\n")],
    ]),
  );
  expect(text).toMatch(/^H.*<w:p> & H\s*$/);
});

it("either converts or refuses a damaged PDF", async () => {
  const whole = await pdfOf([prose("Text"), { ul: ["One", "Two"] }]);
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < repetitions(8, 30); round++) {
    const damaged = Uint8Array.from(round % 2 ? whole : whole.slice(0, next(whole.length)));
    for (let times = 0; times < 20 && damaged.length > 0; times++) damaged[next(damaged.length)] = next(256);
    const result = await pdfToDocx(damaged, {}).catch((reason: unknown) => reason);
    expect(
      result instanceof Uint8Array || result instanceof UnreadableFileError,
      String((result as Error).stack),
    ).toBe(true);
  }
});
