/** What is new in a delivery log since the last look: attempts, in the order in which they were made. */
import type { DeliveryEntry } from "../../library/types.js";
import { colors } from "../colors.js";
import { oneLine } from "../table.js";

/** One, and five retries (interface: "Retries"). */
const mostAttempts = 6;
const longestKind = "virtual_account.created".length;

export class Attempt {
  constructor(
    readonly delivery: DeliveryEntry,
    readonly made: DeliveryEntry["attempts"][number],
    /** From 1. */
    readonly number: number,
  ) {}

  get #isLast(): boolean {
    return this.number === this.delivery.attempts.length;
  }

  describe(): string {
    const { delivery, made, number } = this;
    const fine = made.status !== null && made.status >= 200 && made.status < 300;
    const end = made.status === null ? oneLine(made.error ?? "no answer") : String(made.status);
    return [
      made.at,
      delivery.event.padEnd(longestKind),
      delivery.id,
      // Whoever retries by hand may go beyond.
      number > mostAttempts ? `attempt ${number}, by hand` : `attempt ${number} of ${mostAttempts}`,
      fine ? colors.green(end) : colors.red(end),
      `${Math.round(made.duration_ms)} ms`,
      ...(this.#isLast && delivery.next_attempt_at ? [colors.dim(`next ${delivery.next_attempt_at}`)] : []),
    ].join("  ");
  }

  toJson(): string {
    const { delivery, made, number } = this;
    return JSON.stringify({
      at: made.at,
      event: delivery.event,
      event_id: delivery.event_id,
      delivery_id: delivery.id,
      attempt: number,
      of: mostAttempts,
      status: made.status,
      error: made.error,
      duration_ms: made.duration_ms,
      next_attempt_at: this.#isLast ? delivery.next_attempt_at : null,
    });
  }
}

export class DeliveryLog {
  #seen: ReadonlySet<string>;

  constructor(earlier: readonly DeliveryEntry[]) {
    this.#seen = new Set(attemptsOf(earlier).map(nameOf));
  }

  news(deliveries: readonly DeliveryEntry[]): Attempt[] {
    const all = attemptsOf(deliveries);
    const before = this.#seen;
    this.#seen = new Set(all.map(nameOf));
    return all
      .filter((attempt) => !before.has(nameOf(attempt)))
      .sort((one, other) => (one.made.at < other.made.at ? -1 : Number(one.made.at > other.made.at)));
  }
}

/** Oldest deliveries first, as opposed to the log. */
const attemptsOf = (deliveries: readonly DeliveryEntry[]): Attempt[] =>
  deliveries
    .toReversed()
    .flatMap((delivery) => delivery.attempts.map((made, index) => new Attempt(delivery, made, index + 1)));

/** With its time: after a reset the same ids come again. */
const nameOf = ({ delivery, made, number }: Attempt): string => `${delivery.id} ${number} ${made.at}`;
