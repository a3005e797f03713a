/** Finds and formats the attempts that are new in a delivery log. */
import type { DeliveryEntry } from "../../library/types.js";
import { colors } from "../output/print.js";
import { toOneLine } from "../output/table.js";

/** One attempt and five retries (interface: "Retries"). */
const maxAttempts = 6;
const longestEvent = "virtual_account.created".length;

export class Attempt {
  constructor(
    readonly delivery: DeliveryEntry,
    readonly entry: DeliveryEntry["attempts"][number],
    /** From 1. */
    readonly number: number,
  ) {}

  get #isLast(): boolean {
    return this.number === this.delivery.attempts.length;
  }

  format(): string {
    const { delivery, entry, number } = this;
    const isSuccess = entry.status !== null && entry.status >= 200 && entry.status < 300;
    const result = entry.status === null ? toOneLine(entry.error ?? "no answer") : String(entry.status);
    return [
      entry.at,
      delivery.event.padEnd(longestEvent),
      delivery.id,
      // Manual retries are not limited.
      number > maxAttempts ? `attempt ${number} (manual)` : `attempt ${number} of ${maxAttempts}`,
      isSuccess ? colors.green(result) : colors.red(result),
      `${Math.round(entry.duration_ms)} ms`,
      ...(this.#isLast && delivery.next_attempt_at ? [colors.dim(`next ${delivery.next_attempt_at}`)] : []),
    ].join("  ");
  }

  toJson(): string {
    const { delivery, entry, number } = this;
    return JSON.stringify({
      at: entry.at,
      event: delivery.event,
      event_id: delivery.event_id,
      delivery_id: delivery.id,
      attempt: number,
      of: maxAttempts,
      status: entry.status,
      error: entry.error,
      duration_ms: entry.duration_ms,
      next_attempt_at: this.#isLast ? delivery.next_attempt_at : null,
    });
  }
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
      .sort((one, other) => (one.entry.at < other.entry.at ? -1 : Number(one.entry.at > other.entry.at)));
  }
}

/** The log has the newest deliveries first; the result has the oldest first. */
const attemptsOf = (deliveries: readonly DeliveryEntry[]): Attempt[] =>
  deliveries
    .toReversed()
    .flatMap((delivery) => delivery.attempts.map((entry, index) => new Attempt(delivery, entry, index + 1)));

/** Includes the time, because ids repeat after a reset. */
const attemptId = ({ delivery, entry, number }: Attempt): string => `${delivery.id} ${number} ${entry.at}`;
