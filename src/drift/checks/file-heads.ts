/** Files for requests that are refused. */
import { pixel } from "../probes/tools.js";

/** First bytes of files by media type, each as Latin-1 text, by which a service tells their type. */
export const fileHeads: Readonly<Record<string, string>> = {
  "application/pdf": "%PDF-1.7\n",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "PK\x03\x04",
  "audio/wav": "RIFF\x24\0\0\0WAVEfmt ",
  "image/png": "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
  "video/mp4": "\0\0\0\x18ftypmp42\0\0\0\0mp42isom",
};

/** Returns a file that begins like one of the type and then breaks off. */
export const brokenFile = (type: string): File => {
  const bytes = Buffer.from(`${fileHeads[type] ?? ""}standin drift`, "latin1");
  return new File([new Uint8Array(bytes)], "standin-drift", { type });
};

/** Returns a picture of one pixel. */
export const pixelFile = (): File =>
  new File([new Uint8Array(pixel)], "standin-drift.png", { type: "image/png" });
