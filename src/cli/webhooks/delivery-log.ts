/** Finds and formats the attempts that are new in a delivery log. */
import { maxAttempts } from "../../contract/retries.js";
import type { DeliveryEntry } from "../../library/types.js";
import { colors } from "../output/print.js";
import { toOneLine } from "../output/table.js";

const longestEvent = "virtual_account.created".length;

export type Attempt = ReturnType<typeof toAttempt>;

const toAttempt = (
  { event, event_id, id, attempts, next_attempt_at }: DeliveryEntry,
  { at, status, error, duration_ms }: DeliveryEntry["attempts"][number],
  index: number,
) => ({
  at,
  event,
  event_id,
  delivery_id: id,
  attempt: index + 1,
  of: maxAttempts,
  status,
  error,
  duration_ms,
  next_attempt_at: index === attempts.length - 1 ? next_attempt_at : null,
});

export function formatAttempt(entry: Attempt): string {
  const { at, event, delivery_id, attempt, status, error, duration_ms, next_attempt_at } = entry;
  const isSuccess = status !== null && status >= 200 && status < 300;
  const result = status === null ? toOneLine(error ?? "no answer") : String(status);
  return [
    at,
    event.padEnd(longestEvent),
    delivery_id,
    // Manual retries are not limited.
    attempt > maxAttempts ? `attempt ${attempt} (manual)` : `attempt ${attempt} of ${maxAttempts}`,
    isSuccess ? colors.green(result) : colors.red(result),
    `${Math.round(duration_ms)} ms`,
    ...(next_attempt_at ? [colors.dim(`next ${next_attempt_at}`)] : []),
  ].join("  ");
}

export class DeliveryLog {
  #seen: ReadonlySet<string>;

  constructor(earlier: readonly DeliveryEntry[]) {
    this.#seen = new Set(attemptsOf(earlier).map(attemptId));
  }

  /** Returns the attempts that were not in the log at the last call, in the order in which they were made. */
  newAttempts(deliveries: readonly DeliveryEntry[]): Attempt[] {
    const all = attemptsOf(deliveries);
    const seen = this.#seen;
    this.#seen = new Set(all.map(attemptId));
    return all
      .filter((attempt) => !seen.has(attemptId(attempt)))
      .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  }
}

/** Returns the attempts of the oldest deliveries first. The log has the newest first. */
const attemptsOf = (deliveries: readonly DeliveryEntry[]): Attempt[] =>
  deliveries
    .toReversed()
    .flatMap((delivery) => delivery.attempts.map((entry, index) => toAttempt(delivery, entry, index)));

/** Includes the time, because ids repeat after a reset. */
const attemptId = ({ delivery_id, attempt, at }: Attempt): string => `${delivery_id} ${attempt} ${at}`;
