/** Derives a verdict from signals, and adds a signal that explains a requested verdict; assumption media.verdicts. */
import type { Decision } from "../../contract/decision.js";
import type { Account } from "../../world/account/account.js";
import type { MediaFinding } from "./findings.js";
import { type MediaSignal, type MediaVerdict, type ScanFields, type ScanRecord, scan } from "./machine.js";

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

export function outcomeOf(findings: readonly MediaFinding[]): ScanOutcome {
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
  media_type: ScanFields["media_type"],
  findings: readonly MediaFinding[],
  own: ScanFields["own"],
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
