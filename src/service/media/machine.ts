/** Interface: "Media scan", a completed scan with a single move so that it is stored among the records. */

import { type Kobo, toNaira } from "../../world/money/money.js";
import type { Stored } from "../../world/records/machine.js";
import { machine } from "../machine.js";

export type MediaVerdict = "likely_authentic" | "likely_ai" | "likely_edited" | "inconclusive";

/** Names of the verdicts in sentences. */
const verdictNames: Readonly<Record<MediaVerdict, string>> = {
  likely_authentic: "likely authentic",
  likely_ai: "likely made by AI",
  likely_edited: "likely edited",
  inconclusive: "inconclusive",
};

export interface MediaSignal {
  category: string;
  severity: "weak" | "moderate" | "strong";
  title: string;
  detail: string;
  measured: string;
}

export interface ScanFields {
  media_type: "image" | "text" | "video";
  verdict: MediaVerdict;
  signals: MediaSignal[];
  /** Fields that only scans of this media type have. */
  own: Record<string, string | number>;
  cost: Kobo;
  is_test: boolean;
}

export type ScanRecord = Stored<ScanFields, "completed">;

export const viewScanSummary = (record: ScanRecord) => ({
  id: record.id,
  media_type: record.media_type,
  status: record.state,
  verdict: record.verdict,
  signal_count: record.signals.length,
  cost: toNaira(record.cost),
  created_at: record.created_at,
});

export const scan = machine<ScanFields>()({
  name: "media_scan",
  prefix: "scn_",
  index: ["media_type"],
  states: ["completed"],
  moves: {
    finish: {
      from: "new",
      to: "completed",
      says: ({ media_type, verdict }) =>
        `A scan of ${media_type === "image" ? "an image" : `a ${media_type}`} was completed: ${verdictNames[verdict]}.`,
    },
  },
  view: (record) => ({
    ...viewScanSummary(record),
    signals: record.signals,
    ...record.own,
    is_test: record.is_test,
  }),
});
