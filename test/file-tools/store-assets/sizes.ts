/** An independent list of the assets that the stores require, to check the sandbox's table against. */

interface ExpectedAsset {
  path: string;
  width: number;
  height: number;
  alpha: boolean;
}

const asset = (
  folder: string,
  name: string,
  width: number,
  height: number,
  alpha: boolean,
): ExpectedAsset => ({
  path: `${folder}/${name}-${width}x${height}.png`,
  width,
  height,
  alpha,
});
const square = (folder: string, name: string, side: number, alpha: boolean): ExpectedAsset =>
  asset(folder, name, side, side, alpha);

const densities = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 };

/** The store's icon, and the launcher icons of each density: 48 dp, and layers of 108 dp. */
export const launcherIcons: readonly ExpectedAsset[] = [
  square("play/icon", "store-icon", 512, true),
  ...Object.entries(densities).flatMap(([density, scale]) => [
    ...["ic_launcher", "ic_launcher_round"].map((name) =>
      square(`play/icon/mipmap-${density}`, name, 48 * scale, true),
    ),
    ...["foreground", "background", "monochrome"].map((layer) =>
      square(`play/icon/mipmap-${density}`, `ic_launcher_${layer}`, 108 * scale, true),
    ),
  ]),
];

/** Sizes of iPhone and iPad icons in points, and their scales. */
const points: readonly (readonly [number, readonly number[]])[] = [
  [20, [1, 2, 3]],
  [29, [1, 2, 3]],
  [40, [1, 2, 3]],
  [60, [2, 3]],
  [76, [1, 2]],
  [83.5, [2]],
  [1024, [1]],
];
export const iosIcons: readonly ExpectedAsset[] = points.flatMap(([size, scales]) =>
  scales.map((scale) =>
    square(
      "ios/icon/AppIcon.appiconset",
      `icon-${size}x${size}${scale === 1 ? "" : `@${scale}x`}`,
      size * scale,
      false,
    ),
  ),
);

/** Portrait sizes; each is also required in landscape. */
const displays = {
  "iphone-6.9-inch": ["1320x2868", "1290x2796", "1260x2736"],
  "iphone-6.5-inch": ["1284x2778", "1242x2688"],
  "iphone-6.3-inch": ["1206x2622", "1179x2556"],
  "iphone-6.1-inch": ["1170x2532", "1125x2436", "1080x2340"],
  "iphone-5.5-inch": ["1242x2208"],
  "iphone-4.7-inch": ["750x1334"],
  "iphone-4-inch": ["640x1136"],
  "iphone-3.5-inch": ["640x960"],
  "ipad-13-inch": ["2064x2752", "2048x2732"],
  "ipad-11-inch": ["1668x2420", "1668x2388", "1640x2360", "1488x2266"],
  "ipad-10.5-inch": ["1668x2224"],
  "ipad-9.7-inch": ["1536x2048"],
};
const watches = {
  "watch-ultra-3": "422x514",
  "watch-ultra": "410x502",
  "watch-series-10": "416x496",
  "watch-series-7": "396x484",
  "watch-series-4": "368x448",
  "watch-series-3": "312x390",
};
const playDisplays = {
  phone: "1080x1920",
  "tablet-7-inch": "1080x1920",
  "tablet-10-inch": "1440x2560",
  chromebook: "1080x1920",
};

const shot = (folder: string, name: string, size: string): ExpectedAsset => {
  const [width = 0, height = 0] = size.split("x").map(Number);
  return asset(folder, name, width, height, false);
};
const toLandscape = (size: string): string => size.split("x").reverse().join("x");
const bothWays = (folder: string, name: string, size: string): ExpectedAsset[] => [
  shot(folder, name, size),
  shot(folder, name, toLandscape(size)),
];

export const screenshots: readonly ExpectedAsset[] = [
  shot("play/screenshot", "feature-graphic", "1024x500"),
  ...Object.entries(playDisplays).flatMap(([name, size]) => bothWays(`play/screenshot/${name}`, name, size)),
  shot("play/screenshot/tv", "tv", "1920x1080"),
  shot("play/screenshot/tv", "tv-banner", "1280x720"),
  shot("play/screenshot/wear", "wear", "384x384"),
  ...Object.entries(displays).flatMap(([name, sizes]) =>
    sizes.flatMap((size) => bothWays(`ios/screenshot/${name}`, name, size)),
  ),
  ...Object.entries(watches).map(([name, size]) => shot(`ios/screenshot/${name}`, name, size)),
];

/** Splash screens before Android 12, by density and orientation. Later versions use an icon of 288 dp. */
const drawables = {
  ldpi: "200x320",
  mdpi: "320x480",
  hdpi: "480x800",
  xhdpi: "720x1280",
  xxhdpi: "960x1600",
  xxxhdpi: "1280x1920",
};
export const splashes: readonly ExpectedAsset[] = [
  ...Object.entries(drawables).flatMap(([density, size]) => [
    shot(`play/splash/drawable-port-${density}`, "splash", size),
    shot(`play/splash/drawable-land-${density}`, "splash", toLandscape(size)),
  ]),
  ...Object.entries(densities).map(([density, scale]) =>
    square(`play/splash/drawable-${density}`, "splash_icon", 288 * scale, true),
  ),
  square("ios/splash", "splash", 2732, false),
];
