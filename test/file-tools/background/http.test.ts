import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { pngOfSize } from "../../support/pictures.js";
import { gradient, mug, overlap } from "../../support/product-photos.js";
import { call, read, useSandbox } from "../../support/sandbox.js";
import { sendToTool } from "../../support/uploads.js";
import { decode } from "./decode.js";

const sandbox = useSandbox();
const photo = await mug({ scale: 0.2, ground: gradient("#f4f6f8", "#c9ced6") });

const send = (file: Uint8Array, filename = "mug.jpg") =>
  sendToTool(sandbox.account(), "remove-background", file, filename);

describe("over HTTP", () => {
  it.each(["jpeg", "png", "webp"] as const)(
    "returns a transparent PNG for a %s, free of charge",
    async (format) => {
      const account = sandbox.account();
      const before = (await call(account, "GET", "/v1/balance")).body;
      const file = await sharp(photo.file).toFormat(format).toBuffer();
      const response = await sendToTool(account, "remove-background", file, `mug.${format}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(response.headers.get("content-disposition")).toContain("mug.png");
      const { width, height, alpha } = await decode(new Uint8Array(await response.arrayBuffer()));
      expect({ width, height }).toEqual({ width: 180, height: 140 });
      expect(overlap(alpha, photo)).toBeGreaterThan(0.98);
      expect((await call(account, "GET", "/v1/balance")).body).toEqual(before);
    },
  );

  it("turns a photo upright according to its EXIF orientation", async () => {
    const lying = await sharp(photo.file)
      .rotate(-90)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const shown = await sharp(lying).metadata();
    expect([shown.width, shown.height]).toEqual([140, 180]);
    const response = await send(lying);
    const png = new Uint8Array(await response.arrayBuffer());
    const { width, height, alpha } = await decode(png);
    expect({ width, height }).toEqual({ width: 180, height: 140 });
    expect((await sharp(png).metadata()).orientation ?? 1).toBe(1);
    expect(overlap(alpha, photo)).toBeGreaterThan(0.98);
  });

  it.each([
    ["has 51 megapixels", () => pngOfSize(8_500, 6_000), /more than 50 megapixels; send a smaller picture/],
    ["is cut off", () => photo.file.subarray(0, 40_000), /cut off or damaged; send the whole/],
  ])("refuses a picture that %s with file_unreadable", async (_, make, message) => {
    const reply = await read(await send(make()));
    expect(reply.status).toBe(422);
    expect(reply.body.error).toMatchObject({ code: "file_unreadable", param: "file" });
    expect(reply.body.error.message).toMatch(message);
  });
});
