/** Renders inline pictures, cropped, rotated and flipped ones, and vertically aligned cells. */
import type { ImageNode, Size } from "./nodes.js";
import { type AlignmentMark, type PdfTextLine, Renderer } from "./pdfmake.js";

/** Returns the bounding box of a rotated picture. */
export function rotatedSize({ width, height }: Size, degrees: number): Size {
  const angle = (degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  return { width: width * cosine + height * sine, height: width * sine + height * cosine };
}

export class FrameRenderer extends Renderer {
  override beginVerticalAlignment({ shift, verticalAlignment }: AlignmentMark): void {
    if (shift) this.pdfDocument.save().translate(0, verticalAlignment === "middle" ? shift / 2 : shift);
  }

  override endVerticalAlignment({ shift }: AlignmentMark): void {
    if (shift) this.pdfDocument.restore();
  }

  override renderLine(line: PdfTextLine, x: number, y: number): void {
    super.renderLine(line, x, y);
    const baseline = y + line.getAscenderHeight();
    for (const inline of line.inlines) {
      if (!inline.picture) continue;
      const { image, width, height } = inline.picture;
      this.pdfDocument.provideImage(image);
      const place = { x: x + inline.x, y: baseline - height, _width: width, _height: height };
      this.renderImage({ ...inline.picture, ...place });
    }
  }

  override renderImage(image: ImageNode & { x: number; y: number }): void {
    const { frame, x, y } = image;
    if (!frame) return super.renderImage(image);
    const { crop, rotation, flipsAcross, flipsDown, share } = frame;
    const [width, height] = [image.width * share.width, image.height * share.height];
    const whole = {
      width: width / (1 - crop.left - crop.right),
      height: height / (1 - crop.top - crop.bottom),
    };
    const pdf = this.pdfDocument;
    pdf.save();
    pdf.translate(x + image.width / 2, y + image.height / 2).rotate(rotation);
    pdf.scale(flipsAcross ? -1 : 1, flipsDown ? -1 : 1);
    pdf.rect(-width / 2, -height / 2, width, height).clip();
    pdf.image(
      image.image,
      -width / 2 - crop.left * whole.width,
      -height / 2 - crop.top * whole.height,
      whole,
    );
    pdf.restore();
    if (image.link) pdf.link(x, y, image.width, image.height, image.link);
  }
}
