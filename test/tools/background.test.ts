import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { remover } from "../../src/tools/background/remove.js";
import { Unreadable } from "../../src/tools/engine.js";
import { bomb, pngOfSize } from "../support/pictures.js";
import {
  bottle,
  even,
  gradient,
  handleHole,
  heldBox,
  meanError,
  mug,
  overlap,
  type ProductPhoto,
  paleBox,
  person,
  shadow,
  strands,
  vignette,
  whiteShoe,
} from "../support/product-photos.js";
import { call, read, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
/** The built-in algorithm, whatever is installed beside it. */
const cutOut = remover(async () => null);

interface Cut {
  width: number;
  height: number;
  /** Red, green, blue and alpha. */
  data: Buffer;
  alpha: Buffer;
}

async function decode(png: Uint8Array): Promise<Cut> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4);
  const alpha = Buffer.from(
    Array.from({ length: info.width * info.height }, (_, at) => data[at * 4 + 3] ?? 0),
  );
  return { width: info.width, height: info.height, data, alpha };
}

const cut = async ({ file }: ProductPhoto): Promise<Cut> => decode(await cutOut(file, {}));

const wall = gradient("#f4f6f8", "#c9ced6");
const photos: readonly (readonly [string, () => Promise<ProductPhoto>, number, number])[] = [
  ["a mug on plain white", () => mug({ ground: even("#ffffff") }), 0.001, 0.997],
  [
    "a mug before a gradient, with its shadow",
    () => mug({ ground: wall + shadow(440, 575, 230, 26) }),
    0.003,
    0.99,
  ],
  ["a mug in a vignette", () => mug({ ground: vignette("#f2f2f0", "#8f9092") }), 0.002, 0.995],
  ["a mug on a dark ground", () => mug({ ground: even("#1f2937") }), 0.001, 0.997],
  ["a box that a hand holds into the picture", heldBox, 0.002, 0.995],
  ["a person with loose hair", () => person({ ground: vignette("#dfe5e2", "#aab5b0") }), 0.009, 0.975],
  ["a pale box on white", paleBox, 0.007, 0.975],
  ["a white shoe on its shadow", whiteShoe, 0.008, 0.965],
  ["a dark bottle in a grainy JPEG", bottle, 0.003, 0.99],
];

describe("the transparency of the result against the true one", () => {
  it.each(photos)("is right for %s", async (_, take, mostError, leastOverlap) => {
    const photo = await take();
    const { width, height, alpha } = await cut(photo);
    expect({ width, height }).toEqual({ width: photo.width, height: photo.height });
    expect(meanError(alpha, photo)).toBeLessThan(mostError);
    expect(overlap(alpha, photo)).toBeGreaterThan(leastOverlap);
  });

  it("opens the hole in a mug's handle, and leaves its label alone", async () => {
    const { width, alpha } = await cut(await mug({ ground: vignette("#f2f2f0", "#8f9092") }));
    expect(alpha[handleHole.y * width + handleHole.x]).toBe(0);
    expect(alpha[360 * width + 400]).toBe(255);
  });

  it("keeps strands of hair half transparent, without the colour behind them", async () => {
    const ground = even("#4ade80");
    const photo = await person({ ground });
    const { width, data, alpha } = await cut(photo);
    let [soft, green, error] = [0, 0, 0];
    for (let y = strands.top; y < strands.bottom; y++) {
      for (let x = strands.left; x < strands.right; x++) {
        const at = y * width + x;
        const opacity = alpha[at] ?? 0;
        error += Math.abs(opacity - (photo.alpha[at] ?? 0)) / 255;
        if (opacity < 40 || opacity > 215) continue;
        soft += 1;
        if ((data[at * 4 + 1] ?? 0) > (data[at * 4] ?? 0) + 60) green += 1;
      }
    }
    expect(soft).toBeGreaterThan(1000);
    expect(green / soft).toBeLessThan(0.1);
    expect(error / ((strands.bottom - strands.top) * (strands.right - strands.left))).toBeLessThan(0.08);
  });
});

