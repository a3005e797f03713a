import * as Type from "typebox";
import { operation } from "../operation.js";
import { conversionOutcomes, convertFile, replyWithFile } from "./file-conversion.js";

export const createStoreAssets = operation({
  id: "createStoreAssets",
  route: "POST /v1/tools/store-assets",
  summary: "Create every icon and screenshot size that the app stores require",
  description: "Free with the tools monthly pass.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    kind: Type.Enum(["icon", "screenshot", "splash"]),
    platform: Type.Enum(["play", "ios", "both"]),
  }),
  upload: {
    file: {
      maxMB: 15,
      types: ["image/png", "image/jpeg"],
      description: "PNG or JPG image",
      keep: true,
    },
  },
  reply: {
    200: {
      contentType: "application/zip",
      description: "Zip file of all images, each named by size and folder",
    },
  },
  refuses: ["file_unreadable", "not_installed", "insufficient_balance"],
  outcomes: conversionOutcomes,
  price: ({ account }) => (account.settings.tools_pass ? null : "store_assets"),
  assumptions: ["files.store_assets_limit"],

  prepare: (call) => convertFile(call, "store-assets", call.body),
  handle: (call) => replyWithFile(call, "application/zip", "zip"),
});
