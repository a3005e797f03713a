/** The outcome that is chosen for a request. */
import type { ErrorCode } from "./errors.js";

/** Outcomes that every operation of the service has: each is the refusal of the same name. */
export const commonOutcomes = {
  internal_error: "the service fails with 500",
  provider_unavailable: "the upstream provider is down, 503",
  provider_timeout: "the upstream provider does not respond in time, 504",
  rate_limited: "the request is refused with 429",
} as const satisfies Partial<Record<ErrorCode, string>>;
export type CommonOutcome = keyof typeof commonOutcomes;

/** Sources of an outcome. `people` and `address`: it follows from the submitted numbers, files or location. */
export const outcomeSources = ["header", "rule", "test-value", "people", "address", "default"] as const;
export type DecidedBy = (typeof outcomeSources)[number];

export interface Decision<O = string | null> {
  /** Null if the operation has common outcomes only and none of them was requested. */
  outcome: O;
  by: DecidedBy;
  /** Error that a rule requests in place of an outcome; `retryAfter` in seconds. */
  error?: { code: ErrorCode; retryAfter: number | null };
}
