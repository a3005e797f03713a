/** A line of text with pictures on its baseline: it is as high as the highest of them. */
import { type MeasuredInline, PdfLine } from "./pdfmake.js";

/** What a picture is among the letters when lines are broken. */
export const pictureLetter = "\ufffc";

export class PictureLine extends PdfLine {
  override getAscenderHeight(): number {
    return this.inlines.reduce(
      (highest, { picture }) => Math.max(highest, picture?.height ?? 0),
      super.getAscenderHeight(),
    );
  }

  override getHeight(): number {
    return super.getHeight() + this.getAscenderHeight() - super.getAscenderHeight();
  }

  /** Of lines that are drawn more than once, or moved to the next page. */
  override clone(): PictureLine {
    return Object.assign(new PictureLine(this.maxWidth), this);
  }
}

/** Gives pictures their own widths, once it is settled where the text may be broken. */
export function sizePictures(inlines: readonly MeasuredInline[]): void {
  for (const inline of inlines) {
    if (!inline.picture) continue;
    inline.width = inline.picture.width;
    inline.text = " ";
  }
}
