/** The table of the provider states that each operation and each refusal requires. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import type { AnyOperation } from "../../contract/operation.js";
import { outcomesOf } from "../../rules/outcomes.js";
import type { operationIds } from "../../service/index.js";
import type { ProviderStateName } from "./provider-states.js";
import {
  alwaysRequires,
  byReplyField,
  deciding,
  ifListFilled,
  type ObservedExchange,
  type RequiredState,
  replyField,
  requires,
  requiresNothing,
  type StateSelector,
} from "./state-selectors.js";

type OperationId = (typeof operationIds)[number];

/** Largest payout or refund that a payment is sized for, in NGN. The maximum of a payment is ten times as much. */
const maxCoveredAmount = 100_000_000;

/** Sizes the state's payment so that it covers the requested amount and the fees. */
const covering =
  (state: ProviderStateName, from: RequiredState["from"] = {}): StateSelector =>
  ({ code, body: { amount } }) => {
    if (typeof amount !== "number" || amount <= 0) return requires(state, from);
    if (amount > maxCoveredAmount) return code === null ? null : requires(state, from);
    return requires(state, from, { amount: Math.ceil(amount * 1.02) + 20_000 });
  };

/** Smallest possible payment, in NGN. */
const minPayment = 100;

const phoneStates: Readonly<Record<string, ProviderStateName>> = {
  pending: "a pending phone verification",
  verified: "a verified phone verification",
  expired: "an expired phone verification",
  max_attempts_reached: "a locked phone verification",
  // Of either kind, under assumption phone.states.
  failed: "a locked phone verification",
};

/**
 * The first check with the right code finds a pending verification. A repeated one finds it verified, and is about the
 * right code whatever the reply: assumption phone.code_reuse.
 */
const phoneCheck: StateSelector = (exchange) => {
  const isRight = replyField(exchange, "verified") === true;
  const status = isRight && !exchange.again ? "pending" : String(replyField(exchange, "status") ?? "pending");
  const state = phoneStates[status];
  const hasRightCode = isRight || (exchange.again && status === "verified");
  const from = hasRightCode ? { "body.id": "id", "body.code": "code" } : { "body.id": "id" };
  return state === undefined ? null : deciding(["verified", "status"], requires(state, from));
};

const channel = { "path.channel_id": "channel_id" };
const channelAndNumber = { ...channel, "body.to": "to" };

const channelCode: StateSelector = (exchange) => {
  const isRight = replyField(exchange, "valid") === true;
  const reason = isRight ? "right_code" : (replyField(exchange, "reason") ?? "wrong_code");
  const states: Readonly<Record<string, RequiredState[]>> = {
    right_code: requires("a pending channel code", { ...channelAndNumber, "body.code": "code" }),
    wrong_code: requires("a pending channel code", channelAndNumber),
    no_pending_code: requires("a connected channel", channel),
  };
  const required = states[String(reason)];
  return required ? deciding(["valid", "reason"], required) : null;
};

const channelMessage: StateSelector = (exchange) =>
  deciding(
    ["session_active"],
    replyField(exchange, "session_active") === false
      ? requires("a connected channel", channel)
      : requires("an open message window", channelAndNumber),
  );

const paymentStates: Readonly<Record<string, ProviderStateName>> = {
  success: "a received payment",
  held: "a held payment",
  failed: "a failed payment",
};

const listPayments: StateSelector = (exchange) => {
  const { status = "success", virtual_account_id } = exchange.query;
  const filled = ifListFilled(paymentStates[String(status)] ?? "a received payment")(exchange);
  if (virtual_account_id === undefined) return filled;
  const account = { "query.virtual_account_id": "virtual_account_id" };
  return filled.length > 0
    ? filled.map((state) => ({ ...state, from: account }))
    : requires("a virtual account", account);
};

