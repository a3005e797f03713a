/** Interface: "Media scans": the record, its verdict, and the list of scans. */
import * as Type from "typebox";
import fixture from "../../../fixtures/media-signals.json" with { type: "json" };
import type { Decision } from "../../contract/operation.js";
import { exactly, id, naira, Timestamp } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { newestRecords } from "../account-records.js";
import { machine, record } from "../machine.js";
import { operation } from "../operation.js";

// Interface: "Media scan", with the fields of each media type. Assumption media.verdicts.

const assumed = { "x-assumption": "media.verdicts" };

export const MediaType = Type.Enum(["image", "video", "text"], { description: "Kind of media" });
const Count = Type.Integer({ minimum: 0 });

const Signal = exactly({
  category: Type.String(),
  severity: Type.Enum(["weak", "moderate", "strong"], assumed),
  title: Type.String(),
  detail: Type.String(),
  measured: Type.String({ description: "Measured value", ...assumed }),
});

const conclusion = {
  status: Type.Literal("completed", assumed),
  verdict: Type.Enum(["likely_authentic", "likely_ai", "likely_edited", "inconclusive"], assumed),
};

const scanReply = <Kind extends string, Own extends Type.TProperties>(kind: Kind, own: Own) =>
  exactly({
    id: id("scn_"),
    media_type: Type.Literal(kind),
    ...conclusion,
    signals: Type.Array(Signal, { description: "The signals that fired" }),
    signal_count: Count,
    ...own,
    cost: naira(),
    is_test: Type.Boolean(),
    created_at: Timestamp,
  });

const classifier_model = Type.String({ description: "Name of the classifier" });

export const ImageScan = scanReply("image", { classifier_model });

export const TextScan = scanReply("text", { classifier_model, text_char_count: Count });

export const VideoScan = scanReply("video", {
  duration_seconds: Type.Number({ minimum: 0 }),
  frames_sampled: Type.Integer({ minimum: 4, maximum: 30 }),
});

export const MediaScanSummary = exactly({
  id: id("scn_"),
  media_type: MediaType,
  ...conclusion,
  signal_count: Count,
  cost: naira(),
  created_at: Timestamp,
});

// Findings of a scan: the signals of its media type that fired (fixtures/media-signals.json), each with the verdict that it
// supports.

export interface MediaFinding {
  supports: Exclude<MediaVerdict, "inconclusive">;
  signal: MediaSignal;
}

type Rules = typeof fixture;
type Rule = Omit<MediaSignal, "measured"> & Pick<MediaFinding, "supports">;

/** Measured values by the names of their rules. A signal fires if its value is neither empty, null nor false. */
type Measured<Type extends keyof Rules> = {
  readonly [Name in keyof Rules[Type]]: Value;
};
type Value = string | null | undefined | false;

/** Returns the signals that fired, in the order of the rules. */
export function applyRules<Type extends keyof Rules>(type: Type, values: Measured<Type>): MediaFinding[] {
  const rules = Object.entries(fixture[type]) as [keyof Rules[Type], Rule][];
  return rules.flatMap(([name, { supports, ...rule }]) => {
    const measured: Value = values[name];
    return measured ? [{ supports, signal: { ...rule, measured } }] : [];
  });
}

// Derives a verdict from signals, and adds a signal that explains a requested verdict; assumption media.verdicts.

/** Outcomes of every scan. */
export const scanOutcomes = {
  authentic: "verdict likely_authentic",
  likely_ai: "verdict likely_ai",
  likely_edited: "verdict likely_edited",
  inconclusive: "verdict inconclusive",
} as const;
type ScanOutcome = keyof typeof scanOutcomes;

const weights = { weak: 1, moderate: 2, strong: 4 } as const;

/** Lowest total weight of signals that support a verdict. */
const minWeight = 3;

