import * as Type from "typebox";
import { operation } from "../operation.js";
import { MediaScanSummary, MediaType } from "./schemas.js";

export const listMediaScans = operation({
  id: "listMediaScans",
  route: "GET /v1/media-scan",
  summary: "List the media scans, most recent first",
  auth: "key",
  query: Type.Object({ media_type: Type.Optional(MediaType) }),
  reply: { 200: Type.Array(MediaScanSummary) },
  assumptions: ["lists"],
});
