/** What all file tools do over HTTP: the file that is returned, its price, and the refusals of files. */
import { unzipSync } from "fflate";
import mammoth from "mammoth";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { formatAttachment } from "../../src/server/reply.js";
import { pngOf } from "../support/forms.js";
import { bomb, pngOfSize } from "../support/pictures.js";
import { gradient, mug, overlap } from "../support/product-photos.js";
import { call, read, useSandbox } from "../support/sandbox.js";
import { sendToTool } from "../support/uploads.js";
import { coverOf, encodeId3 } from "./audio/id3.js";
import { convert as convertAudio, names, probe, wav } from "./audio/tones.js";
import { decode } from "./background/decode.js";
import { docxOf, line, textOf } from "./docx-to-pdf/documents.js";
import { pdfOf, prose } from "./pdf-to-docx/documents.js";
import { photo as drawing, logo } from "./store-assets/client.js";

const sandbox = useSandbox();

const MB = 1024 * 1024;
const docxStart = Buffer.from("PK\x03\x04\x14\0\0\0\0\0", "latin1");
/** For each tool: the maximum size of a file, its usual fields, and the first bytes of a file that it accepts. */
const tools = {
  "pdf-to-docx": { limit: 20 * MB, fields: {}, start: Buffer.from("%PDF-1.7\n") },
  "docx-to-pdf": { limit: 20 * MB, fields: {}, start: docxStart },
  "audio-convert": { limit: 50 * MB, fields: { target_format: "wav" }, start: Buffer.from("fLaC") },
  "remove-background": { limit: 15 * MB, fields: {}, start: pngOf(100) },
  "store-assets": { limit: 15 * MB, fields: { kind: "splash", platform: "ios" }, start: pngOf(100) },
} as const;
type Tool = keyof typeof tools;
const toolNames = Object.keys(tools) as Tool[];

const mediaTypes = {
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pdf: "application/pdf",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  aac: "audio/aac",
  flac: "audio/flac",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  png: "image/png",
  zip: "application/zip",
} as const;

interface Upload {
  name?: string;
  fields?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
}

/** Sends a file from a new account. Returns the reply and what it has cost. */
async function send(tool: Tool, file: Uint8Array | Blob, { name = "upload.bin", ...request }: Upload = {}) {
  const account = sandbox.account();
  const balance = async () => (await call(account, "GET", "/v1/balance")).body.balance;
  const before = await balance();
  const response = await sendToTool(account, tool, file, name, { fields: tools[tool].fields, ...request });
  const { status, headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status, headers, bytes, cost: before - (await balance()) };
}

/** Expects the tool to make a file of this format with the upload's name, and the same one again. Returns its bytes. */
async function converted(
  tool: Tool,
  file: Uint8Array,
  format: keyof typeof mediaTypes,
  { name = "upload.bin", ...request }: Upload = {},
): Promise<Uint8Array> {
  const { status, headers, bytes, cost } = await send(tool, file, { name, ...request });
  expect([status, cost]).toEqual([200, tool === "store-assets" ? 10 : 0]);
  expect(headers.get("content-type")).toBe(mediaTypes[format]);
  const made = `${name.slice(0, name.lastIndexOf("."))}.${format}`;
  expect(headers.get("content-disposition")).toBe(formatAttachment(made));
  expect(Buffer.compare((await send(tool, file, { name, ...request })).bytes, bytes)).toBe(0);
  return bytes;
}

const [report, pdf] = [await pdfOf(prose("Report")), await pdfOf("Text")];
const pdfBehind = (bytes: number): Buffer => Buffer.concat([Buffer.alloc(bytes, "From: Ada\r\n"), pdf]);

