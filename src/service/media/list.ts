import * as Type from "typebox";
import { operation } from "../operation.js";
import { type ScanRecord, scan, viewSummary } from "./machine.js";
import { MediaScanSummary, MediaType } from "./schemas.js";

/** Assumption lists. */
const mostListed = 100;

export const listMediaScans = operation({
  id: "listMediaScans",
  route: "GET /v1/media-scan",
  summary: "List the media scans, most recent first",
  auth: "key",
  query: Type.Object({ media_type: Type.Optional(MediaType) }),
  reply: { 200: Type.Array(MediaScanSummary) },
  assumptions: ["lists"],

  handle({ account, query: { media_type } }) {
    const records: ScanRecord[] = [];
    for (const record of account.state.newest<ScanRecord>(scan.name)) {
      if (media_type === undefined || record.media_type === media_type) records.push(record);
      if (records.length === mostListed) break;
    }
    return records.map(viewSummary);
  },
});
