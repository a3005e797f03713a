/** What the control API answers, as the library's users see it. Times are ISO 8601 on the account's clock. */

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
  event: string;
  created_at: string;
  data: Record<string, unknown>;
}

export interface DeliveryEntry {
  id: string;
  event_id: string;
  event: string;
  endpoint_id: string;
  url: string;
  status: "pending" | "succeeded" | "failed";
  next_attempt_at: string | null;
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
  operation: string | null;
  method: string;
  path: string;
  status: number;
  error_code: string | null;
  outcome: string | null;
  duration_ms: number;
  headers: Record<string, string>;
  body: string | null;
  reply: string | null;
}

/** Every part that is present must match. A text of the form `/…/` is a regular expression for the whole value. */
export interface RequestExpectation extends NonNullable<RuleInput["when"]> {
  /** Operation id. */
  operation: string;
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

export interface RuleInput {
  /** Operation id. */
  on: string;
  when?: {
    path?: string;
    query?: Record<string, unknown>;
    headers?: Record<string, string>;
    body?: Record<string, unknown>;
  };
  outcome: string;
  /** Uses; absent: without end. */
  times?: number;
  /** From 0 to 1, drawn from the account's seed. */
  probability?: number;
}

export interface Rule extends Required<Omit<RuleInput, "times">> {
  id: string;
  times: number | null;
  used: number;
  created_at: string;
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
