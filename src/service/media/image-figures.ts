/** Measures an image: what its metadata tells, and noise and compression of its pixels. */
import ExifReader from "exifreader";
import sharp from "sharp";

/** As many pixels as the largest phone cameras take. */
export const mostPixels = 200_000_000;

export interface ImageFigures {
  /** Null where the engine cannot read the format. */
  width: number | null;
  height: number | null;
  format: string;
  /** Maker and model of the camera. */
  camera: string | null;
  software: string | null;
  /** Content credentials (C2PA) are embedded. */
  credentials: boolean;
  /** The credentials or metadata say that a model made it. */
  declaredAi: string | null;
  bitsPerPixel: number | null;
  /** Mean strength of the finest detail, 0 to 255; null where nothing was decoded. */
  noise: number | null;
}

/** Larger ones are not decoded: some formats take a gigabyte for it. */
const mostDecoded = 50_000_000;

/** Bytes of metadata and file head that are searched for marks. */
const searched = 1024 * 1024;
const generators =
  /midjourney|dall[\s·-]?e|stable[\s_-]?diffusion|comfyui|automatic1111|novelai|adobe firefly|google imagen|steps: \d+, sampler: |flux\.1|leonardo\.ai|trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia/i;

export async function measureImage(bytes: Buffer): Promise<ImageFigures> {
  const tags = readTags(bytes);
  const head = bytes.subarray(0, searched).toString("latin1");
  const told = [tags.software, tags.description, head].filter(Boolean).join("\n");
  const picture = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  const pixels = picture ? picture.width * picture.height : null;
  return {
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    format: picture?.format ?? "unknown",
    camera: tags.camera,
    software: tags.software,
    credentials: head.includes("c2pa") && head.includes("jumb"),
    declaredAi: generators.exec(told)?.[0] ?? null,
    bitsPerPixel: pixels ? (bytes.length * 8) / pixels : null,
    noise: picture && pixels && pixels <= mostDecoded ? await noiseOf(bytes, picture) : null,
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
    // A file without metadata, or with some that nobody can read.
    return { camera: null, software: null, description: null };
  }
}

/** Most pixels of a side of the piece that is looked at. */
const side = 256;

/** How much each pixel of the middle differs from the mean of its neighbours. */
async function noiseOf(bytes: Buffer, picture: { width: number; height: number }): Promise<number | null> {
  const [width, height] = [Math.min(side, picture.width), Math.min(side, picture.height)];
  if (width < 3 || height < 3) return null;
  const left = (picture.width - width) >> 1;
  const top = (picture.height - height) >> 1;
  const piece = await sharp(bytes, { limitInputPixels: mostDecoded, failOn: "none" })
    .extract({ left, top, width, height })
    .flatten()
    .toColourspace("b-w")
    .extractChannel(0)
    .raw()
    .toBuffer()
    .catch(() => null);
  if (!piece || piece.length !== width * height) return null;
  const at = (x: number, y: number): number => piece[y * width + x] ?? 0;
  let sum = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      sum += Math.abs(at(x, y) - (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) / 4);
    }
  }
  return sum / ((width - 2) * (height - 2));
}
