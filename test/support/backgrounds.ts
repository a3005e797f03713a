/** Photos before plain and busy backgrounds, and the call that removes them. */
import sharp from "sharp";
import type { SandboxAccount } from "../../src/index.js";
import { type Reply, read } from "./sandbox.js";
import { sendToTool } from "./uploads.js";

/** A disc before a white wall. */
export function plainPhoto(): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="210"><rect width="300" height="210" fill="#ffffff"/><circle cx="150" cy="105" r="60" fill="#b03030"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** A cup before a wall of bricks of several colours. */
export function busyPhoto(): Promise<Uint8Array> {
  const colours = ["#8c3b2a", "#d9a05b", "#3f5d3a", "#e8e0d0", "#27334d"];
  const bricks = Array.from({ length: 24 * 24 }, (_, at) => {
    const [column, row] = [at % 24, Math.floor(at / 24)];
    const colour = colours[(column * 7 + row * 11 + (at % 3)) % colours.length];
    return `<rect x="${column * 26 - (row % 2) * 13}" y="${row * 18}" width="24" height="16" fill="${colour}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="420"><rect width="600" height="420" fill="#777066"/>${bricks.join("")}<circle cx="300" cy="210" r="90" fill="#b03030"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

export const removeBackground = async (
  account: SandboxAccount,
  bytes: Uint8Array,
  filename: string,
): Promise<Reply> => read(await sendToTool(account, "remove-background", bytes, filename));
