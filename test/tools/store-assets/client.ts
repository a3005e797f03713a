/** Calls the store-assets tool, reads the zip that it returns, and provides pictures to send. */
import { unzipSync } from "fflate";
import sharp from "sharp";
import { expect } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";

export type Kind = "icon" | "screenshot" | "splash";
export type Files = Record<string, Uint8Array>;

export function send(
  account: SandboxAccount,
  bytes: Uint8Array,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("file", new Blob([new Uint8Array(bytes)]), "logo.png");
  return account.fetch("/v1/tools/store-assets", { method: "POST", body, headers, signal });
}

/** Returns the files of the zip. */
export async function make(
  account: SandboxAccount,
  bytes: Uint8Array,
  kind: Kind,
  platform = "both",
): Promise<Files> {
  const response = await send(account, bytes, { kind, platform });
  expect(response.status).toBe(200);
  return unzipSync(new Uint8Array(await response.arrayBuffer()));
}

export const svg = (width: number, height: number, elements: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`,
    ),
  );

const disc = (fill: string) => `<circle cx="300" cy="200" r="150" fill="${fill}"/>`;
/** A white disc on teal. */
export const badge = svg(600, 400, `<rect width="600" height="400" fill="#0f766e"/>${disc("#fff")}`);
/** A red disc on transparency. */
export const logo = svg(600, 400, disc("#e11d48"));
const gradient = `<defs><linearGradient id="g"><stop stop-color="#fbbf24"/><stop offset="1" stop-color="#1e3a8a"/></linearGradient></defs>`;
export const photo = svg(800, 600, `${gradient}<rect width="800" height="600" fill="url(#g)"/>`);

interface Drawn {
  width: number;
  height: number;
  channels: number;
  at(x: number, y: number): number[];
}

export async function open(files: Files, name: string): Promise<Drawn> {
  const { data, info } = await sharp(files[name]).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (x: number, y: number) => {
    const from = (Math.floor(y) * width + Math.floor(x)) * channels;
    return [...data.subarray(from, from + channels)];
  };
  return { width, height, channels, at };
}

export const near = (pixel: readonly number[], right: readonly number[]): boolean =>
  pixel.every((value, c) => Math.abs(value - (right[c] ?? 255)) <= 6);
export const teal = [15, 118, 110];
export const white = [255, 255, 255];
