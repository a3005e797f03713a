/** What the control API answers, as the library's users see it. Times are ISO 8601 on the account's clock. */
import type { EventKind, OperationId } from "./names.js";
import type { RuleInput } from "./rule-types.js";

export interface InboxMessage {
  id: string;
  channel: "sms" | "chat" | "email";
  to: string;
  from: string;
  text: string;
  /** One-time codes in the text. */
  codes: string[];
  links: string[];
  created_at: string;
}

export interface ClockState {
  now: string;
  mode: "running" | "frozen";
  next_due: string | null;
}

export interface AdvanceResult {
  now: string;
  /** What fell due on the way, in order. */
  ran: ({ at: string; kind: string } & Record<string, unknown>)[];
}

export interface RecordEntry {
  id: string;
  machine: string;
  state: string;
  /** The record as the service shows it. */
  record: Record<string, unknown>;
  /** Legal from here; `to` is `computed` where it depends on the move's input. */
  moves: { move: string; to: string }[];
  history: { at: string; move: string; from: string; to: string; by: string }[];
}

export interface EventEntry {
  id: string;
  event: EventKind;
  created_at: string;
  data: Record<string, unknown>;
}

export interface WebhookEntry {
  id: string;
  url: string;
  /** Kinds, or `*`. */
  events: (EventKind | "*")[];
  description: string | null;
  secret: string;
  status: "enabled";
  is_test: boolean;
  created_at: string;
}

export interface DeliveryEntry {
  id: string;
  event_id: string;
  event: EventKind;
  endpoint_id: string;
  url: string;
  status: "pending" | "succeeded" | "failed";
  next_attempt_at: string | null;
  /** The rule that had a say in how it leaves. */
  rule: string | null;
  attempts: {
    at: string;
    status: number | null;
    /** Real ms. */
    duration_ms: number;
    request_headers: Record<string, string>;
    request_body: string;
    response_headers: Record<string, string>;
    response_body: string;
    error: string | null;
  }[];
}

export interface RequestEntry {
  id: string;
  at: string;
  operation: OperationId | null;
  method: string;
  path: string;
  /** Null: a fault reset the connection before anything happened. */
  status: number | null;
  error_code: string | null;
  outcome: string | null;
  /** What went wrong as a rule asked for it, such as `reply=truncated`. */
  fault: string | null;
  duration_ms: number;
  headers: Record<string, string>;
  body: string | null;
  reply: string | null;
}

/** Every part that is present must match. A text of the form `/…/` is a regular expression for the whole value. */
export interface RequestExpectation
  extends Pick<NonNullable<RuleInput["when"]>, "path" | "query" | "headers" | "body"> {
  operation: OperationId;
  status?: number;
  /** Exactly so many, or least and most; absent: at least one. */
  times?: number | { min?: number; max?: number };
}

export interface Expectation {
  matched: boolean;
  count: number;
  /** Such as `at least 1`. */
  expected: string;
  /** Those that match, newest first, at most 20. */
  requests: RequestEntry[];
  /** The three that miss by the fewest differences, when too few match; `actual` is absent where nothing is there. */
  nearest: {
    request: RequestEntry;
    differences: { at: string; expected: unknown; actual?: unknown }[];
  }[];
}

/** The scenario that an account plays. */
export interface ScenarioState {
  /** As in `scenarios/{name}.yaml`. */
  name: string;
  title: string;
  description: string | null;
  loaded_at: string;
  /** What was made, by section: the replies of the operations that made it. */
  given: Record<string, unknown>;
  timeline: { do: string; ran: number; next_at: string | null; error: string | null }[];
}

export interface ScenarioEntry {
  name: string;
  title: string;
  description: string | null;
  /** Steps of its walk-through. */
  steps: number;
}

/** An account's whole state. Opaque, and safe to keep in a file: `restore` takes it on whatever sandbox. */
export interface Snapshot {
  standin: { format: 1; version: string };
  mode: "test" | "live";
  /** A restored clock is frozen here. */
  clock: { now: string };
  state: Record<string, Record<string, unknown>>;
  checksum: string;
}

export interface RestoreResult {
  restored: true;
  now: string;
  /** Of all tables but the account's own. */
  records: number;
}

interface Share {
  exercised: number;
  total: number;
}

/** What clients have tried, and, with a count of 0, what they have not. In memory, since the sandbox was started. */
export interface CoverageReport {
  summary: { operations: Share; outcomes: Share; transitions: Share; events: Share };
  /** All of the service, in its order. */
  operations: {
    operation: string;
    method: string;
    path: string;
    calls: number;
    /** Replies by status, such as `{"200": 3}`. */
    statuses: Record<string, number>;
    /** How often a reply said that it was decided so (`X-Sandbox-Outcome`). */
    outcomes: { name: string; count: number }[];
  }[];
  /** One for each state that a move leaves; `to` is `computed` where it depends on the record or the move's input. */
  transitions: { machine: string; move: string; from: string; to: string; count: number }[];
  /** Those that were triggered by hand do not count; `operations` may lead to the event. */
  events: { event: string; count: number; operations: string[] }[];
}

export interface CoverageOptions {
  /** Count anew from here on; the report has what was counted until now. */
  reset?: boolean;
}

export interface PactOptions {
  /** `requests` (the default): the calls of the service. `webhooks`: the deliveries, held against their receiver. */
  of?: "requests" | "webhooks";
  /** Names in the pact; of requests `client` and `service`, of webhooks `service` and `receiver` unless given. */
  consumer?: string;
  provider?: string;
}

export interface ExportedPact {
  /** A Pact file of version 4: write it as JSON. */
  pact: {
    consumer: { name: string };
    provider: { name: string };
    interactions: ({ description: string } & Record<string, unknown>)[];
    metadata: Record<string, unknown>;
  };
  /** What of the traffic is not in it, and why. */
  left_out: string[];
}
