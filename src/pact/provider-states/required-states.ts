/** Which provider states an exchange needs: one row an operation, one a refusal. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import type { AnyOperation } from "../../contract/operation.js";
import { outcomesOf } from "../../rules/outcomes.js";
import {
  always,
  by,
  deciding,
  fieldOf,
  listOf,
  type Need,
  need,
  nothing,
  type Row,
  type Seen,
} from "./state-selectors.js";

/** NGN: what a payment may be is ten times more. */
const mostCovered = 100_000_000;

/** A payment that covers what the request asks for, and fees. */
const covering =
  (state: string, from: Need["from"] = {}): Row =>
  ({ code, body: { amount } }) => {
    if (typeof amount !== "number" || amount <= 0) return need(state, from);
    if (amount > mostCovered) return code === null ? null : need(state, from);
    return need(state, from, { amount: Math.ceil(amount * 1.02) + 20_000 });
  };

/** NGN: no payment is less. */
const leastPayment = 100;

const phoneStates: Readonly<Record<string, string>> = {
  pending: "a pending phone verification",
  verified: "a verified phone verification",
  expired: "an expired phone verification",
  max_attempts_reached: "a locked phone verification",
};

/** The check that verifies finds a pending one, with the right code; so does, once more, a check after that. */
const phoneCheck: Row = (seen) => {
  const isRight = fieldOf(seen, "verified") === true;
  const status = isRight && !seen.again ? "pending" : String(fieldOf(seen, "status") ?? "pending");
  const state = phoneStates[status];
  const from = isRight ? { "body.id": "id", "body.code": "code" } : { "body.id": "id" };
  return state === undefined ? null : deciding(["verified", "status"], need(state, from));
};

const channel = { "path.channel_id": "channel_id" };

const channelCode: Row = (seen) => {
  const open = { ...channel, "body.to": "to" };
  const reason = fieldOf(seen, "valid") === true ? "right_code" : (fieldOf(seen, "reason") ?? "wrong_code");
  const rows: Readonly<Record<string, Need[]>> = {
    right_code: need("a pending channel code", { ...open, "body.code": "code" }),
    wrong_code: need("a pending channel code", open),
    no_pending_code: need("a connected channel", channel),
  };
  const needs = rows[String(reason)];
  return needs ? deciding(["valid", "reason"], needs) : null;
};

const channelMessage: Row = (seen) =>
  deciding(
    ["session_active"],
    fieldOf(seen, "session_active") === false
      ? need("a connected channel", channel)
      : need("an open message window", { ...channel, "body.to": "to" }),
  );

const paymentStates: Readonly<Record<string, string>> = {
  success: "a received payment",
  held: "a held payment",
};

/** No state has a failed one. */
const listPayments: Row = (seen) => {
  const { status = "success", virtual_account_id } = seen.query;
  const state = paymentStates[String(status)];
  const filled = listOf(state ?? "a received payment")(seen);
  if (state === undefined && filled.length > 0) return null;
  if (virtual_account_id === undefined) return filled;
  const account = { "query.virtual_account_id": "virtual_account_id" };
  return need(filled.length > 0 ? (state as string) : "a virtual account", account);
};