const byOperation: Readonly<Record<string, StateSelector>> = {
  checkPhoneVerification: phoneCheck,
  submitAddressLocation: alwaysRequires("a pending address check", { "path.id": "id" }),
  listStreamingSessions: ifListFilled("a completed real-time session"),
  listAudits: ifListFilled("a ready audit"),
  listMediaScans: ifListFilled("a media scan"),
  getAudit: byReplyField(
    "status",
    { ready: "a ready audit", pending: "a pending deep audit", failed: "a failed deep audit" },
    "a ready audit",
    { "path.id": "id" },
  ),
  startDomainVerification: ({ status, body: { domain } }) =>
    status === 200 ? requires("a pending domain", {}, { domain }) : [],
  checkDomainVerification: byReplyField(
    "verified",
    { true: "a published domain proof", false: "a pending domain" },
    "a pending domain",
    { "path.domain_id": "domain_id" },
  ),
  listChannels: ifListFilled("a connected channel"),
  connectChannel: alwaysRequires("a disconnected channel", channel),
  sendChannelMessage: channelMessage,
  sendChannelCode: alwaysRequires("a connected channel", channel),
  checkChannelCode: channelCode,
  startIdentityCheck: alwaysRequires("a connected channel", channel),
  getIdentityCheck: byReplyField(
    "status",
    {
      pending: "an open identity question",
      verified: "an answered identity question",
      failed: "a failed identity question",
      expired: "an expired identity question",
    },
    "an open identity question",
    { ...channel, "path.verification_id": "id" },
  ),
  createVirtualAccount: alwaysRequires("a business profile"),
  createCharge: alwaysRequires("a business profile"),
  listVirtualAccounts: ifListFilled("a virtual account"),
  listPayments,
  simulatePayment: alwaysRequires("a virtual account", { "body.virtual_account_id": "virtual_account_id" }),
  createPayout: covering("a settled balance"),
  createRefund: covering("a received payment", { "body.payment_id": "payment_id" }),
  listBusinessEvents: ifListFilled("a received payment"),
  registerWebhook: ({ status, body: { url } }) =>
    status === 200 ? requires("a registered webhook", {}, { url }) : [],
} satisfies Partial<Record<OperationId, StateSelector>>;

/** Refusals that depend on the account's records, by code, or by operation and code where the operations differ. */
const byCode: Readonly<Record<string, StateSelector>> = {
  resource_not_found: requiresNothing,
  business_profile_required: requiresNothing,
  payout_account_required: requiresNothing,
  test_mode_only: requiresNothing,
  channel_not_connected: alwaysRequires("a disconnected channel", channel),
  insufficient_available_balance: alwaysRequires("a payout account"),
  "createRefund insufficient_available_balance": covering("a paid-out payment", {
    "body.payment_id": "payment_id",
  }),
  not_refundable: alwaysRequires("a held payment", { "body.payment_id": "payment_id" }),
  refund_exceeds_payment: ({ body: { amount } }) =>
    typeof amount === "number" && amount > minPayment
      ? requires("a received payment", { "body.payment_id": "payment_id" }, { amount: minPayment })
      : null,
  duplicate_reference: ({ body: { reference } }) => requires("a virtual account", {}, { reference }),
  // The service checks for the profile first.
  "simulatePayment resource_not_found": alwaysRequires("a business profile"),
  code_expired: alwaysRequires("an expired phone verification", { "body.id": "id" }),
  too_many_attempts: alwaysRequires("a locked phone verification", { "body.id": "id" }),
  "submitAddressLocation invalid_state": alwaysRequires("a verified address", { "path.id": "id" }),
  "connectChannel invalid_state": alwaysRequires("a connected channel", channel),
} satisfies Partial<Record<ErrorCode | `${OperationId} ${ErrorCode}`, StateSelector>>;

/** States that use up the free first call of an operation, so that the next one has a price. */
const afterFreeCall: Readonly<Record<string, RequiredState[]>> = {
  createAudit: requires("a ready audit", {}, { tier: "standard" }),
  scanText: requires("a media scan", {}, { media_type: "text" }),
  scanImage: requires("a media scan", {}, { media_type: "image" }),
} satisfies Partial<Record<OperationId, RequiredState[]>>;

/** States that a refusal requires beside those of the operation; it precedes the outcome. */
const addedByCode: Readonly<Record<string, RequiredState[]>> = {
  insufficient_balance: requires("an empty wallet"),
  plan_required: requires("a plan", {}, { plan: "starter" }),
} satisfies Partial<Record<ErrorCode, RequiredState[]>>;

/** Returns null if no provider state leads to the exchange. */
export function requiredStates(operation: AnyOperation, exchange: ObservedExchange): RequiredState[] | null {
  const { id } = operation;
  const { code, outcome } = exchange;
  const selectOfOperation = byOperation[id] ?? requiresNothing;
  const withOthers = (others: readonly RequiredState[]) => {
    const states = selectOfOperation(exchange);
    return states && [...states, ...others];
  };
  const added = addedByCode[code ?? ""];
  if (added) return withOthers([...((code === "insufficient_balance" && afterFreeCall[id]) || []), ...added]);
  if (outcome !== null) {
    const isKnown = outcome in outcomesOf(operation);
    return isKnown ? withOthers(requires("an outcome", {}, { operation: id, outcome })) : null;
  }
  if (code === null) return selectOfOperation(exchange);
  const selectOfCode = byCode[`${id} ${code}`] ?? byCode[code];
  if (selectOfCode) return selectOfCode(exchange);
  // An invalid request is refused in every state.
  return "validation" in errors[code as ErrorCode] ? selectOfOperation(exchange) : null;
}
