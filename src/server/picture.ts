/**
 * Reads the size that a picture's header declares, while the picture is being received. Nothing is decoded and few
 * bytes are kept, since a few hundred bytes can declare a billion pixels or a header that never ends.
 */
import { Refusal } from "../contract/errors.js";
import { PNG, WEBP } from "./multipart.js";

interface Size {
  width: number;
  height: number;
}
/**
 * Size found in a header. Null if the header has ended or is damaged without a size. Undefined while more bytes are
 * needed.
 */
type Found = Size | null | undefined;

const pictures: readonly (string | null)[] = ["image/png", "image/jpeg", "image/webp"];

/** Number of bytes in which a WebP (30) or a PNG (24, or 40 if Apple's chunk comes first) has its size. */
const headBytes = 40;
/** Minimum number of bytes for image-size, which reads zeros beyond the end of a shorter WebP. */
const minHeadBytes = 25;

/** Reads the header of one picture, and refuses a picture that is damaged or too large. */
export class PictureHeader {
  #start = Buffer.alloc(0);
  #jpeg: JpegHeader | null = null;
  #found: Found;

  constructor(
    readonly field: string,
    readonly maxPixels: number,
  ) {}

  /** Takes the next bytes. */
  take(chunk: Buffer): Refusal | null {
    if (this.#found !== undefined) return null;
    if (this.#jpeg) return this.#judge(this.#jpeg.take(chunk));
    if (this.#start.length >= headBytes) return null; // Not a picture: the field's media types decide.
    this.#start = Buffer.concat([this.#start, chunk]);
    if (this.#start.length < headBytes) return null;
    const whole = this.#start;
    this.#start = Buffer.from(whole.subarray(0, headBytes));
    if (!isJpeg(whole)) return this.#judge(sizeIn(whole));
    this.#jpeg = new JpegHeader();
    return this.#judge(this.#jpeg.take(whole));
  }

  /** Ends the file. `type` is the media type read from its bytes. */
  end(type: string | null): Refusal | null {
    if (this.#found !== undefined || !pictures.includes(type)) return null;
    const hasHead = !this.#jpeg && this.#start.length >= minHeadBytes;
    return this.#judge((hasHead && sizeIn(this.#start)) || null);
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
    const limit = `${maxPixels} pixels (${maxPixels / 1e6} megapixels)`;
    const message = `${param} is ${width} × ${height} pixels; it may have at most ${limit}.`;
    return new Refusal("file_too_large", { param, message });
  }
}

/** Returns the size in the header of a PNG or WebP. Also undefined if the bytes are neither. */
function sizeIn(start: Buffer): Found {
  // A copy, because image-size reads beyond the end of a Buffer into the memory that it shares.
  const bytes = new Uint8Array(start);
  try {
    const reader = [PNG, WEBP].find(({ validate }) => validate(bytes));
    return reader && sized(reader.calculate(bytes));
  } catch {
    return null; // The header of the PNG or WebP is damaged or cut off.
  }
}

const sized = ({ width, height }: Size): Size | null => (width > 0 && height > 0 ? { width, height } : null);

const isJpeg = (start: Buffer): boolean => start.readUIntBE(0, 3) === 0xffd8ff;

/** Bytes of a JPEG's frame header up to its size: marker, length, precision, height, width. */
const frameBytes = 9;

/**
 * Returns whether a marker begins a frame: baseline, progressive, arithmetic and so on. Three codes in this range stand
 * for tables.
 */
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
/** Returns whether a marker has no length, as restart markers and TEM. */
const isBare = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd7);
/** Returns whether no frame header can follow a marker: the start of a picture, its end or a scan. */
const endsHeaders = (code: number): boolean => code >= 0xd8 && code <= 0xda;

/**
 * Finds the frame header of a JPEG. image-size needs everything before it in one piece, which in a portrait photo
 * includes megabytes of depth map, and guesses if the piece is cut off. This class skips everything before the frame
 * header.
 */
class JpegHeader {
  #rest = Buffer.alloc(0);
  /** Number of bytes to skip. The picture begins with a marker that has no length. */
  #skip = 2;

  take(chunk: Buffer): Found {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let at = this.#skip;
    while (at + frameBytes <= bytes.length) {
      const code = bytes.readUInt8(at + 1);
      // Bytes that are not a marker are skipped, as libjpeg does: some cameras pad their segments.
      if (bytes[at] !== 0xff || code === 0xff || code === 0) at += 1;
      else if (isFrame(code))
        return sized({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
      else if (isBare(code)) at += 2;
      else if (endsHeaders(code) || bytes.readUInt16BE(at + 2) < 2) return null;
      else at += 2 + bytes.readUInt16BE(at + 2);
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    this.#skip = Math.max(0, at - bytes.length);
    return undefined;
  }
}
