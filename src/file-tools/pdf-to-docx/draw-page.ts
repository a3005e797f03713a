/** Draws a page without text as a picture, where its own pictures do not show all that is on it. */
import type { PdfPage } from "./open-pdf.js";
import type { PagePicture } from "./page-model.js";

type Viewport = ReturnType<PdfPage["getViewport"]>;

const pointsPerInch = 72;
const dotsPerInch = 150;
/** A larger page is drawn with fewer dots. */
const maxDrawnPixels = 8_000_000;

/** Returns a picture of the page, or null if the page is blank. */
export async function drawPage(
  page: PdfPage,
  viewport: Viewport,
): Promise<Pick<PagePicture, "data" | "type"> | null> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const { width, height } = viewport;
  const scale = Math.min(dotsPerInch / pointsPerInch, Math.sqrt(maxDrawnPixels / (width * height)));
  const canvas = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  const context = canvas.getContext("2d");
  await page.render({
    canvas: null,
    canvasContext: context as unknown as CanvasRenderingContext2D,
    viewport: viewport.clone({ scale: viewport.scale * scale }),
  }).promise;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  if (pixels.every((pixel) => pixel === pixels[0])) return null;
  return { data: new Uint8Array(await canvas.encode("png")), type: "png" };
}
