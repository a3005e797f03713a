/** Draws QR codes. */
import { loadOnce } from "../operation.js";

export const loadQrLibrary = loadOnce(() => import("uqr"));

/** Width of the white border that the standard requires, in modules. */
const quietZone = 4;

/** Returns the QR code of the text as a data URI of an SVG image. */
export function drawQr({ renderSVG }: typeof import("uqr"), text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZone });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