function outcomeOf(findings: readonly MediaFinding[]): ScanOutcome {
  const weigh = (verdict: MediaVerdict) =>
    findings
      .filter(({ supports }) => supports === verdict)
      .reduce((sum, { signal }) => sum + weights[signal.severity], 0);
  const [ai, edited, authentic] = [weigh("likely_ai"), weigh("likely_edited"), weigh("likely_authentic")];
  if (ai >= minWeight && ai >= edited) return "likely_ai";
  if (edited >= minWeight) return "likely_edited";
  return authentic >= minWeight && ai + edited < minWeight ? "authentic" : "inconclusive";
}

/** Signals of the simulated classifier for requested outcomes. */
const classifierSignals: Readonly<Record<ScanOutcome, Omit<MediaSignal, "category" | "measured">>> = {
  authentic: {
    severity: "strong",
    title: "No generated content detected",
    detail: "The classifier rates this as made by a person.",
  },
  inconclusive: {
    severity: "weak",
    title: "Classifier undecided",
    detail: "The classifier found equal evidence for both verdicts.",
  },
  likely_ai: {
    severity: "strong",
    title: "Generated content detected",
    detail: "The classifier rates this as made by a generative model.",
  },
  likely_edited: {
    severity: "strong",
    title: "Traces of editing",
    detail: "Parts differ from the rest in a way that is typical of editing.",
  },
};

interface ScanCall {
  account: Account;
  decision: Decision<ScanOutcome>;
  outcome: ScanOutcome;
  cost: number;
}

/** Saves a scan. The findings decide the verdict unless an outcome was requested. Call inside a commit. */
export function saveScan(
  { account, decision, outcome: requested, cost }: ScanCall,
  media_type: ScanRecord["media_type"],
  findings: readonly MediaFinding[],
  own: ScanRecord["own"],
): ScanRecord {
  const signals = findings.map(({ signal }) => signal);
  const isRequested = decision.by !== "default";
  const outcome = isRequested ? requested : outcomeOf(findings);
  if (!isRequested) decision.outcome = outcome;
  else {
    const measured = `requested by the outcome ${outcome}`;
    signals.unshift({ category: "classifier", ...classifierSignals[outcome], measured });
  }
  const verdict = outcome === "authentic" ? "likely_authentic" : outcome;
  return account.records.start(scan, "finish", {
    media_type,
    verdict,
    signals,
    own,
    cost,
    is_test: !account.live,
  });
}

// Interface: "Media scan", a completed scan with a single move so that it is stored among the records.

export type MediaVerdict = Type.Static<typeof conclusion.verdict>;

/** Names of the verdicts in sentences. */
const verdictNames: Readonly<Record<MediaVerdict, string>> = {
  likely_authentic: "likely authentic",
  likely_ai: "likely made by AI",
  likely_edited: "likely edited",
  inconclusive: "inconclusive",
};

export type MediaSignal = Type.Static<typeof Signal>;

/** Fields that only scans of one media type have. */
const Own = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));

export const scanRecord = record(MediaScanSummary, {
  hidden: { signals: Type.Array(Signal), own: Own, is_test: Type.Boolean() },
  states: ["completed"],
  view: { signal_count: ({ signals }) => signals.length },
});
type ScanRecord = RecordIn<typeof scanRecord>;

/** Returns the scan as its reply shows it. */
function viewScan(record: ScanRecord) {
  const { signals, own, is_test } = record;
  return { ...scanRecord.view(record), signals, ...own, is_test };
}

export const scan = machine(
  { ...scanRecord, view: viewScan },
  {
    name: "media_scan",
    prefix: "scn_",
    index: ["media_type"],
    moves: {
      finish: {
        from: "new",
        to: "completed",
        says: ({ media_type, verdict }) =>
          `A scan of ${media_type === "image" ? "an image" : `a ${media_type}`} was completed: ${verdictNames[verdict]}.`,
      },
    },
  },
);

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
    newestRecords(account, scan, { media_type }).map((record) => scanRecord.view(record)),
});