const byOperation: Readonly<Record<string, Row>> = {
  checkPhoneVerification: phoneCheck,
  submitAddressLocation: always("a pending address check", { "path.id": "id" }),
  listStreamingSessions: listOf("a completed real-time session"),
  listAudits: listOf("a ready audit"),
  listMediaScans: listOf("a media scan"),
  getAudit: by(
    "status",
    { ready: "a ready audit", pending: "a pending deep audit", failed: "a failed deep audit" },
    "a ready audit",
    { "path.id": "id" },
  ),
  startDomainVerification: ({ status, body: { domain } }) =>
    status === 200 ? need("a pending domain", {}, { domain }) : [],
  checkDomainVerification: by(
    "verified",
    { true: "a published domain proof", false: "a pending domain" },
    "a pending domain",
    { "path.domain_id": "domain_id" },
  ),
  listChannels: listOf("a connected channel"),
  connectChannel: always("a disconnected channel", channel),
  sendChannelMessage: channelMessage,
  sendChannelCode: always("a connected channel", channel),
  checkChannelCode: channelCode,
  startIdentityCheck: always("a connected channel", channel),
  getIdentityCheck: by(
    "status",
    { pending: "an open identity question", verified: "an answered identity question" },
    "an open identity question",
    { ...channel, "path.verification_id": "id" },
  ),
  createVirtualAccount: always("a business profile"),
  createCharge: always("a business profile"),
  listVirtualAccounts: listOf("a virtual account"),
  listPayments,
  simulatePayment: always("a virtual account", { "body.virtual_account_id": "virtual_account_id" }),
  createPayout: covering("a settled balance"),
  createRefund: covering("a received payment", { "body.payment_id": "payment_id" }),
  listBusinessEvents: listOf("a received payment"),
  registerWebhook: ({ status, body: { url } }) =>
    status === 200 ? need("a registered webhook", {}, { url }) : [],
};

/** Refusals that come of what is not there, or of what is; by operation and code where it depends on both. */
const byCode: Readonly<Record<string, Row>> = {
  resource_not_found: nothing,
  business_profile_required: nothing,
  payout_account_required: nothing,
  test_mode_only: nothing,
  channel_not_connected: always("a disconnected channel", channel),
  insufficient_available_balance: always("a payout account"),
  not_refundable: always("a held payment", { "body.payment_id": "payment_id" }),
  refund_exceeds_payment: ({ body: { amount } }) =>
    typeof amount === "number" && amount > leastPayment
      ? need("a received payment", { "body.payment_id": "payment_id" }, { amount: leastPayment })
      : null,
  duplicate_reference: ({ body: { reference } }) => need("a virtual account", {}, { reference }),
  // The profile is looked for first.
  "simulatePayment resource_not_found": always("a business profile"),
  code_expired: always("an expired phone verification", { "body.id": "id" }),
  too_many_attempts: always("a locked phone verification", { "body.id": "id" }),
  "submitAddressLocation invalid_state": always("a verified address", { "path.id": "id" }),
  "connectChannel invalid_state": always("a connected channel", channel),
};

/** What is free once costs only then. */
const freeOnce: Readonly<Record<string, Need[]>> = {
  createAudit: need("a ready audit", {}, { tier: "standard" }),
  scanText: need("a media scan", {}, { media_type: "text" }),
  scanImage: need("a media scan", {}, { media_type: "image" }),
};

/** What a refusal needs beyond what the call needs. */
const added: Readonly<Record<string, Need[]>> = {
  insufficient_balance: need("an empty wallet"),
  plan_required: need("a plan", {}, { plan: "starter" }),
};

/** Null: the catalogue has no state for it. */
export function needsOf(operation: AnyOperation, seen: Seen): Need[] | null {
  const { id } = operation;
  const { code, outcome } = seen;
  const base = byOperation[id] ?? nothing;
  // Refused before any outcome.
  if (code !== null && code in added) {
    const once = code === "insufficient_balance" ? (freeOnce[id] ?? []) : [];
    return plus(base(seen), [...once, ...(added[code] as Need[])]);
  }
  if (outcome !== null) {
    if (!(outcome in outcomesOf(operation))) return null;
    return plus(base(seen), need("an outcome", {}, { operation: id, outcome }));
  }
  if (code === null) return base(seen);
  const row = byCode[`${id} ${code}`] ?? byCode[code];
  if (row) return row(seen);
  // What is wrong with the request itself is wrong in every state.
  return "validation" in errors[code as ErrorCode] ? base(seen) : null;
}

const plus = (needs: Need[] | null, more: Need[]): Need[] | null => needs && [...needs, ...more];
