/** What the stores ask for: the rows of fixtures/store-assets.json. */
import table from "../../../fixtures/store-assets.json" with { type: "json" };

export type Kind = "icon" | "screenshot" | "splash";
export type Platform = "play" | "ios";
export type Format = "png" | "jpg";
export type Shape = keyof typeof table.shapes;

export interface Asset {
  platform: Platform;
  kind: Kind;
  folder: string;
  name: string;
  width: number;
  height: number;
  /** A channel is there where the store takes one, and only there. */
  alpha: boolean;
  /** The first suits pictures of few colours, the second photos. */
  formats: readonly Format[];
  max_bytes: number | null;
  shape: Shape;
  /** Which entries of an Xcode asset catalogue it serves. */
  idioms?: readonly string[];
}

const assets = table.assets as readonly Asset[];

export const assetsFor = (kind: Kind, platform: Platform | "both"): readonly Asset[] =>
  assets.filter((asset) => asset.kind === kind && (platform === "both" || asset.platform === platform));

/** How much of the canvas the picture may fill. */
export const shareOf = ({ kind, shape }: Asset): number =>
  kind === "splash" && shape === "whole" ? splashShare : table.shapes[shape].share;

/** Of the shorter side: the rest of a splash screen is its background. */
const splashShare = 0.4;

export const pathOf = ({ folder, name, width, height }: Asset, format: Format): string =>
  `${folder}/${name}-${width}x${height}.${format}`;
