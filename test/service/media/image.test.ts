import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { Random } from "../../../src/time/random.js";
import { file, formOf, formType, png } from "../../support/forms.js";
import { bomb, bombs, chunk, pngOfSize } from "../../support/pictures.js";
import { call, type Reply, read, useSandbox } from "../../support/sandbox.js";
import { upload } from "../../support/uploads.js";
import { costOf, getBalance } from "../account/calls.js";

const sandbox = useSandbox();
const path = "/v1/media-scan/image";

const scan = (
  content: Uint8Array,
  name = "photo.jpg",
  account: SandboxAccount = sandbox.account(),
): Promise<Reply> => upload(account, [file("file", content, name)], path);

/** Draws a darkening sky with reproducible noise of up to `noise` per pixel. */
function picture(width: number, height: number, noise: number, channels: 3 | 4 = 3): Sharp {
  const random = Random.seeded("picture");
  const pixels = Buffer.alloc(width * height * channels, 255);
  for (let at = 0; at < width * height; at++) {
    const grey =
      60 + Math.floor((at / width / height) * 100) + Math.round((random.fraction() - 0.5) * 2 * noise);
    for (let channel = 0; channel < 3; channel++) pixels[at * channels + channel] = grey + channel * 20;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Returns a PNG with a text chunk after its header. */
const withText = (image: Buffer, keyword: string, text: string): Buffer =>
  Buffer.concat([
    image.subarray(0, 33),
    chunk("tEXt", Buffer.from(`${keyword}\0${text}`, "latin1")),
    image.subarray(33),
  ]);

const camera = { IFD0: { Make: "Canon", Model: "EOS R6" } };
let photo: Buffer;
let smooth: Buffer;
beforeAll(async () => {
  photo = await picture(1200, 800, 25).withExif(camera).jpeg({ quality: 92 }).toBuffer();
  smooth = await picture(1024, 1024, 0).png().toBuffer();
});

const titlesOf = ({ body }: Reply): string[] => body.signals.map(({ title }: { title: string }) => title);

describe("an image scan", () => {
  test("has only the fields of an image scan", async () => {
    const { status, body } = await scan(photo);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^scn_/),
      media_type: "image",
      status: "completed",
      verdict: "likely_authentic",
      signals: expect.any(Array),
      signal_count: body.signals.length,
      classifier_model: expect.stringMatching(/./),
      cost: 0,
      is_test: true,
      created_at: expect.any(String),
    });
    for (const signal of body.signals) {
      expect(Object.keys(signal).sort()).toEqual(["category", "detail", "measured", "severity", "title"]);
      expect(signal.measured).not.toBe("");
    }
  });

  test("is free for an account's first image, and NGN 200 for each further one", async () => {
    const account = sandbox.account();
    const costs = [];
    for (const image of [photo, smooth, photo])
      costs.push(await costOf(account, (on) => scan(image, "a.jpg", on)));
    expect(costs).toEqual([0, 200, 200]);
    expect((await scan(photo)).body.cost).toBe(0);
  });
});

describe("the verdict on an image", () => {
  test("with camera data and sensor noise is likely_authentic", async () => {
    const reply = await scan(photo);
    expect(reply.body.verdict).toBe("likely_authentic");
    expect(titlesOf(reply)).toEqual(["Camera data", "Sensor noise"]);
    expect(reply.body.signals[0].measured).toBe("Canon EOS R6");
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe("authentic; by=default");
  });

  test.each([
    ["parameters", "a goat\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Model: v1-5"],
    ["parameters", "made with Stable Diffusion XL"],
    ["Software", "Midjourney v6"],
    ["Source", "DALL-E 3"],
  ])("that is smooth and whose text chunk %s is %j is likely_ai", async (keyword, text) => {
    const reply = await scan(withText(smooth, keyword, text), "goat.png");
    expect(reply.body.verdict).toBe("likely_ai");
    expect(titlesOf(reply)).toEqual(
      expect.arrayContaining(["AI generator declared", "Size typical of generators", "Unusually smooth"]),
    );
  });

  test("saved by an editor is likely_edited", async () => {
    const exif = { IFD0: { ...camera.IFD0, Software: "Adobe Photoshop 25.1" } };
    const reply = await scan(await picture(1200, 800, 25).withExif(exif).jpeg({ quality: 92 }).toBuffer());
    expect(reply.body.verdict).toBe("likely_edited");
    const saved = reply.body.signals.find(({ title }: { title: string }) => title === "Saved by an editor");
    expect(saved.measured).toBe("Adobe Photoshop 25.1");
  });

  test("has a sign of editing for a heavily compressed JPEG, but not for a PNG", async () => {
    const image = picture(1200, 800, 0);
    const [jpeg, lossless] = await Promise.all(
      [image.clone().jpeg({ quality: 20 }), image.clone().png()].map((made) => made.toBuffer()),
    );
    expect(titlesOf(await scan(jpeg as Buffer))).toContain("Heavy compression");
    expect(titlesOf(await scan(lossless as Buffer))).not.toContain("Heavy compression");
  });

  test("without metadata, neither smooth nor noisy, is inconclusive", async () => {
    const { body } = await scan(await picture(1200, 800, 3).png().toBuffer());
    expect(body.verdict).toBe("inconclusive");
  });

  test("does not depend on transparency or colour depth", async () => {
    const measured = async (image: Sharp) =>
      titlesOf(await scan(await image.toBuffer(), "image.png")).filter((title) => title !== "No camera data");
    expect(await measured(picture(600, 400, 0, 4).png())).toEqual(["Unusually smooth"]);
    expect(await measured(picture(600, 400, 0).toColourspace("rgb16").png())).toEqual(["Unusually smooth"]);
    expect(await measured(picture(600, 400, 25, 4).png())).toEqual(["Sensor noise"]);
  });
});

