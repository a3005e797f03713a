/** From signals to a verdict, and from a verdict that was asked for to signals that bear it out; assumption media.verdicts. */
import type { Decision } from "../../contract/decision.js";
import type { Account } from "../../world/account.js";
import type { Finding } from "./findings.js";
import { type ScanFields, type ScanRecord, type Signal, scan, type Verdict } from "./machine.js";
import type { scanOutcomes } from "./outcomes.js";

export type ScanOutcome = keyof typeof scanOutcomes;

const weights = { weak: 1, moderate: 2, strong: 4 } as const;

/** The weight from which on a verdict stands. */
const enough = 3;

export function verdictOf(findings: readonly Finding[]): Verdict {
  const weigh = (verdict: Verdict) =>
    findings
      .filter(({ speaksFor }) => speaksFor === verdict)
      .reduce((sum, { signal }) => sum + weights[signal.severity], 0);
  const [ai, edited, authentic] = [weigh("likely_ai"), weigh("likely_edited"), weigh("likely_authentic")];
  if (ai >= enough && ai >= edited) return "likely_ai";
  if (edited >= enough) return "likely_edited";
  return authentic >= enough && ai + edited < enough ? "likely_authentic" : "inconclusive";
}

const outcomeOf: Readonly<Record<Verdict, ScanOutcome>> = {
  likely_authentic: "authentic",
  likely_ai: "likely_ai",
  likely_edited: "likely_edited",
  inconclusive: "inconclusive",
};
const verdicts: Readonly<Record<ScanOutcome, Verdict>> = {
  authentic: "likely_authentic",
  likely_ai: "likely_ai",
  likely_edited: "likely_edited",
  inconclusive: "inconclusive",
};

/** What the classifier is made to say for a verdict that was asked for. */
const said: Readonly<Record<ScanOutcome, Omit<Signal, "category">>> = {
  authentic: {
    severity: "strong",
    title: "Classifier sees no generated content",
    detail: "The classifier puts it among the works of people.",
    measured: "asked for by the outcome authentic",
  },
  inconclusive: {
    severity: "weak",
    title: "Classifier cannot tell",
    detail: "The classifier finds as much for one verdict as for another.",
    measured: "asked for by the outcome inconclusive",
  },
  likely_ai: {
    severity: "strong",
    title: "Classifier sees generated content",
    detail: "The classifier puts it among the works of generative models.",
    measured: "asked for by the outcome likely_ai",
  },
  likely_edited: {
    severity: "strong",
    title: "Traces of editing",
    detail: "Parts of it differ from the rest in a way that editing leaves.",
    measured: "asked for by the outcome likely_edited",
  },
};

interface ScanCall {
  account: Account;
  decision: Decision<ScanOutcome>;
  outcome: ScanOutcome;
  cost: number;
}

/** Keeps the scan. What was measured decides, where nothing else did. */
export function keepScan(
  call: ScanCall,
  media_type: ScanFields["media_type"],
  findings: readonly Finding[],
  own: ScanFields["own"],
): ScanRecord {
  const { account, decision, outcome, cost } = call;
  const signals = findings.map(({ signal }) => signal);
  if (decision.by === "default") decision.outcome = outcomeOf[verdictOf(findings)];
  else signals.unshift({ category: "classifier", ...said[outcome] });
  const verdict = verdicts[decision.by === "default" ? decision.outcome : outcome];
  return account.records.start(scan, "finish", {
    media_type,
    verdict,
    signals,
    own,
    cost,
    is_test: !account.live,
  });
}
