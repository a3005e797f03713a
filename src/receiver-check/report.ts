/** The report on a receiver. */

/** `skipped`: not sent, because the receiver no longer answered. */
export type CheckVerdict = "pass" | "fail" | "advice" | "skipped";

export interface CheckResult {
  /** Group and name: `forged/truncated`. */
  id: string;
  /** Heading of the check's group. */
  group: string;
  title: string;
  sent: string;
  /** Expected behaviour. */
  right: string;
  /** The answers to the check's deliveries, in order. The status is null when no answer came. */
  answered: { status: number | null; duration_ms: number; error: string | null }[];
  verdict: CheckVerdict;
  /** One sentence that says what happened and what was expected. */
  says: string;
}

export interface ReceiverReport {
  url: string;
  /** Seed of the ids in the deliveries. The same seed sends the same ids. */
  seed: string;
  /** Time limit for an answer, in ms. */
  timeout_ms: number;
  /** Whether nothing failed and nothing was skipped. */
  passed: boolean;
  counts: Record<CheckVerdict, number>;
  /** Number of deliveries that the receiver answered. */
  answered: number;
  /** Likely common causes of many failures. */
  hints: string[];
  results: CheckResult[];
}

/** Returns the likely cause if all genuine deliveries were refused with the same kind of status. */
export function hintsOf(results: readonly CheckResult[]): string[] {
  const genuine = results
    .filter(({ id, verdict }) => /^(?:event|bytes)\//.test(id) && verdict !== "skipped")
    .flatMap(({ answered }) => answered);
  const all = (...statuses: number[]) =>
    genuine.length > 0 && genuine.every(({ status }) => status !== null && statuses.includes(status));
  if (all(401, 403)) return ["Every genuine delivery was refused. Does the receiver use this secret?"];
  if (all(404, 405)) return ["Nothing accepts deliveries at this URL. Is the path correct?"];
  return [];
}