describe("the formats of an image", () => {
  test.each(["webp", "gif", "avif", "png"] as const)("%s is accepted", async (format) => {
    const { status, body } = await scan(await picture(300, 200, 20).toFormat(format).toBuffer(), "image");
    expect([status, body.media_type]).toEqual([201, "image"]);
  });

  const heic = Buffer.concat([Buffer.from("00000018667479706865696300000000", "hex"), Buffer.alloc(500, 7)]);
  const bmp = Buffer.concat([Buffer.from("BM"), Buffer.alloc(500, 7)]);
  test.each<[string, () => Uint8Array]>([
    ["a HEIC that cannot be decoded", () => heic],
    ["a BMP that cannot be decoded", () => bmp],
    ["a JPEG of which half is missing", () => photo.subarray(0, photo.length / 2)],
    ["a JPEG that ends in its header", () => photo.subarray(0, 150)],
    ["a JPEG whose EXIF is damaged", () => Buffer.from(photo).fill(0xee, 30, 120)],
    ["a PNG of which half is missing", () => smooth.subarray(0, smooth.length / 2)],
    ["a PNG whose pixels are damaged", () => Buffer.from(smooth).fill(0x55, 60, 900)],
    ["a PNG that promises nothing", () => pngOfSize(0, 0)],
    ["a picture of one pixel", () => png],
    ["a picture of 1 × 5000 pixels", () => pngOfSize(1, 5000)],
    ["a first byte of a JPEG and rubbish", () => Buffer.from("ffd8ffe0aabb".repeat(30), "hex")],
  ])("%s is measured as far as possible", async (_what, make) => {
    const { status, body } = await scan(make());
    expect(status).toBe(201);
    expect(body.verdict).not.toBe("likely_edited");
  });

  test.each<[string, Uint8Array]>([
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')],
    ["text", Buffer.from("This is no picture. ".repeat(20))],
    ["a PDF", Buffer.from("%PDF-1.7\n1 0 obj\n")],
  ])("%s named photo.png is refused with 415 and does not use the free scan", async (_what, content) => {
    const account = sandbox.account();
    const { status, body } = await scan(content, "photo.png", account);
    expect([status, body.error.code, body.error.param]).toEqual([415, "unsupported_media_type", "file"]);
    expect((await scan(photo, "photo.jpg", account)).body.cost).toBe(0);
  });

  test.each(Object.keys(bombs) as (keyof typeof bombs)[])(
    "a %s that unpacks to gigabytes is refused",
    async (kind) => {
      const { status, body } = await scan(bomb(kind));
      expect([status, body.error.code, body.error.param]).toEqual([413, "file_too_large", "file"]);
      expect(body.error.message).toContain(`${bombs[kind].width} × ${bombs[kind].height}`);
    },
  );

  test("a file of more than 15 MB is refused, and a missing one is named", async () => {
    const large = Buffer.concat([png, Buffer.alloc(15 * 1024 * 1024)]);
    expect((await scan(large)).body.error.code).toBe("file_too_large");
    const { status, body } = await upload(sandbox.account(), [file("photo", png)], path);
    expect([status, body.error.code, body.error.param]).toEqual([400, "unknown_field", "photo"]);
    expect(body.error.message).toContain("files are accepted in: file");
  });
});

describe("the outcome of an image scan", () => {
  test.each([
    ["likely_ai", 201, "likely_ai"],
    ["inconclusive", 201, "inconclusive"],
    ["authentic", 201, "likely_authentic"],
    ["provider_down", 503, undefined],
    ["timeout", 504, undefined],
  ])("is selected by the word %s in its file name", async (word, status, verdict) => {
    const account = sandbox.account();
    const before = await getBalance(account);
    const reply = await scan(
      word === "authentic" ? smooth : photo,
      `My-${word.toUpperCase()}-photo.jpg`,
      account,
    );
    expect([reply.status, reply.body.verdict]).toEqual([status, verdict]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toContain("by=test-value");
    expect(await getBalance(account)).toEqual(before);
    expect((await call(account, "GET", "/v1/media-scan")).body).toHaveLength(status === 201 ? 1 : 0);
  });

  test("by header takes precedence over the file name", async () => {
    const form = {
      method: "POST",
      headers: { "Content-Type": formType, "X-Sandbox-Outcome": "likely_edited" },
      body: new Uint8Array(formOf([file("file", photo, "likely_ai.jpg")])),
    };
    const { body, headers } = await read(await sandbox.account().fetch(path, form));
    expect(headers.get("X-Sandbox-Outcome")).toBe("likely_edited; by=header");
    expect(body.verdict).toBe("likely_edited");
    expect(body.signals[0]).toMatchObject({ category: "classifier", severity: "strong" });
  });
});
