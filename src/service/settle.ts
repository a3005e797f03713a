import type { DecidedBy, Decision } from "../contract/decision.js";

/** What the data says, where nothing else decided; it stands in the reply's X-Sandbox-Outcome. */
export function settle<O>(
  call: { outcome: O; decision: Decision<O> },
  outcome: O,
  by: DecidedBy = "people",
): void {
  call.outcome = outcome;
  call.decision.outcome = outcome;
  call.decision.by = by;
}
