/**
 * Reads the size that a picture's own header promises, while the picture goes by. Nothing is decoded, each byte is
 * looked at once, and only a few are kept: a few hundred bytes can promise a billion pixels, or a header without end.
 */
import { Refusal } from "../contract/errors.js";
import { PNG, WEBP } from "./multipart.js";

interface Size {
  width: number;
  height: number;
}
/** Null: the header is over, or damaged, and showed no size. Undefined: more bytes are needed. */
type Found = Size | null | undefined;

const pictures: readonly (string | null)[] = ["image/png", "image/jpeg", "image/webp"];

/** A WebP shows its size in 30 bytes, a PNG in 24, or in 40 where Apple's chunk comes first. */
const startBytes = 40;
/** image-size takes what is missing of a shorter WebP for zeros. */
const fewestBytes = 25;

/** Watches one picture. What it returns is what the picture is to be refused with. */
export class PictureHeader {
  #start = Buffer.alloc(0);
  #jpeg: JpegHeader | null = null;
  #found: Found;

  constructor(
    readonly field: string,
    readonly maxPixels: number,
  ) {}

  /** The next bytes. */
  take(chunk: Buffer): Refusal | null {
    if (this.#found !== undefined) return null;
    if (this.#jpeg) return this.#judge(this.#jpeg.take(chunk));
    if (this.#start.length >= startBytes) return null; // no picture: the types of the field decide
    this.#start = Buffer.concat([this.#start, chunk]);
    if (this.#start.length < startBytes) return null;
    const whole = this.#start;
    this.#start = Buffer.from(whole.subarray(0, startBytes));
    if (!isJpeg(whole)) return this.#judge(sizeIn(whole));
    this.#jpeg = new JpegHeader();
    return this.#judge(this.#jpeg.take(whole));
  }

  /** The file is whole and its bytes show this type. */
  end(type: string | null): Refusal | null {
    if (this.#found !== undefined || !pictures.includes(type)) return null;
    const mayTell = !this.#jpeg && this.#start.length >= fewestBytes;
    return this.#judge((mayTell && sizeIn(this.#start)) || null);
  }

  #judge(found: Found): Refusal | null {
    if (found === undefined) return null;
    this.#found = found;
    const { field: param, maxPixels } = this;
    if (found === null) {
      const message = `${param} is a picture whose header shows no width and height: it is cut off or damaged.`;
      return new Refusal("unsupported_media_type", { param, message });
    }
    const { width, height } = found;
    if (width * height <= maxPixels) return null;
    const most = `${maxPixels} pixels (${maxPixels / 1e6} megapixels)`;
    const message = `${param} is ${width} × ${height} pixels; it may have at most ${most}.`;
    return new Refusal("file_too_large", { param, message });
  }
}

/** Undefined also where the bytes are neither a PNG nor a WebP. */
function sizeIn(start: Buffer): Found {
  // A copy with memory of its own: image-size reads past a Buffer's end into what lies behind it.
  const bytes = new Uint8Array(start);
  try {
    const reader = [PNG, WEBP].find(({ validate }) => validate(bytes));
    return reader && sized(reader.calculate(bytes));
  } catch {
    return null; // it is one, and its header is wrong or ends too early
  }
}

const sized = ({ width, height }: Size): Size | null => (width > 0 && height > 0 ? { width, height } : null);

const isJpeg = (start: Buffer): boolean => start.readUIntBE(0, 3) === 0xffd8ff;

/** Bytes of a JPEG's frame header as far as its size: marker, length, precision, height, width. */
const frameBytes = 9;

/** Baseline, progressive, arithmetic and so on; three codes between them mean tables. */
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
/** Restarts and TEM stand without a length. */
const isBare = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd7);
/** A picture that starts, ends or comes to its scan has no frame header any more. */
const isTooLate = (code: number): boolean => code >= 0xd8 && code <= 0xda;

/**
 * Finds the frame header of a JPEG. image-size would want everything before it in one piece (a portrait photo carries
 * megabytes of depth map there) and guesses when the piece ends early; here what stands before it goes by unseen.
 */
class JpegHeader {
  #rest = Buffer.alloc(0);
  /** Bytes to come that belong to the segment that goes by; the picture begins with a marker without length. */
  #skip = 2;

  take(chunk: Buffer): Found {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let at = this.#skip;
    while (at + frameBytes <= bytes.length) {
      const code = bytes.readUInt8(at + 1);
      // What is no marker is passed over, as in libjpeg: some cameras pad their segments.
      if (bytes[at] !== 0xff || code === 0xff || code === 0) at += 1;
      else if (isFrame(code))
        return sized({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
      else if (isBare(code)) at += 2;
      else if (isTooLate(code) || bytes.readUInt16BE(at + 2) < 2) return null;
      else at += 2 + bytes.readUInt16BE(at + 2);
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    this.#skip = Math.max(0, at - bytes.length);
    return undefined;
  }
}
