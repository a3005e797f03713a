/** Draws pictures as their frames in the document show them: a part of them, turned, or as in a mirror. */
import type { ImageNode } from "./nodes.js";
import { Renderer } from "./pdfmake.js";

/** Shares of the whole picture that are cut off at each side; below zero, blank is added. */
export interface Crop {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Frame {
  crop: Crop;
  /** Degrees, clockwise. */
  turn: number;
  flipsAcross: boolean;
  flipsDown: boolean;
}

export class FrameRenderer extends Renderer {
  override renderImage(image: ImageNode & { x: number; y: number }): void {
    const { frame, x, y, width, height } = image;
    if (!frame) return super.renderImage(image);
    const { crop, turn, flipsAcross, flipsDown } = frame;
    const whole = {
      width: width / (1 - crop.left - crop.right),
      height: height / (1 - crop.top - crop.bottom),
    };
    const pdf = this.pdfDocument;
    pdf.save();
    pdf.translate(x + width / 2, y + height / 2).rotate(turn);
    pdf.scale(flipsAcross ? -1 : 1, flipsDown ? -1 : 1);
    pdf.rect(-width / 2, -height / 2, width, height).clip();
    pdf.image(
      image.image,
      -width / 2 - crop.left * whole.width,
      -height / 2 - crop.top * whole.height,
      whole,
    );
    pdf.restore();
    if (image.link) pdf.link(x, y, width, height, image.link);
  }
}
