/**
 * Figures of an image, and the signals that they show. Loaded with the first scan, together with the libraries that
 * measure images.
 */

import ExifReader from "exifreader";
import sharp from "sharp";
import { applyRules, type MediaFinding } from "./scans.js";

// Measures an image: its metadata, noise and compression.

/** Maximum number of pixels: the size of the largest phone photos. */
export const maxImagePixels = 200_000_000;

export interface ImageFigures {
  /** Width in pixels. Null if the format cannot be read. */
  width: number | null;
  height: number | null;
  format: string;
  /** Make and model of the camera. */
  camera: string | null;
  software: string | null;
  /** Whether content credentials (C2PA) are embedded. */
  credentials: boolean;
  /** Text in credentials or metadata that declares an AI generator. */
  declaredAi: string | null;
  bitsPerPixel: number | null;
  /** Mean strength of the finest detail, 0 to 255; null if the image was not decoded. */
  noise: number | null;
}

/** Maximum number of pixels of an image that is decoded. For larger images, some formats need a gigabyte. */
const maxDecodedPixels = 50_000_000;

/** Number of bytes at the beginning of a file that are searched for marks. */
const searchedBytes = 1024 * 1024;
const generators =
  /midjourney|dall[\s·-]?e|stable[\s_-]?diffusion|comfyui|automatic1111|novelai|adobe firefly|google imagen|steps: \d+, sampler: |flux\.1|leonardo\.ai|trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia/i;

export async function measureImage(bytes: Buffer): Promise<ImageFigures> {
  const tags = readTags(bytes);
  const head = bytes.subarray(0, searchedBytes).toString("latin1");
  const declared = [tags.software, tags.description, head].filter(Boolean).join("\n");
  const metadata = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  const pixels = metadata ? metadata.width * metadata.height : null;
  return {
    width: metadata?.width ?? null,
    height: metadata?.height ?? null,
    format: metadata?.format ?? "unknown",
    camera: tags.camera,
    software: tags.software,
    credentials: head.includes("c2pa") && head.includes("jumb"),
    declaredAi: generators.exec(declared)?.[0] ?? null,
    bitsPerPixel: pixels ? (bytes.length * 8) / pixels : null,
    noise: metadata && pixels && pixels <= maxDecodedPixels ? await noiseOf(bytes, metadata) : null,
  };
}

interface Tags {
  camera: string | null;
  software: string | null;
  description: string | null;
}

function readTags(bytes: Buffer): Tags {
  try {
    const tags = ExifReader.load(bytes) as Record<string, { description?: unknown } | undefined>;
    const text = (name: string): string | null => {
      const description = tags[name]?.description;
      return typeof description === "string" && description.trim() !== ""
        ? description.trim().slice(0, 200)
        : null;
    };
    const camera = [text("Make"), text("Model")].filter(Boolean).join(" ");
    return {
      camera: camera || null,
      software: text("Software") ?? text("CreatorTool"),
      description: text("parameters") ?? text("ImageDescription"),
    };
  } catch {
    // The file has no metadata, or none that can be read.
    return { camera: null, software: null, description: null };
  }
}

/** Largest width and height of the measured crop. */
const maxCropSide = 256;

/** Returns the mean difference of each pixel from the mean of its neighbours, in a crop of the centre. */
async function noiseOf(bytes: Buffer, metadata: { width: number; height: number }): Promise<number | null> {
  const [width, height] = [Math.min(maxCropSide, metadata.width), Math.min(maxCropSide, metadata.height)];
  if (width < 3 || height < 3) return null;
  const left = (metadata.width - width) >> 1;
  const top = (metadata.height - height) >> 1;
  const crop = await sharp(bytes, { limitInputPixels: maxDecodedPixels, failOn: "none" })
    .extract({ left, top, width, height })
    .flatten()
    .toColourspace("b-w")
    .extractChannel(0)
    .raw()
    .toBuffer()
    .catch(() => null);
  if (!crop || crop.length !== width * height) return null;
  const at = (x: number, y: number): number => crop[y * width + x] ?? 0;
  let sum = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      sum += Math.abs(at(x, y) - (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) / 4);
    }
  }
  return sum / ((width - 2) * (height - 2));
}

const editors = /photoshop|lightroom|gimp|affinity|pixelmator|snapseed|facetune|canva|picsart/i;

/** Square sizes that image generators produce. */
const generatorSizes = new Set([512, 768, 1024, 1536, 2048]);

export function imageFindings(figures: ImageFigures): MediaFinding[] {
  const { declaredAi, credentials, software, camera, width, height, format, noise, bitsPerPixel } = figures;
  const editor = software && editors.test(software) ? software : null;
  const size = width !== null && width === height && generatorSizes.has(width) && `${width} × ${height}`;
  const noiseLevel = noise !== null && `noise ${noise.toFixed(2)} of 255`;
  const compression = format === "jpeg" && bitsPerPixel !== null && bitsPerPixel < 0.4;
  return applyRules("image", {
    generator: declaredAi,
    credentials: credentials && "c2pa",
    editor,
    camera,
    no_camera: !camera && "no maker, no model",
    generator_size: size,
    smooth: noise !== null && noise < 0.6 && noiseLevel,
    noisy: noise !== null && noise > 2.5 && noiseLevel,
    compressed: compression && `${bitsPerPixel.toFixed(2)} bits per pixel`,
  });
}
