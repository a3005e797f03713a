import * as Type from "typebox";
import { newestOf } from "../newest.js";
import { operation } from "../operation.js";
import { scan, viewSummary } from "./machine.js";
import { MediaScanSummary, MediaType } from "./schemas.js";

export const listMediaScans = operation({
  id: "listMediaScans",
  route: "GET /v1/media-scan",
  summary: "List the media scans, most recent first",
  auth: "key",
  query: Type.Object({ media_type: Type.Optional(MediaType) }),
  reply: { 200: Type.Array(MediaScanSummary) },
  assumptions: ["lists"],

  handle: ({ account, query: { media_type } }) =>
    newestOf(account, scan, (record) => media_type === undefined || record.media_type === media_type).map(
      viewSummary,
    ),
});
