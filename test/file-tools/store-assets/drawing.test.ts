import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { assetsOf, logo, make, near, noise, open, photo, svg, teal, white } from "./client.js";

describe("the picture in an asset", () => {
  it.each([
    ["icon", "ios/icon/AppIcon.appiconset/icon-1024x1024-1024x1024.png", 1],
    ["splash", "ios/splash/splash-2732x2732.png", 0.4],
    ["screenshot", "play/screenshot/feature-graphic-1024x500.png", 1],
    ["screenshot", "play/screenshot/wear/wear-384x384.png", 1],
  ] as const)(
    "is whole, centred and not stretched, on a background of its edge colour (%s, %s)",
    async (kind, name, share) => {
      const files = await assetsOf(kind, name.startsWith("ios") ? "ios" : "play");
      const { width, height, at } = await open(files, name);
      const box = kind === "splash" ? { width: width * share, height: width * share } : { width, height };
      const scale = Math.min(box.width / 600, box.height / 400);
      const across = Array.from({ length: width }, (_, x) => near(at(x, height / 2), white)).filter(
        Boolean,
      ).length;
      const down = Array.from({ length: height }, (_, y) => near(at(width / 2, y), white)).filter(
        Boolean,
      ).length;
      for (const found of [across, down])
        expect(Math.abs(found - 300 * scale)).toBeLessThan(0.02 * 300 * scale + 3);
      for (const [x, y] of [
        [0, 0],
        [width - 1, 0],
        [0, height - 1],
        [width - 1, height - 1],
      ] as const)
        expect(near(at(x, y), teal)).toBe(true);
    },
  );

  it("keeps its transparency for Google Play, and gets a white background for Apple", async () => {
    const files = await make(await logo.clone().png().toBuffer(), "icon");
    const play = await open(files, "play/icon/store-icon-512x512.png");
    expect(play.at(0, 0)[3]).toBe(0);
    expect(near(play.at(256, 256), [225, 29, 72, 255])).toBe(true);
    const apple = await open(files, "ios/icon/AppIcon.appiconset/icon-1024x1024-1024x1024.png");
    expect(near(apple.at(0, 0), white)).toBe(true);
    expect(near(apple.at(512, 512), [225, 29, 72])).toBe(true);
  });

  it("gets a dark background if it is transparent and light", async () => {
    const light = await svg(400, 400, `<circle cx="200" cy="200" r="150" fill="#fff"/>`).png().toBuffer();
    const files = await make(light, "icon", "ios");
    const { at } = await open(files, "ios/icon/AppIcon.appiconset/icon-60x60@3x-180x180.png");
    expect(Math.max(...at(0, 0))).toBeLessThan(60);
    expect(near(at(90, 90), white)).toBe(true);
  });

  it("fits the circular, adaptive and monochrome icons of Android", async () => {
    const files = await assetsOf("icon", "play");
    const folder = "play/icon/mipmap-xxxhdpi";
    const round = await open(files, `${folder}/ic_launcher_round-192x192.png`);
    expect([round.at(2, 2)[3], round.at(96, 2)[3]]).toEqual([0, 255]);
    const foreground = await open(files, `${folder}/ic_launcher_foreground-432x432.png`);
    expect([foreground.at(216, 216)[3], foreground.at(60, 216)[3]]).toEqual([255, 0]);
    const background = await open(files, `${folder}/ic_launcher_background-432x432.png`);
    expect([background.at(0, 0), background.at(216, 216)]).toEqual([
      [...teal, 255],
      [...teal, 255],
    ]);
    const monochrome = await open(files, `${folder}/ic_launcher_monochrome-432x432.png`);
    expect(monochrome.at(216, 216)).toEqual([255, 255, 255, 255]);
    expect(monochrome.at(100, 216)[3]).toBe(0);
  });

  it("is turned upright according to its EXIF orientation", async () => {
    const tall = svg(
      300,
      600,
      `<rect width="300" height="600" fill="#fff"/><rect width="300" height="200" fill="#000"/>`,
    );
    const lying = await sharp(await tall.png().toBuffer())
      .rotate(-90)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { at } = await open(
      await make(lying, "icon", "ios"),
      "ios/icon/AppIcon.appiconset/icon-1024x1024-1024x1024.png",
    );
    expect(near(at(512, 100), [0, 0, 0])).toBe(true);
    expect(near(at(512, 900), white)).toBe(true);
  });
});

describe("a photo", () => {
  it("is surrounded by a blurred and darker copy of itself", async () => {
    const files = await make(await photo.clone().jpeg().toBuffer(), "screenshot", "play");
    const { at, width } = await open(files, "play/screenshot/phone/phone-1080x1920.jpg");
    const [inside, outside] = [at(20, 960), at(20, 100)];
    const brightness = ([r = 0, g = 0, b = 0]: readonly number[]) => r + g + b;
    expect(brightness(outside)).toBeLessThan(brightness(inside));
    expect(brightness(outside)).toBeGreaterThan(100);
    expect(outside[0]).toBeGreaterThan(at(width - 20, 100)[0] ?? 0);
  });

  it("is at most 1 MB as a Google Play icon, however noisy it is", async () => {
    const icons = await make(await noise(512, 4), "icon", "play");
    expect(Object.keys(icons).filter((name) => !name.endsWith(".png"))).toEqual([]);
    const icon = icons["play/icon/store-icon-512x512.png"] ?? new Uint8Array();
    expect(icon.length).toBeLessThanOrEqual(1024 * 1024);
    expect(icon.length).toBeGreaterThan(100_000);
  });
});
