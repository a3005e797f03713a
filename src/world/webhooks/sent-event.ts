/** Events as they are sent to receivers, and the signatures of their bodies (interface: "Signature"). */

import { createHmac } from "node:crypto";
import { formatSpaced } from "../../contract/json.js";

export interface SentEvent {
  id: string;
  event: string;
  created_at: string;
  data: unknown;
  /** Body that every attempt sends, byte for byte. */
  body: string;
  /** Sentence of the move that emitted it. Omitted if a tester triggered it. */
  says?: string;
  /** Whether a tester triggered the event without any change on the account. */
  by_hand?: true;
}

export interface PayloadFacts {
  /** `evt_…` */
  id: string;
  event: string;
  /** ISO 8601. */
  created_at: string;
  is_test: boolean;
  data: unknown;
}

/** How the JSON of a payload may be written; assumption webhooks.bytes. */
export const payloadForms = ["spaced", "compact"] as const;
export type PayloadBytes = (typeof payloadForms)[number];

/** Formats a payload as JSON, either as JSON.stringify writes it or with spaces, which a receiver that serialises it again loses. */
export const formatPayload = (payload: object, bytes: PayloadBytes = "spaced"): string =>
  bytes === "compact" ? JSON.stringify(payload) : formatSpaced(payload);

/** The form of events at a receiver, by assumption. */
export interface WebhookAssumptions {
  /** `bare`: payloads are `{event,created_at,data}`. */
  "webhooks.payload": "extended" | "bare";
  /** `endpoint`: each endpoint has its own webhook secret. */
  "webhooks.secret": "account" | "endpoint";
  "webhooks.bytes": PayloadBytes;
}

export interface PayloadForm {
  /** Job id. If set, the payload is the documented one of verification.completed. */
  jobId?: string | undefined;
  /** Whether to omit id and is_test. */
  bare?: boolean;
}

/**
 * Returns the payload `{id,event,created_at,is_test,data}` (assumption webhooks.payload), without id and is_test where
 * payloads are bare; with a job id the documented one of verification.completed, `{event,job_id,created_at,data}`
 * (interface: "Delivery payload").
 */
export function eventPayload(facts: PayloadFacts, { jobId, bare = false }: PayloadForm): object {
  const { id, event, created_at, is_test, data } = facts;
  if (jobId !== undefined) return { event, job_id: jobId, created_at, data };
  return bare ? { event, created_at, data } : { id, event, created_at, is_test, data };
}

/** Returns the lowercase hex HMAC-SHA256 of the body, keyed with the literal secret string. */
export const sign = (body: string | Uint8Array, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");
