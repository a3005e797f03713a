/** What a check of a receiver came to. */

/** `skipped`: it was not sent, since the receiver had gone or did not answer any more. */
export type Verdict = "pass" | "fail" | "advice" | "skipped";

export interface CheckResult {
  /** `forged/truncated` */
  id: string;
  /** The heading under which the check stands. */
  group: string;
  title: string;
  sent: string;
  /** What a right receiver does. */
  right: string;
  /** One for each delivery of the check, in order; status is null when no answer came. */
  answered: { status: number | null; duration_ms: number; error: string | null }[];
  verdict: Verdict;
  /** One sentence: what happened, and what would be right. */
  says: string;
}

export interface ReceiverReport {
  url: string;
  /** The same seed sends the same ids again. */
  seed: string;
  /** Ms that the receiver had for each answer. */
  timeout_ms: number;
  /** Nothing failed, and nothing was skipped. */
  passed: boolean;
  counts: Record<Verdict, number>;
  /** What many failures at once may come from. */
  hints: string[];
  results: CheckResult[];
}

/** Genuine deliveries that are all refused alike have one cause. */
export function hintsOf(results: readonly CheckResult[]): string[] {
  const genuine = results
    .filter(({ id, verdict }) => /^(?:event|bytes)\//.test(id) && verdict !== "skipped")
    .flatMap(({ answered }) => answered);
  const all = (...statuses: number[]) =>
    genuine.length > 0 && genuine.every(({ status }) => status !== null && statuses.includes(status));
  if (all(401, 403))
    return ["Every genuine delivery was refused: is the secret the one that the receiver has?"];
  if (all(404, 405)) return ["Nothing takes deliveries at this URL: is its path the receiver's?"];
  return [];
}
