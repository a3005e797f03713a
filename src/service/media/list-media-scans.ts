import * as Type from "typebox";
import { newestRecords } from "../account-records.js";
import { operation } from "../operation.js";
import { scan, viewScanSummary } from "./machine.js";
import { MediaScanSummary, MediaType } from "./schemas.js";

export const listMediaScans = operation({
  id: "listMediaScans",
  route: "GET /v1/media-scan",
  summary: "List media scans, most recent first",
  description: "Summaries without signals, of all media types by default.",
  auth: "key",
  query: Type.Object({ media_type: Type.Optional(MediaType) }),
  reply: { 200: Type.Array(MediaScanSummary) },
  assumptions: ["lists"],

  handle: ({ account, query: { media_type } }) =>
    newestRecords(account, scan, { media_type }).map(viewScanSummary),
});
