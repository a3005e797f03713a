import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PictureHeader } from "../../src/server/picture.js";
import { file } from "../support/forms.js";
import {
  bomb,
  bombs,
  chunk,
  exif,
  extendedWebpOfSize,
  jpegOfSize,
  lossyWebpOfSize,
  pngOfSize,
  segment,
  webpOfSize,
} from "../support/pictures.js";
import { propertyRuns } from "../support/repetitions.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { beginUpload, upload } from "../support/uploads.js";

const sandbox = useListeningSandbox();
const megapixels = 1_000_000;
const kinds = Object.keys(bombs) as (keyof typeof bombs)[];
const appleChunk = chunk("CgBI", Buffer.from([0x50, 0, 0x20, 2]));
const sizeless = "file is a picture whose header shows no width and height: it is cut off or damaged.";

const refused = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, param: "file", message } },
});
const tooMany = (width: number, height: number) => {
  const message = `file is ${width} × ${height} pixels; it may have at most 200000000 pixels (200 megapixels).`;
  return refused(413, "file_too_large", message);
};

const uploadPhoto = (photo: Uint8Array) => upload(sandbox.account(), [file("file", photo)]);

describe("size in pixels", () => {
  const limit = [
    ["PNG", 20_000, 10_000, pngOfSize],
    ["PNG made for iPhones", 20_000, 10_000, (width, height) => pngOfSize(width, height, appleChunk)],
    ["JPEG", 20_000, 10_000, jpegOfSize],
    ["WebP", 15_625, 12_800, webpOfSize],
    ["WebP that declares a profile", 15_625, 12_800, extendedWebpOfSize],
    ["lossy WebP", 15_625, 12_800, lossyWebpOfSize],
  ] as const satisfies readonly [string, number, number, (width: number, height: number) => Buffer][];

  test.each(limit)("a %s of exactly 200 megapixels is accepted", async (_kind, width, height, make) => {
    expect(width * height).toBe(200 * megapixels);
    expect((await uploadPhoto(make(width, height))).status).toBe(200);
  });

  test.each(limit)("a %s with one more row is refused", async (_kind, width, height, make) => {
    expect(await uploadPhoto(make(width, height + 1))).toMatchObject(tooMany(width, height + 1));
  });

  test.each(kinds)("a %s that would unpack to gigabytes is refused during the upload", async (kind) => {
    const { width, height } = bombs[kind];
    const { sendChunk, reply, hangUp } = await beginUpload(sandbox.account());
    await sendChunk(bomb(kind));
    await sendChunk(Buffer.alloc(1024));
    const { status, body } = await reply();
    expect({ status, body: JSON.parse(body) }).toMatchObject(tooMany(width, height));
    await hangUp();
  });

  test("an address document has the same limit, except a PDF", async () => {
    const path = "/v1/verify/address/ver_unknown/document";
    const send = (content: Uint8Array) => upload(sandbox.account(), [file("file", content)], path);
    expect(await send(bomb("PNG"))).toMatchObject(tooMany(30_000, 30_000));
    expect(await send(Buffer.from("%PDF-1.7\n"))).toMatchObject({ status: 404 });
  });
});

describe("data before the dimensions of a JPEG", () => {
  const profile = Buffer.concat(Array.from({ length: 9 }, () => segment(0xe2, Buffer.alloc(65_533))));
  test.each([
    ["100 KB of EXIF", exif(100 * 1024)],
    ["a colour profile of half a megabyte", profile],
    ["4 MB of depth map", exif(4 * 1024 * 1024)],
    ["padding between its segments", Buffer.from([0, 0, 0xff, 0xff])],
  ])("%s neither hides them nor is mistaken for them", async (_what, before) => {
    expect((await uploadPhoto(jpegOfSize(20_000, 10_000, before))).status).toBe(200);
    const reply = await uploadPhoto(jpegOfSize(20_000, 10_001, before));
    expect(reply).toMatchObject(tooMany(20_000, 10_001));
  });
});

describe("a header without dimensions", () => {
  const jpegStart = Buffer.from([0xff, 0xd8]);
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
  const withByte = (picture: Buffer, at: number, byte: number) => {
    picture[at] = byte;
    return picture;
  };
  test.each([
    ["PNG without pixels", pngOfSize(0, 0)],
    ["PNG with a different chunk instead of its header", withByte(pngOfSize(1, 1), 12, 0x69)],
    ["JPEG without a height", jpegOfSize(10, 0)],
    ["JPEG that is truncated before its frame", jpegOfSize(10, 10, exif(5_000)).subarray(0, 5_000)],
    ["JPEG that ends before its frame", Buffer.concat([jpegStart, segment(0xff, Buffer.alloc(60))])],
    ["JPEG with a scan but no frame", Buffer.concat([jpegStart, scan, Buffer.alloc(60)])],
    ["JPEG with a segment shorter than its own length", withByte(jpegOfSize(1, 1), 5, 1)],
    ["WebP that is truncated", webpOfSize(10, 10).subarray(0, 21)],
    ["WebP with another header", withByte(extendedWebpOfSize(10, 10), 15, 0x59)],
    ["extended WebP with reserved bits set", withByte(extendedWebpOfSize(10, 10), 20, 0xff)],
  ])("of a %s is refused", async (_what, photo) => {
    expect(await uploadPhoto(photo)).toMatchObject(refused(415, "unsupported_media_type", sizeless));
  });

  test("is refused during the upload", async () => {
    const { sendChunk, reply, hangUp } = await beginUpload(sandbox.account());
    await sendChunk(pngOfSize(0, 0));
    expect((await reply()).status).toBe(415);
    await hangUp();
  });
});

test("a damaged header gives the same result however it is split into chunks, and never throws", () => {
  const type = fc.constantFrom("image/png", "image/jpeg", "image/webp");
  const makers = [pngOfSize, jpegOfSize, webpOfSize, extendedWebpOfSize, lossyWebpOfSize];
  const whole = fc.constantFrom(...makers.map((make) => make(20, 10)), jpegOfSize(20, 10, exif(500)));
  const damage = fc.array(fc.record({ at: fc.nat(80), byte: fc.nat(255) }), { maxLength: 6 });
  const judge = (bytes: Buffer, piece: number, type: string) => {
    const header = new PictureHeader("file", 200 * megapixels);
    for (let at = 0; at < bytes.length; at += piece) {
      const wrong = header.take(bytes.subarray(at, at + piece));
      if (wrong) return wrong.message;
    }
    return header.end(type)?.message;
  };
  fc.assert(
    fc.property(whole, damage, fc.nat(1_000), fc.integer({ min: 1, max: 100 }), type, (...drawn) => {
      const [picture, changes, length, piece, type] = drawn;
      const bytes = Buffer.from(picture.subarray(0, length));
      for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
      expect(judge(bytes, piece, type)).toBe(judge(bytes, 1_000, type));
    }),
    propertyRuns(300, 10_000),
  );
});