describe("a file is returned under the upload's name, at the tool's price, and always the same:", () => {
  it.each([
    ["a PDF", "annual report.v2.pdf", report, prose("Report")],
    ["a PDF by any name", "photo.jpg", pdf, "Text"],
    ["a PDF whose header is within the first 1,024 bytes", "mail.pdf", pdfBehind(1_019), "Text"],
  ])("pdf-to-docx makes a DOCX of %s", async (_what, name, file, words) => {
    const buffer = Buffer.from(await converted("pdf-to-docx", file, "docx", { name }));
    expect((await mammoth.extractRawText({ buffer })).value.trim()).toBe(words);
  });

  it("docx-to-pdf makes a PDF of a DOCX", async () => {
    const words = "Ọ̀ṣun pays ₦5,000";
    const made = await converted("docx-to-pdf", await docxOf([line(words)]), "pdf", {
      name: "Ìwé àdéhùn.v2.docx",
    });
    expect((await textOf(made)).normalize("NFC")).toBe(words.normalize("NFC"));
  });

  const expectVoice = async (bytes: Uint8Array) =>
    expect(Math.abs((await probe(bytes)).seconds - 0.2)).toBeLessThan(0.05);
  const voice = wav({ seconds: 0.2 });

  it.each(names)("audio-convert makes sound in %s, and reads it again by any name", async (target) => {
    const fields = { target_format: target };
    const made = await converted("audio-convert", voice, target, { name: "voice.wav", fields });
    await expectVoice(made);
    const again = await converted("audio-convert", made, "wav", { name: "song.mp3" });
    expect((await probe(again)).format).toBe("WAVE");
    await expectVoice(again);
  });

  it("audio-convert reads an MP3 that starts with other bytes", async () => {
    const mp3 = Buffer.concat([Buffer.alloc(700, 3), await convertAudio(voice, "mp3")]);
    await expectVoice(await converted("audio-convert", mp3, "wav", { name: "radio.mp3" }));
  });

  it("audio-convert keeps a cover of three megabytes", async () => {
    const id3 = await encodeId3({ title: "Loud", images: coverOf(3_000_000) });
    const mp3 = Buffer.concat([id3, await convertAudio(voice, "mp3")]);
    const fields = { target_format: "flac" };
    const { tags } = await probe(await converted("audio-convert", mp3, "flac", { name: "loud.mp3", fields }));
    expect([tags.title, tags.images?.[0]?.data.length]).toEqual(["Loud", 3_000_000]);
  });

  it("store-assets makes a zip of a PNG", async () => {
    const zip = await converted("store-assets", await logo.clone().png().toBuffer(), "zip", {
      name: "logo.png",
    });
    expect(Object.keys(unzipSync(zip))).toEqual(["ios/splash/splash-2732x2732.png"]);
  });
});

const photo = await mug({ scale: 0.2, ground: gradient("#f4f6f8", "#c9ced6") });

describe("remove-background makes a transparent PNG", () => {
  async function expectMug(file: Uint8Array): Promise<void> {
    const png = await converted("remove-background", file, "png", { name: "mug.jpg" });
    const { width, height, alpha } = await decode(png);
    expect({ width, height }).toEqual({ width: 180, height: 140 });
    expect((await sharp(png).metadata()).orientation ?? 1).toBe(1);
    expect(overlap(alpha, photo)).toBeGreaterThan(0.98);
  }

  it.each(["jpeg", "png", "webp"] as const)("of a %s", async (format) => {
    await expectMug(await sharp(photo.file).toFormat(format).toBuffer());
  });

  it("of a photo that lies on its side, turned upright according to its EXIF orientation", async () => {
    const lying = await sharp(photo.file)
      .rotate(-90)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { width, height } = await sharp(lying).metadata();
    expect({ width, height }).toEqual({ width: 140, height: 180 });
    await expectMug(lying);
  });
});

describe("the price of store assets", () => {
  it("is nothing with the monthly tools pass", async () => {
    const account = sandbox.account();
    await account.update({ tools_pass: true, balance: 0 });
    const { fields } = tools["store-assets"];
    const response = await sendToTool(account, "store-assets", pngOf(100), "logo.png", { fields });
    await response.arrayBuffer();
    expect([response.status, (await account.update({})).balance]).toEqual([200, 0]);
  });

  it("is refused if the balance is insufficient", async () => {
    const account = sandbox.account();
    await account.update({ balance: 9 });
    const { fields } = tools["store-assets"];
    const reply = await read(await sendToTool(account, "store-assets", pngOf(100), "logo.png", { fields }));
    expect([reply.status, reply.body.error.code]).toEqual([402, "insufficient_balance"]);
    expect((await account.update({})).balance).toBe(9);
  });
});

/** Expects the file to be refused free of charge. Returns the refusal with the field that it names. */
async function refusal(tool: Tool, file: Uint8Array | Blob, upload: Upload = {}): Promise<string> {
  const { status, bytes, cost } = await send(tool, file, upload);
  expect(cost).toBe(0);
  const { code, param, message } = JSON.parse(Buffer.from(bytes).toString()).error;
  return `${status} ${code}, ${param}: ${message}`;
}

const zeros = new Blob([new Uint8Array(50 * MB)]);
/** Returns a file of this size. The bytes of the zeros are not copied. */
const ofSize = (tool: Tool, bytes: number): Blob =>
  new Blob([tools[tool].start, zeros.slice(0, bytes - tools[tool].start.length)]);