describe("a picture with nothing to remove", () => {
  const noise = (): Buffer => {
    let state = 7;
    return Buffer.from(
      Array.from({ length: 300 * 300 * 3 }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state >>> 24;
      }),
    );
  };

  it("comes back opaque where no background is plain", async () => {
    const file = await sharp(noise(), { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer();
    expect(Math.min(...(await decode(await cutOut(file, {}))).alpha)).toBe(255);
  });

  it("comes back opaque where there is nothing but background", async () => {
    expect(Math.min(...(await decode(await cutOut(pngOfSize(200, 100), {}))).alpha)).toBe(255);
  });

  it("keeps the transparency of one that was cut out before", async () => {
    const once = await cutOut((await mug({ ground: even("#ffffff") })).file, {});
    expect((await decode(await cutOut(once, {}))).data.equals((await decode(once)).data)).toBe(true);
  });

  it.each([1, 2, 3])("may be %i pixels wide", async (side) => {
    const { width, height } = await decode(await cutOut(pngOfSize(side, 5), {}));
    expect({ width, height }).toEqual({ width: side, height: 5 });
  });
});

describe("an installed model", () => {
  const photo = () => mug({ ground: wall });

  it("decides, at the picture's own size, and gets the picture upright", async () => {
    const seen: unknown[] = [];
    const engine = remover(async () => ({
      async removeBackground(image) {
        const given = sharp(await image.arrayBuffer());
        const { width, height } = await given.metadata();
        seen.push({ type: image.type, width, height });
        // The left half is background, and the model's pictures are small.
        const half = { create: { width: 45, height: 70, channels: 4, background: "#00000000" } } as const;
        const png = await given
          .resize(90, 70)
          .ensureAlpha()
          .composite([{ input: half, blend: "source", left: 0, top: 0 }])
          .png()
          .toBuffer();
        return new Blob([new Uint8Array(png)]);
      },
    }));
    const { width, height, alpha } = await decode(await engine((await photo()).file, {}));
    expect(seen).toEqual([{ type: "image/png", width: 900, height: 700 }]);
    expect({ width, height }).toEqual({ width: 900, height: 700 });
    expect([alpha[350 * 900 + 400], alpha[350 * 900 + 500]]).toEqual([0, 255]);
  });

  it("leaves it to the built-in algorithm where it fails", async () => {
    const taken = await photo();
    const engine = remover(async () => ({ removeBackground: () => Promise.reject(new Error("no memory")) }));
    expect(overlap((await decode(await engine(taken.file, {}))).alpha, taken)).toBeGreaterThan(0.99);
  });
});

type Account = ReturnType<typeof sandbox.account>;

function send(account: Account, bytes: Uint8Array, filename = "mug.jpg"): Promise<Response> {
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(bytes)]), filename);
  return account.fetch("/v1/tools/remove-background", { method: "POST", body });
}

describe("over HTTP", () => {
  it.each(["jpeg", "png", "webp"] as const)(
    "makes a transparent PNG of a %s, free of charge",
    async (format) => {
      const account = sandbox.account();
      const before = (await call(account, "GET", "/v1/balance")).body;
      const photo = await mug({ ground: wall });
      const response = await send(
        account,
        await sharp(photo.file).toFormat(format).toBuffer(),
        `mug.${format}`,
      );
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(response.headers.get("content-disposition")).toContain("mug.png");
      const { width, height, alpha } = await decode(new Uint8Array(await response.arrayBuffer()));
      expect({ width, height }).toEqual({ width: 900, height: 700 });
      expect(overlap(alpha, photo)).toBeGreaterThan(0.98);
      expect((await call(account, "GET", "/v1/balance")).body).toEqual(before);
    },
  );

  it("turns a photo upright as its EXIF says", async () => {
    const photo = await mug({ ground: wall });
    const lying = await sharp(photo.file)
      .rotate(-90)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const shown = await sharp(lying).metadata();
    expect([shown.width, shown.height]).toEqual([700, 900]);
    const response = await send(sandbox.account(), lying);
    const png = new Uint8Array(await response.arrayBuffer());
    const { width, height, alpha } = await decode(png);
    expect({ width, height }).toEqual({ width: 900, height: 700 });
    expect((await sharp(png).metadata()).orientation ?? 1).toBe(1);
    expect(overlap(alpha, photo)).toBeGreaterThan(0.98);
  });

  it.each([
    ["promises 900 megapixels", () => bomb("PNG"), /more than 50 megapixels; send a smaller picture/],
    [
      "is cut off",
      async () => (await mug({ ground: wall })).file.subarray(0, 40_000),
      /cut off or damaged; send the whole/,
    ],
  ])("refuses a picture that %s with file_unreadable", async (_, make, message) => {
    const reply = await read(await send(sandbox.account(), await make()));
    expect(reply.status).toBe(422);
    expect(reply.body.error).toMatchObject({ code: "file_unreadable", param: "file" });
    expect(reply.body.error.message).toMatch(message);
  });

  it("refuses what is no picture by its bytes, whatever its name", async () => {
    const reply = await read(await send(sandbox.account(), Buffer.from("%PDF-1.7 not a picture"), "mug.png"));
    expect(reply.status).toBe(415);
    expect(reply.body.error).toMatchObject({ code: "unsupported_media_type", param: "file" });
  });
});

it("says why a damaged picture cannot be read", async () => {
  const damaged = Buffer.from((await mug({ ground: wall, format: { jpeg: 90 } })).file.subarray(0, 3000));
  const error: unknown = await cutOut(damaged, {}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Unreadable);
});
