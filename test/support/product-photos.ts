/** Photos of objects on a plain background, composed so that the true transparency of every pixel is known. */
import sharp from "sharp";

export interface ProductPhoto {
  file: Buffer;
  width: number;
  height: number;
  /** True opacity of each pixel, 0 to 255, from before the object was placed on its background. */
  alpha: Buffer;
  /** Red, green, blue and alpha of the object alone. */
  thing: Buffer;
}

interface Recipe {
  /** Size of the drawing, in pixels. The photo is `scale` times as large. */
  width: number;
  height: number;
  /** Default: 1. */
  scale?: number;
  /** SVG elements of the object. */
  thing: string;
  /** SVG elements of the background, including shadows. */
  ground: string;
  /** Maximum deviation of a channel from its value. */
  noise?: number;
  format?: "png" | { jpeg: number };
}

const draw = (width: number, height: number, viewBox: string, elements: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}">${elements}</svg>`,
    ),
  )
    .ensureAlpha()
    .raw()
    .toBuffer();

export async function takePhoto(recipe: Recipe): Promise<ProductPhoto> {
  const { scale = 1, thing, ground, noise = 0, format = "png" } = recipe;
  const [width, height] = [Math.round(recipe.width * scale), Math.round(recipe.height * scale)];
  const viewBox = `0 0 ${recipe.width} ${recipe.height}`;
  const above = await draw(width, height, viewBox, thing);
  const below = await draw(width, height, viewBox, ground);
  const stray = grain(noise);
  const data = Buffer.alloc(width * height * 3);
  const alpha = Buffer.alloc(width * height);
  for (let at = 0; at < alpha.length; at++) {
    const opaque = (above[at * 4 + 3] ?? 0) / 255;
    alpha[at] = opaque * 255;
    for (let c = 0; c < 3; c++) {
      const mixed = (above[at * 4 + c] ?? 0) * opaque + (below[at * 4 + c] ?? 0) * (1 - opaque);
      data[at * 3 + c] = Math.min(255, Math.max(0, Math.round(mixed + stray())));
    }
  }
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  const file =
    format === "png"
      ? await picture.png().toBuffer()
      : await picture.jpeg({ quality: format.jpeg }).toBuffer();
  return { file, width, height, alpha, thing: above };
}

/** Reproducible grain. */
function grain(most: number): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * most;
  };
}

const stops = (colours: readonly string[]): string =>
  colours.map((colour, i) => `<stop offset="${i / (colours.length - 1)}" stop-color="${colour}"/>`).join("");
const filled = (definition: string): string =>
  `<defs>${definition}</defs><rect width="100%" height="100%" fill="url(#ground)"/>`;

export const even = (colour: string): string => `<rect width="100%" height="100%" fill="${colour}"/>`;
export const gradient = (...colours: readonly string[]): string =>
  filled(`<linearGradient id="ground" x1="0" y1="0" x2="0.4" y2="1">${stops(colours)}</linearGradient>`);
/** A background that is lighter in the middle. */
export const vignette = (...colours: readonly string[]): string =>
  filled(`<radialGradient id="ground" r="0.75">${stops(colours)}</radialGradient>`);
export const shadow = (x: number, y: number, rx: number, ry: number): string =>
  `<defs><filter id="soft" x="-50%" y="-200%" width="200%" height="500%"><feGaussianBlur stdDeviation="${ry * 0.6}"/></filter></defs><ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="#000" opacity="0.3" filter="url(#soft)"/>`;

/** Centre of the hole between the mug and its handle, in the drawing. */
export const handleHole = { x: 650, y: 390 };

/** A mug with a handle, 900 × 700. */
export const mug = (recipe: Pick<Recipe, "ground"> & Partial<Recipe>): Promise<ProductPhoto> =>
  takePhoto({
    width: 900,
    height: 700,
    thing: `<defs><linearGradient id="glaze">${stops(["#7f1d1d", "#dc2626", "#991b1b"])}</linearGradient></defs>
      <path d="M560 300 C 760 270 760 510 560 480" fill="none" stroke="#991b1b" stroke-width="36"/>
      <path d="M260 200 L 580 200 L 560 560 Q 420 600 280 560 Z" fill="url(#glaze)"/><ellipse cx="420" cy="200" rx="160" ry="32" fill="#450a0a"/>
      <rect x="330" y="330" width="150" height="60" fill="#fde68a"/>`,
    noise: 5,
    ...recipe,
  });

/** The area where strands of hair overlap the background. */
export const strands = { left: 270, top: 70, right: 630, bottom: 200 };

