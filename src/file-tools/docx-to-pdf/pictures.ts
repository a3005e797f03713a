/** Reads pictures in DrawingML and in the older VML, prepares them for the PDF, and counts what is not drawn. */
import sharp from "sharp";
import type { ConversionReport } from "../engine.js";
import { maxPixels } from "../picture.js";
import type { DocxPackage, Relationships } from "./docx-package.js";
import { clamp, pointsOf } from "./styles.js";
import { child, elementsOf, findElement, isTrue, type XmlElement } from "./xml.js";

/** Limits on the pixels that Typst decodes and keeps in memory. Larger pictures are scaled down. */
const maxDrawnPixels = 4_000_000;
const maxTotalDrawnPixels = 16_000_000;
/** Quality of photos that are scaled down, up to 100. */
const photoQuality = 85;
const supportedFormats = ["png", "jpeg", "gif", "webp", "tiff"];

/** The pictures of a document, encoded for the PDF. External pictures are not fetched. */
export class Images {
  /** Encoded pictures by the paths under which Typst finds them. */
  readonly files = new Map<string, Uint8Array>();
  readonly #paths = new Map<string, string>();

  /** Returns the path of a part's picture, or null if it cannot be shown. */
  pathOf(part: string): string | null {
    return this.#paths.get(part) ?? null;
  }

  /** Loads the pictures that parts refer to, except for unreadable ones. */
  async load(file: DocxPackage, parts: readonly Relationships[]): Promise<void> {
    const relationships = parts.flatMap((part) => [...part.values()]);
    const images = relationships.filter(({ type, isExternal }) => type === "image" && !isExternal);
    const targets = new Set(images.map(({ target }) => target));
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
async function encodePicture(bytes: Uint8Array, limit: number): Promise<Uint8Array | null> {
  const image = sharp(bytes, { limitInputPixels: maxPixels });
  const { format, width, height, channels } = await image.metadata();
  if (!supportedFormats.includes(format)) return null;
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

const emuPerPoint = 12_700;
/** Size of a picture that declares none, in points. */
const defaultSize = { width: 200, height: 150 };

export interface DrawnPicture {
  /** Path of the picture. Null if it cannot be shown. */
  path: string | null;
  width: number;
  height: number;
  alt: string;
  /** Shares of the picture that are cropped at the left, top, right and bottom. */
  crop: readonly number[];
  /** Clockwise rotation in degrees, and whether it is mirrored across and down. */
  rotation: number;
  mirrored: readonly [across: boolean, down: boolean];
}

const upright = { crop: [0, 0, 0, 0], rotation: 0, mirrored: [false, false] } as const;

/** Parses thousandths of a percent or, in strict OOXML, a percentage. */
function readShare(value: string | undefined): number {
  const share = value?.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value) / 100_000;
  return clamp(share || 0, 0, 0.95);
}

/** The part of a story that its drawings need. */
interface DrawingStory {
  relationships: Relationships;
  images: Images;
  report: ConversionReport;
}

/** Yields the pictures of a drawing, except for pictures in text boxes, which are read with their text. */
export function* findPictures(drawing: XmlElement, story: DrawingStory): Generator<DrawnPicture> {
  const lookUp = (id: string | undefined, source: XmlElement): string | null => {
    const relationship = story.relationships.get(id ?? "");
    const path = relationship?.isExternal === false ? story.images.pathOf(relationship.target) : null;
    if (path === null) story.report.leaveOut("picture", source);
    return path;
  };
  for (const element of outsideTextBoxes(drawing)) {
    const blip = element.name === "blipFill" ? child(element, "blip") : undefined;
    const data = child(element, "imagedata");
    if (blip) yield readPicture(drawing, element, lookUp(blip.attributes.embed, element));
    if (data) yield readVmlPicture(element, data, lookUp(data.attributes.id, data));
  }
}

function readPicture(drawing: XmlElement, fill: XmlElement, path: string | null): DrawnPicture {
  const [extent] = findElement(drawing, "extent");
  const [about] = findElement(drawing, "docPr");
  const [form] = findElement(drawing, "xfrm");
  const source = child(fill, "srcRect")?.attributes;
  const crop = ["l", "t", "r", "b"].map((side) => readShare(source?.[side]));
  const [left = 0, top = 0, right = 0, bottom = 0] = crop;
  const isEmpty = left + right > 0.99 || top + bottom > 0.99;
  const sideOf = (value: string | undefined): number | undefined =>
    Number(value) > 0 ? Math.min(Number(value) / emuPerPoint, 10_000) : undefined;
  return {
    path,
    width: sideOf(extent?.attributes.cx) ?? defaultSize.width,
    height: sideOf(extent?.attributes.cy) ?? defaultSize.height,
    alt: about?.attributes.descr || about?.attributes.title || "",
    crop: isEmpty ? upright.crop : crop,
    rotation: (Number(form?.attributes.rot) % 21_600_000 || 0) / 60_000,
    mirrored: [isTrue(form?.attributes.flipH), isTrue(form?.attributes.flipV)],
  };
}

/** Reads a picture in VML, which stores sizes in a style attribute. */
function readVmlPicture(shape: XmlElement, data: XmlElement, path: string | null): DrawnPicture {
  const sideOf = (name: string): number | undefined =>
    pointsOf(
      new RegExp(`(?:^|;)\\s*${name}:([\\d.]+(?:pt|in|cm|mm))`).exec(shape.attributes.style ?? "")?.[1],
    ) || undefined;
  return {
    path,
    width: sideOf("width") ?? defaultSize.width,
    height: sideOf("height") ?? defaultSize.height,
    alt: shape.attributes.alt ?? data.attributes.title ?? "",
    ...upright,
  };
}

function* outsideTextBoxes(element: XmlElement): Generator<XmlElement> {
  if (element.name === "txbxContent") return;
  yield element;
  for (const inner of elementsOf(element)) yield* outsideTextBoxes(inner);
}

/** Shapes in older documents. In newer drawings, some of these names belong to paths. */
const vmlShapes: readonly string[] = "arc curve line oval polyline rect roundrect shape".split(" ");

/** Notes the parts of a drawing that the PDF lacks. */
export function noteUndrawn(drawing: XmlElement, report: ConversionReport): void {
  const shapes = drawing.name === "drawing" ? ["wsp"] : vmlShapes;
  for (const chart of findElement(drawing, "chart")) report.leaveOut("chart", chart);
  for (const diagram of findElement(drawing, "relIds")) report.leaveOut("diagram", diagram);
  for (const element of outsideTextBoxes(drawing))
    if (shapes.includes(element.name) && !hasContent(element)) report.leaveOut("shape", element);
}

/** Returns whether a shape has text or a picture, which are shown. */
const hasContent = (shape: XmlElement): boolean =>
  ["imagedata", "txbxContent", "blip"].some((name) => !findElement(shape, name).next().done);
