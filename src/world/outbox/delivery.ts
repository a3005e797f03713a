/** One event on its way to one endpoint (interface: "Retries"). */
import { machine } from "../machine.js";
import { minute, second, toIso } from "../time/time.js";

/** After the first attempt: the documented delays, on the account's clock. */
export const retryDelays = [1 * second, 5 * second, 30 * second, 5 * minute, 30 * minute] as const;

export interface DeliveryAttempt {
  at: string;
  /** HTTP status; null when no answer came. */
  status: number | null;
  /** Real ms from first byte out to last byte in. */
  duration_ms: number;
  response_headers: Record<string, string>;
  /** The first 4 KB. */
  response_body: string;
  error: string | null;
}

/** An attempt at `at` (ms on the account's clock) that has no answer yet, or ended in `error` without one. */
export const newAttempt = (at: number, error: string | null = null): DeliveryAttempt => ({
  at: toIso(at),
  status: null,
  duration_ms: 0,
  response_headers: {},
  response_body: "",
  error,
});

/** What a rule makes wrong with the first attempt; retries are genuine. */
export type Tampering = "signature" | "body" | "unsigned";

export interface DeliveryFields {
  event_id: string;
  event: string;
  endpoint_id: string;
  url: string;
  next_attempt_at: string | null;
  /** Retried by hand: one attempt, no further ones after it. */
  by_hand: boolean;
  /** The rule that had a say in how it leaves. */
  rule?: string;
  tamper?: Tampering;
  attempts: DeliveryAttempt[];
}

/** An attempt, and the instant at which it was due (ms on the account's clock), from which the next delay counts. */
export interface AttemptResult {
  attempt: DeliveryAttempt;
  due: number;
}

const hasSucceeded = ({ status }: DeliveryAttempt): boolean =>
  status !== null && status >= 200 && status < 300;

export const delivery = machine<DeliveryFields>()({
  name: "delivery",
  prefix: "dlv_",
  moves: {
    send: {
      from: "new",
      to: "pending",
      effect: (record, account) => account.outbox.attemptAt(record, account.clock.now()),
    },
    attempt: {
      from: "pending",
      to: "pending",
      effect: (record, account) => account.outbox.attemptAt(record, account.clock.now()),
    },
    record_attempt: {
      from: "pending",
      internal: true,
      to: (record, input) => {
        if (hasSucceeded((input as AttemptResult).attempt)) return "succeeded";
        return record.by_hand || record.attempts.length >= retryDelays.length ? "failed" : "pending";
      },
      effect(record, account, input) {
        const { attempt, due } = input as AttemptResult;
        record.attempts.push(attempt);
        const delay = retryDelays[record.attempts.length - 1];
        const next = record.state === "pending" && delay !== undefined ? due + delay : null;
        account.outbox.attemptAt(record, next);
      },
    },
    retry: {
      from: ["pending", "failed", "succeeded"],
      to: "pending",
      effect(record, account) {
        const ended = record.history.at(-1)?.from !== "pending";
        record.by_hand = record.by_hand || ended;
        account.outbox.attemptAt(record, account.clock.now());
      },
    },
  },
  view: (record) => ({ id: record.id, event: record.event, status: record.state }),
});
