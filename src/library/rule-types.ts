/** Rules, as the library's users write and see them. */
import type { ErrorCode, EventKind, OperationId, OutcomeName } from "./names.js";

/** What a rule is about: an operation, or `*` for each; for deliveries an event kind, or `webhooks` for each. */
export type RuleSubject = OperationId | "*" | EventKind | "webhooks";

/** Real time until the reply: a duration, a range drawn from the account's seed, or the time that the interface gives. */
export type FaultLatency = string | { min: string; max: string };

/** What goes wrong between client and service. */
export interface Fault {
  latency?: FaultLatency;
  /** An error code that the operation declares. */
  error?: ErrorCode;
  /** Seconds, in the Retry-After of the error; a 429 has 60 without. */
  retry_after?: number;
  /** `reset_before`: nothing has happened; `reset_after`: all has happened, and no byte of the reply comes. */
  reply?: "reset_before" | "reset_after" | "reset_during" | "truncated" | "malformed" | "trickle";
  /** Real time that a trickling body takes; absent: 5s. */
  over?: string;
}

/** What goes wrong with webhook deliveries. */
export interface Adversity {
  /** So many more deliveries of the same event, at most 10. */
  duplicate?: number;
  /** Of the first attempt, on the account's clock. */
  delay?: string | { min: string; max: string };
  /** Held back until the next event has overtaken it, at most 2 minutes. */
  reorder?: true;
  /** Never sent; stands alone. */
  drop?: true;
  /** The first attempt has a wrong signature, a changed body or no signature; retries are genuine. */
  tamper?: "signature" | "body" | "unsigned";
}

/** What a rule does: to requests an outcome, a fault or both, to deliveries a webhook. */
export interface RuleEffect {
  outcome?: OutcomeName;
  fault?: Fault;
  webhook?: Adversity;
}

export interface RuleStage extends RuleEffect {
  /** Uses; absent: without end. */
  times?: number;
  /** From 0 to 1, drawn from the account's seed. */
  probability?: number;
}

export interface RuleInput extends RuleStage {
  on: RuleSubject;
  /** Every part that is present must match: objects by the fields named, `/…/` by pattern, `<string>` by type. */
  when?: {
    path?: string;
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    headers?: Record<string, string>;
    body?: Record<string, unknown>;
    files?: Record<string, unknown>;
    /** Of a delivery; by pattern too. */
    event?: EventKind | `/${string}/` | `<${string}>`;
    data?: Record<string, unknown>;
    url?: string;
  };
  /** Higher counts first, and among equals the newest; absent: 0. */
  priority?: number;
  /** So many matches are let pass first. */
  after?: number;
  /** What the rule becomes when its times are over, one after the other. */
  next?: RuleStage[];
}

export interface Rule
  extends Required<Pick<RuleInput, "on" | "when" | "priority" | "after" | "next">>,
    RuleEffect {
  id: string;
  /** Uses left; null: without end. */
  times: number | null;
  probability: number;
  /** The scenario with which it came, and leaves. */
  scenario: string | null;
  used: number;
  created_at: string;
  /** Why it applies no more, such as a pattern that takes too long. */
  stopped?: string;
}