/** A person with loose hair, cut off by the lower border. */
export function person(recipe: Pick<Recipe, "ground"> & Partial<Recipe>): Promise<ProductPhoto> {
  const hair = Array.from({ length: 70 }, (_, i) => {
    const turn = Math.PI * (1.02 + (0.96 * i) / 69);
    const at = (radius: number, bend: number) =>
      `${(450 + radius * Math.cos(turn + bend)).toFixed(1)} ${(270 + radius * Math.sin(turn + bend)).toFixed(1)}`;
    const length = 175 + ((i * 37) % 29);
    return `<path d="M${at(130, 0)} Q ${at(158, 0.05)} ${at(length, 0.12)}" stroke="#2b1a12" stroke-width="${1.2 + (i % 3) * 0.5}" fill="none"/>`;
  }).join("");
  return takePhoto({
    width: 900,
    height: 900,
    thing: `${hair}<circle cx="450" cy="270" r="150" fill="#2b1a12"/><ellipse cx="450" cy="320" rx="110" ry="150" fill="#8d5a3b"/>
      <rect x="400" y="430" width="100" height="140" fill="#7c4a2d"/>
      <path d="M150 900 Q 170 560 400 540 L 500 540 Q 730 560 750 900 Z" fill="#1d4ed8"/>
      <circle cx="410" cy="310" r="12" fill="#fff"/><circle cx="490" cy="310" r="12" fill="#fff"/>`,
    noise: 6,
    format: { jpeg: 88 },
    ...recipe,
  });
}

/** A box held by a hand that enters from the right border. */
export const heldBox = (recipe: Partial<Recipe> = {}): Promise<ProductPhoto> =>
  takePhoto({
    width: 900,
    height: 700,
    thing: `<path d="M900 420 L 640 400 Q 560 360 540 300 L 580 290 Q 620 350 700 340 L 900 300 Z" fill="#b07a56"/>
      <rect x="330" y="180" width="220" height="330" rx="24" fill="#0f766e"/>`,
    ground: gradient("#e8ecef", "#c5cbd0"),
    noise: 5,
    format: { jpeg: 85 },
    ...recipe,
  });

/** A pale box on white, hardly darker than its background. */
export const paleBox = (recipe: Partial<Recipe> = {}): Promise<ProductPhoto> =>
  takePhoto({
    width: 800,
    height: 800,
    thing: `<path d="M200 280 L 480 240 L 480 600 L 200 620 Z" fill="#e6e2da"/><path d="M480 240 L 620 290 L 620 570 L 480 600 Z" fill="#cfc9bd"/>
      <path d="M200 280 L 340 235 L 620 290 L 480 240 Z" fill="#d9d4ca"/>`,
    ground: even("#fcfcfb") + shadow(420, 615, 220, 14),
    noise: 3,
    format: { jpeg: 80 },
    ...recipe,
  });

/** A white shoe on white, its sole as grey as its shadow in places. */
export const whiteShoe = (recipe: Partial<Recipe> = {}): Promise<ProductPhoto> =>
  takePhoto({
    width: 1000,
    height: 700,
    thing: `<path d="M150 480 Q150 300 280 280 L 380 300 Q 520 420 760 440 Q 880 460 870 540 L 150 540 Z" fill="#f0efed"/>
      <rect x="145" y="535" width="730" height="40" rx="18" fill="#dcdad6"/><path d="M330 320 L 520 440" stroke="#333" stroke-width="10"/>`,
    ground: even("#fefefe") + shadow(510, 580, 380, 14),
    noise: 2,
    format: { jpeg: 90 },
    ...recipe,
  });

/** A dark bottle in front of a strong colour, with the grain of a small sensor. */
export const bottle = (recipe: Partial<Recipe> = {}): Promise<ProductPhoto> =>
  takePhoto({
    width: 600,
    height: 900,
    thing: `<path d="M270 90 h60 v160 q80 50 80 140 v380 q0 40 -40 40 h-140 q-40 0 -40 -40 v-380 q0 -90 80 -140 Z" fill="#14301f"/>
      <rect x="210" y="470" width="180" height="190" fill="#f5f5f4"/><rect x="240" y="520" width="120" height="16" fill="#b45309"/>
      <path d="M225 420 q4 -60 40 -100" stroke="#5b8a6b" stroke-width="9" fill="none"/>`,
    ground: gradient("#f9a8a0", "#d46a74") + shadow(310, 812, 160, 18),
    noise: 12,
    format: { jpeg: 70 },
    ...recipe,
  });

/** Returns the mean error of the transparency over all pixels, as a share of opaque. */
export function meanError(found: Buffer, { alpha }: ProductPhoto): number {
  let sum = 0;
  for (let at = 0; at < alpha.length; at++) sum += Math.abs((found[at] ?? 0) - (alpha[at] ?? 0));
  return sum / alpha.length / 255;
}

/** Returns the intersection over union of the pixels that each of the two counts as the object. */
export function overlap(found: Buffer, { alpha }: ProductPhoto): number {
  let both = 0;
  let either = 0;
  for (let at = 0; at < alpha.length; at++) {
    const [mine, right] = [(found[at] ?? 0) > 127, (alpha[at] ?? 0) > 127];
    if (mine && right) both += 1;
    if (mine || right) either += 1;
  }
  return both / either;
}
