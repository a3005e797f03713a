/** Reads pictures, text boxes and shapes in DrawingML and in the older VML, and prepares pictures for the PDF. */
import sharp from "sharp";
import type { ConversionReport } from "../engine.js";
import type { DocxPackage, Relationships } from "./docx-package.js";
import type { Hyperlink, PictureFrame, PictureItem } from "./nodes.js";
import { clamp, pointsOf } from "./styles.js";
import { child, elementsOf, findElement, isTrue, type XmlElement } from "./xml.js";

interface BmpImage {
  width: number;
  height: number;
  /** Three bytes per pixel: red, green, blue. */
  pixels: Buffer;
}

/** Returns null if the bytes are not an uncompressed bitmap or exceed the pixel limit. */
function readBmp(bytes: Buffer, maxPixels: number): BmpImage | null {
  if (bytes.length < 54 || bytes.toString("latin1", 0, 2) !== "BM") return null;
  const headerSize = bytes.readUInt32LE(14);
  const width = bytes.readInt32LE(18);
  const signedHeight = bytes.readInt32LE(22);
  const depth = bytes.readUInt16LE(28);
  const compression = bytes.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  // In practice, 32-bit bit fields use the default order.
  const isKnown =
    [1, 4, 8, 24, 32].includes(depth) && (compression === 0 || (compression === 3 && depth === 32));
  if (!isKnown || headerSize < 40 || width <= 0 || height === 0 || width * height > maxPixels) return null;

  const start = bytes.readUInt32LE(10);
  const stride = Math.ceil((width * depth) / 32) * 4;
  if (start + stride * height > bytes.length) return null;
  const palette = 14 + headerSize;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = start + stride * (signedHeight > 0 ? height - 1 - y : y);
    for (let x = 0; x < width; x++) {
      const from = depth >= 24 ? row + (x * depth) / 8 : palette + 4 * paletteIndex(bytes, row, x, depth);
      const to = (y * width + x) * 3;
      pixels[to] = bytes[from + 2] ?? 0;
      pixels[to + 1] = bytes[from + 1] ?? 0;
      pixels[to + 2] = bytes[from] ?? 0;
    }
  }
  return { width, height, pixels };
}