describe.each(toolNames)("%s refuses free of charge", (tool) => {
  const { limit } = tools[tool];

  it("a file one byte above the limit, and names the limit", async () => {
    expect(await refusal(tool, ofSize(tool, limit + 1))).toBe(
      `413 file_too_large, file: file may have at most ${limit} bytes (${limit / MB} MB).`,
    );
  });

  it("a file of zero bytes", async () => {
    expect(await refusal(tool, Buffer.alloc(0))).toMatch(/^400 validation_error, file: file is empty/);
  });

  it("a file that ends after its first bytes", async () => {
    const isPicture = tool === "remove-background" || tool === "store-assets";
    const start = isPicture ? pngOfSize(900, 900).subarray(0, 60) : ofSize(tool, 300);
    expect(await refusal(tool, start)).toMatch(
      /^(422 file_unreadable, file: "upload\.bin": |415 unsupported_media_type, file: ).*\.$/,
    );
  });

  it("an unreadable file of exactly the maximum size, for its content alone", async () => {
    const headers = { "X-Sandbox-Outcome": "unreadable" };
    expect(await refusal(tool, ofSize(tool, limit), { headers })).toBe(
      "422 file_unreadable, file: The file cannot be read: the outcome unreadable was requested.",
    );
  });
});

/** Returns the bytes, which are followed by zeros. */
const longer = (start: Uint8Array): Buffer => Buffer.concat([start, Buffer.alloc(600)]);

it.each<[Tool, string, Uint8Array, string]>([
  ...toolNames.map((tool): [Tool, string, Buffer, string] => [
    tool,
    "a GIF",
    Buffer.from("GIF89a, a picture of long ago"),
    "image/gif",
  ]),
  [
    "docx-to-pdf",
    "an old Word file",
    longer(Buffer.from("d0cf11e0a1b11ae1", "hex")),
    "an old Office file such as .doc, or one that a password protects",
  ],
  ["docx-to-pdf", "a PDF", longer(Buffer.from("%PDF-1.7\n")), "application/pdf"],
  ["docx-to-pdf", "text", longer(Buffer.from("Dear Sir or Madam")), "none of these"],
  ["pdf-to-docx", "a zip archive", Buffer.from("PK\x03\x04 no PDF"), "application/zip"],
  ["pdf-to-docx", "a PDF whose header is behind 1,024 bytes", pdfBehind(1_024), "none of these"],
  ["audio-convert", "an AIFF", longer(Buffer.from("FORM\0\0\x10\0AIFFCOMM")), "audio/aiff"],
  ["store-assets", "a WebP", await logo.clone().webp().toBuffer(), "image/webp"],
])("%s refuses %s with the type that its bytes show", async (tool, _what, file, shown) => {
  const [status, message = ""] = (await refusal(tool, file)).split(" must be ");
  expect(status).toBe("415 unsupported_media_type, file: file");
  expect(message.split("; its bytes show ")[1]).toBe(`${shown}.`);
});

const wholeDocx = await docxOf([line("text")]);
const wholePng = await drawing.clone().png().toBuffer();
const hugePng = bomb("PNG");
const tooLarge = "it has more than 50 megapixels; send a smaller picture.";

it.each<[Tool, string, Uint8Array, string | RegExp]>([
  [
    "docx-to-pdf",
    "cut-off.docx",
    wholeDocx.slice(0, -100),
    "the file is cut off or damaged: its zip directory is missing; send the whole DOCX.",
  ],
  [
    "pdf-to-docx",
    "secret.pdf",
    await pdfOf("Secret", { userPassword: "1234" }),
    "it needs a password; save it without one and send that.",
  ],
  [
    "audio-convert",
    "cut-off.wav",
    wav().subarray(0, 40_000),
    /^its header declares .* it is cut off; send the whole file\.$/,
  ],
  ["remove-background", "cut-off.jpg", photo.file.subarray(0, 40_000), /cut off or damaged; send the whole/],
  [
    "store-assets",
    "cut-off.png",
    wholePng.subarray(0, wholePng.length / 2),
    /cut off or damaged; send the whole/,
  ],
  ["remove-background", "51-megapixels.png", pngOfSize(8_500, 6_000), tooLarge],
  ["remove-background", "900-megapixels.png", hugePng, tooLarge],
  ["store-assets", "900-megapixels.png", hugePng, tooLarge],
])(
  "%s refuses the small file %s free of charge, by its name and the reason",
  async (tool, name, file, reason) => {
    expect(file.length).toBeLessThan(MB);
    const [refused, message] = (await refusal(tool, file, { name })).split(/(?<="): /);
    expect(refused).toBe(`422 file_unreadable, file: "${name}"`);
    expect(message).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
  },
);

it.each<[Tool, string, Record<string, string>]>([
  ["audio-convert", "target_format", { target_format: "midi" }],
  ["store-assets", "kind", { kind: "banner", platform: "ios" }],
  ["store-assets", "platform", { kind: "icon" }],
])("%s refuses a wrong or missing field free of charge: %s", async (tool, param, fields) => {
  expect(await refusal(tool, ofSize(tool, 300), { fields })).toMatch(new RegExp(`^400 \\w+, ${param}: `));
});
