/** A line of text with pictures on its baseline, as high as the highest of them. */
import { type MeasuredInline, PdfLine } from "./pdfmake.js";

/** The object replacement character, which stands for a picture during line breaking. */
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

  /** pdfmake clones lines that it repeats or moves to the next page. */
  override clone(): PictureLine {
    return Object.assign(new PictureLine(this.maxWidth), this);
  }
}

/** Sets the widths of pictures after possible line breaks have been determined. */
export function sizePictures(inlines: readonly MeasuredInline[]): void {
  for (const inline of inlines) {
    if (!inline.picture) continue;
    inline.width = inline.picture.width;
    inline.text = " ";
  }
}