function paletteIndex(bytes: Buffer, row: number, x: number, depth: number): number {
  const bit = x * depth;
  const byte = bytes[row + (bit >> 3)] ?? 0;
  return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

/** Limit of decoded pixels per picture. */
const maxPixels = 50_000_000;
/** Limits of the pixels that Typst decodes, which it keeps in memory. Larger pictures are scaled down. */
const maxDrawnPixels = 4_000_000;
const maxTotalDrawnPixels = 16_000_000;
/** Quality of photos that are scaled down, up to 100. */
const photoQuality = 85;
const supportedFormats = ["png", "jpeg", "gif", "webp", "tiff"];

/** The pictures of a document, as the PDF takes them. External pictures are not fetched. */
export class Images {
  /** Encoded pictures by the paths that the template knows. */
  readonly files = new Map<string, Buffer>();
  readonly #paths = new Map<string, string>();

  /** Returns the path of a part's picture, or undefined if it cannot be shown. */
  pathOf(part: string): string | undefined {
    return this.#paths.get(part);
  }

  /** Loads the pictures that parts refer to, except for those that cannot be read. */
  async load(file: DocxPackage, parts: readonly Relationships[]): Promise<void> {
    const targets = new Set(
      parts.flatMap((relationships) =>
        [...relationships.values()].flatMap(({ type, target, isExternal }) =>
          type === "image" && !isExternal ? [target] : [],
        ),
      ),
    );
    const limit = Math.min(maxDrawnPixels, maxTotalDrawnPixels / Math.max(1, targets.size));
    for (const target of targets) {
      const bytes = file.bytes(target);
      const image = bytes && (await encodePicture(bytes, limit).catch(() => null));
      if (!image) continue;
      const path = `/picture-${this.files.size}`;
      this.files.set(path, image);
      this.#paths.set(target, path);
    }
  }
}

/** Converts a picture to JPEG or PNG with at most `limit` pixels. Returns null if it cannot be shown. */
async function encodePicture(bytes: Buffer, limit: number): Promise<Buffer | null> {
  const bmp = readBmp(bytes, maxPixels);
  const image = bmp
    ? sharp(bmp.pixels, { raw: { width: bmp.width, height: bmp.height, channels: 3 } })
    : sharp(bytes, { limitInputPixels: maxPixels });
  const { format, width, height, channels } = await image.metadata();
  if (!bmp && !supportedFormats.includes(format)) return null;
  const isPhoto = format === "jpeg" && (channels === 1 || channels === 3);
  const scale = Math.sqrt(limit / (width * height));
  if (isPhoto && scale >= 1) {
    // Decoding detects damage before the picture reaches the PDF.
    await image.clone().stats();
    return bytes;
  }
  const scaled = scale < 1 ? image.resize({ width: Math.max(1, Math.floor(width * scale)) }) : image;
  if (isPhoto) return scaled.keepMetadata().jpeg({ quality: photoQuality }).toBuffer();
  return scaled
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** A picture, the alternative text of a picture that cannot be shown, or a text box. */
export type Drawing = PictureItem | { kind: "altText"; text: string } | { kind: "box"; box: XmlElement };

const emuPerPoint = 12_700;

interface DrawingPicture {
  relationship: string | undefined;
  width: number | undefined;
  height: number | undefined;
  altText: string;
  frame: PictureFrame | null;
  /** Positioned in the text like a character. */
  isInLine: boolean;
}

function readPicture(
  drawing: XmlElement,
  blip: XmlElement,
  fill: XmlElement,
  isAlone: boolean,
): DrawingPicture {
  const [extent] = findElement(drawing, "wp:extent");
  const [about] = findElement(drawing, "wp:docPr");
  const points = (value: string | undefined) => (Number(value) > 0 ? Number(value) / emuPerPoint : undefined);
  return {
    relationship: blip.attributes["r:embed"] ?? blip.attributes["r:link"],
    width: points(extent?.attributes.cx),
    height: points(extent?.attributes.cy),
    altText: about?.attributes.descr || about?.attributes.title || "",
    frame: readFrame(child(fill, "a:srcRect"), findElement(drawing, "a:xfrm").next().value),
    isInLine: isAlone && child(drawing, "wp:inline") !== undefined,
  };
}

/** Parses thousandths of a percent or, in strict OOXML, a percentage. */
function readShare(value: string | undefined): number {
  const share = value?.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value) / 100_000;
  return clamp(share || 0, -1, 0.95);
}

function readFrame(source: XmlElement | undefined, form: XmlElement | undefined): PictureFrame | null {
  const side = (name: string) => readShare(source?.attributes[name]);
  const crop = { left: side("l"), top: side("t"), right: side("r"), bottom: side("b") };
  const frame = {
    ...crop,
    rotation: (Number(form?.attributes.rot) % 21_600_000 || 0) / 60_000,
    "flips-across": isTrue(form?.attributes.flipH),
    "flips-down": isTrue(form?.attributes.flipV),
  };
  const isPlain = Object.values(frame).every((value) => !value);
  const isEmpty = crop.left + crop.right > 0.99 || crop.top + crop.bottom > 0.99;
  return isPlain || isEmpty ? null : frame;
}

/** VML stores sizes in a style attribute. */
function readVmlPicture(shape: XmlElement, data: XmlElement): DrawingPicture {
  const style = shape.attributes.style ?? "";
  const length = (name: string) =>
    pointsOf(new RegExp(`(?:^|;)\\s*${name}:([\\d.]+(?:pt|in|cm|mm))`).exec(style)?.[1]);
  return {
    relationship: data.attributes["r:id"],
    width: length("width"),
    height: length("height"),
    altText: shape.attributes.alt ?? data.attributes["o:title"] ?? "",
    frame: null,
    isInLine: !/(?:^|;)\s*position:\s*absolute/.test(style),
  };
}

/** The part of a story that its drawings need. */
interface DrawingStory {
  relationships: Relationships;
  images: Images;
  report: ConversionReport;
}

/** `fill` is the element that refers to the picture. */
function toDrawing(picture: DrawingPicture, fill: XmlElement, story: DrawingStory, link: Hyperlink): Drawing {
  const relationship = story.relationships.get(picture.relationship ?? "");
  const path =
    relationship && !relationship.isExternal ? story.images.pathOf(relationship.target) : undefined;
  if (path === undefined) {
    story.report.leaveOut("picture", fill);
    return { kind: "altText", text: `[${picture.altText || "Picture"}]` };
  }
  const { width = 200, height = 150, altText, frame, isInLine } = picture;
  return { kind: "picture", path, width, height, alt: altText || null, frame, "in-line": isInLine, ...link };
}

export function* readDrawings(element: XmlElement, story: DrawingStory, link: Hyperlink): Generator<Drawing> {
  const fills = [...findFills(element)];
  for (const fill of fills) {
    const blip = child(fill, "a:blip");
    if (blip) yield toDrawing(readPicture(element, blip, fill, fills.length === 1), fill, story, link);
  }
  for (const shape of element.name === "w:drawing" ? [] : findShapes(element)) {
    const data = child(shape, "v:imagedata");
    if (data) yield toDrawing(readVmlPicture(shape, data), data, story, link);
  }
  for (const box of findElement(element, "w:txbxContent")) yield { kind: "box", box };
}

/** Finds picture fills outside text boxes, whose pictures are read with their text. */
function* findFills(element: XmlElement): Generator<XmlElement> {
  for (const one of element.children) {
    if (typeof one === "string" || one.name === "w:txbxContent") continue;
    if (one.name.endsWith("blipFill")) yield one;
    else yield* findFills(one);
  }
}

function* findShapes(element: XmlElement): Generator<XmlElement> {
  for (const one of element.children) {
    if (typeof one === "string" || one.name === "w:txbxContent") continue;
    if (child(one, "v:imagedata")) yield one;
    else yield* findShapes(one);
  }
}

const vmlShapes: ReadonlySet<string> = new Set(
  ["arc", "curve", "line", "oval", "polyline", "rect", "roundrect", "shape"].map((name) => `v:${name}`),
);

export function noteUndrawn(drawing: XmlElement, report: ConversionReport): void {
  for (const chart of findElement(drawing, "c:chart")) report.leaveOut("chart", chart);
  for (const diagram of findElement(drawing, "dgm:relIds")) report.leaveOut("diagram", diagram);
  for (const shape of shapesIn(drawing)) if (!hasContent(shape)) report.leaveOut("shape", shape);
}

/** Yields shapes outside text boxes, whose drawings are read with their text. */
function* shapesIn(element: XmlElement): Generator<XmlElement> {
  for (const one of elementsOf(element)) {
    if (one.name === "w:txbxContent") continue;
    if (one.name === "wps:wsp" || vmlShapes.has(one.name)) yield one;
    else yield* shapesIn(one);
  }
}

/** Returns whether a shape has text or a picture, which are shown. */
const hasContent = (shape: XmlElement): boolean =>
  child(shape, "v:imagedata") !== undefined ||
  ["w:txbxContent", "a:blip"].some((name) => !findElement(shape, name).next().done);
