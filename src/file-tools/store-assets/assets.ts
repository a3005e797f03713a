/** The assets that the app stores require, from fixtures/store-assets.json. */
import table from "../../../fixtures/store-assets.json" with { type: "json" };

export type AssetKind = "icon" | "screenshot" | "splash";
export type Platform = "play" | "ios";
export type Format = "png" | "jpg";
export type AssetShape = keyof typeof table.shapes;

export interface Asset {
  platform: Platform;
  kind: AssetKind;
  folder: string;
  name: string;
  width: number;
  height: number;
  /** Whether the file has an alpha channel. */
  alpha: boolean;
  /** Accepted formats. */
  formats: readonly Format[];
  max_bytes: number | null;
  shape: AssetShape;
  /** Device idioms of the Xcode asset catalogue entries that use the file. */
  idioms?: readonly string[];
}

const assets = table.assets as readonly Asset[];

export const assetsFor = (kind: AssetKind, platform: Platform | "both"): readonly Asset[] =>
  assets.filter((asset) => asset.kind === kind && (platform === "both" || asset.platform === platform));

/** Returns the share of the canvas that the picture may fill. */
export const pictureShare = ({ kind, shape }: Asset): number =>
  kind === "splash" && shape === "whole" ? splashPictureShare : table.shapes[shape].share;

/** Share of the shorter side; the rest of a splash screen is background. */
const splashPictureShare = 0.4;

export const assetPath = ({ folder, name, width, height }: Asset, format: Format): string =>
  `${folder}/${name}-${width}x${height}.${format}`;
