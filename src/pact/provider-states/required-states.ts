/** The provider states in which a new account repeats an exchange as it was recorded: one row per operation. */
import { type ErrorCode, errors } from "../../contract/errors.js";
import { valueAt } from "../../contract/json.js";
import type { AnyOperation } from "../../contract/operation.js";
import { outcomesOf } from "../../rules/outcomes.js";
import type { operationIds } from "../../service/index.js";
import type { ProviderStateName } from "./provider-states.js";

type OperationId = (typeof operationIds)[number];
type Fields = Record<string, unknown>;
/** Parts of a request whose values come from a state, such as `body.id` from `id`. */
type From = Readonly<Record<string, string>>;

export interface RequiredState {
  name: ProviderStateName;
  params: Fields;
  from: From;
  /** Fields of the reply that the state decides. With other values it is another exchange. */
  decides?: readonly string[];
  /** Set if the state puts an entry into the reply's lists. */
  fills?: true;
}

/** The parts of a request and its reply that states are selected by. */
export interface ObservedExchange {
  status: number;
  /** Error code of a refusal. */
  code: string | null;
  /** Outcome that was requested or followed from the data; null for the default one. */
  outcome: string | null;
  body: Fields;
  query: Fields;
  reply: unknown;
  /** Whether the same request got the same status before. */
  again: boolean;
}

/** Returns the states that an exchange requires; null if none leads to it. */
type StateSelector = (exchange: ObservedExchange) => RequiredState[] | null;

interface Row {
  /** States of a successful call. Default: none. */
  states?: StateSelector;
  /** States that a refusal requires in their place, by its code. */
  refusals?: { readonly [Code in ErrorCode]?: StateSelector };
  /** States that use up the free first call, so that the next one has a price. */
  afterFreeCall?: readonly RequiredState[];
}

export const replyField = ({ reply }: Pick<ObservedExchange, "reply">, name: string): unknown =>
  valueAt(reply, [name]);

const state = (name: ProviderStateName, from: From = {}, params: Fields = {}): RequiredState[] => [
  { name, params, from },
];

const always =
  (name: ProviderStateName, from?: From): StateSelector =>
  () =>
    state(name, from);

const nothing: StateSelector = () => [];

/** Marks the fields of the reply that the states decide. */
const deciding = (decides: readonly string[], states: RequiredState[]): RequiredState[] =>
  states.map((required) => ({ ...required, decides }));

/** Selects the state by a field of the reply; `fallback` if the reply does not have it, as in a refusal. */
const byReplyField =
  (
    name: string,
    states: Readonly<Record<string, ProviderStateName>>,
    fallback: ProviderStateName,
    from: From,
  ): StateSelector =>
  (exchange) => {
    const value = replyField(exchange, name);
    if (value === undefined) return state(fallback, from);
    const found = states[String(value)];
    return found === undefined ? null : deciding([name], state(found, from));
  };

/** Requires the state if a list of the reply has an entry. */
const ifListFilled =
  (name: ProviderStateName) =>
  ({ code, reply }: ObservedExchange): RequiredState[] => {
    if (code !== null) return [];
    const lists = [reply, ...Object.values((reply ?? {}) as object)].filter(Array.isArray);
    const isFilled = lists.some((list) => list.length > 0);
    return isFilled ? [{ name, params: {}, from: {}, fills: true }] : [];
  };

const phoneStates: Readonly<Record<string, ProviderStateName>> = {
  pending: "a pending phone verification",
  verified: "a verified phone verification",
  expired: "an expired phone verification",
  max_attempts_reached: "a locked phone verification",
  // Either kind of verification, under assumption phone.states.
  failed: "a locked phone verification",
};

/**
 * The first check with the right code finds a pending verification. A repeated one finds it verified, and is about the
 * right code whatever the reply: assumption phone.code_reuse.
 */
const checkedVerification: StateSelector = (exchange) => {
  const isRight = replyField(exchange, "verified") === true;
  const status = isRight && !exchange.again ? "pending" : String(replyField(exchange, "status") ?? "pending");
  const found = phoneStates[status];
  const hasRightCode = isRight || (exchange.again && status === "verified");
  const from = hasRightCode ? { "body.id": "id", "body.code": "code" } : { "body.id": "id" };
  return found === undefined ? null : deciding(["verified", "status"], state(found, from));
};

const onChannel = { "path.channel_id": "channel_id" };
const toNumber = { ...onChannel, "body.to": "to" };
const onConnectedChannel = always("a connected channel", onChannel);
const onDisconnectedChannel = always("a disconnected channel", onChannel);

/** A check needs a pending code, unless the reply says that none is pending. The right code comes from the state. */
const checkedChannelCode: StateSelector = (exchange) => {
  const isRight = replyField(exchange, "valid") === true;
  const reason = isRight ? "right_code" : (replyField(exchange, "reason") ?? "wrong_code");
  const states: Readonly<Record<string, RequiredState[]>> = {
    right_code: state("a pending channel code", { ...toNumber, "body.code": "code" }),
    wrong_code: state("a pending channel code", toNumber),
    no_pending_code: state("a connected channel", onChannel),
  };
  const required = states[String(reason)];
  return required ? deciding(["valid", "reason"], required) : null;
};

/** The reply says whether the person has written within 24 hours. */
const messageWindow: StateSelector = (exchange) =>
  deciding(
    ["session_active"],
    replyField(exchange, "session_active") === false
      ? state("a connected channel", onChannel)
      : state("an open message window", toNumber),
  );

/** Largest payout or refund that a payment is sized for, in NGN. The maximum of a payment is ten times as much. */
const maxCoveredAmount = 100_000_000;

/** Smallest possible payment, in NGN. */
const minPayment = 100;

const ofPayment = { "body.payment_id": "payment_id" };

/** Sizes the state's payment so that it covers the requested amount and the fees. */
const covering =
  (name: ProviderStateName, from: From = {}): StateSelector =>
  ({ code, body: { amount } }) => {
    if (typeof amount !== "number" || amount <= 0) return state(name, from);
    if (amount > maxCoveredAmount) return code === null ? null : state(name, from);
    return state(name, from, { amount: Math.ceil(amount * 1.02) + 20_000 });
  };

/** A refund that exceeds its payment needs a smaller payment. */
const smallerPayment: StateSelector = ({ body: { amount } }) =>
  typeof amount === "number" && amount > minPayment
    ? state("a received payment", ofPayment, { amount: minPayment })
    : null;

const paymentStates: Readonly<Record<string, ProviderStateName>> = {
  success: "a received payment",
  held: "a held payment",
  failed: "a failed payment",
};

/** The payments of a list have the status that the query asks for, and the virtual account. */
const listedPayments: StateSelector = (exchange) => {
  const { status = "success", virtual_account_id } = exchange.query;
  const filled = ifListFilled(paymentStates[String(status)] ?? "a received payment")(exchange);
  if (virtual_account_id === undefined) return filled;
  const from = { "query.virtual_account_id": "virtual_account_id" };
  return filled.length > 0
    ? filled.map((required) => ({ ...required, from }))
    : state("a virtual account", from);
};

const rows: Readonly<Partial<Record<OperationId, Row>>> = {
  checkPhoneVerification: {
    states: checkedVerification,
    refusals: {
      code_expired: always("an expired phone verification", { "body.id": "id" }),
      too_many_attempts: always("a locked phone verification", { "body.id": "id" }),
    },
  },
  submitAddressLocation: {
    states: always("a pending address check", { "path.id": "id" }),
    refusals: { invalid_state: always("a verified address", { "path.id": "id" }) },
  },
  listChannels: { states: ifListFilled("a connected channel") },
  connectChannel: { states: onDisconnectedChannel, refusals: { invalid_state: onConnectedChannel } },
  sendChannelMessage: { states: messageWindow, refusals: { channel_not_connected: onDisconnectedChannel } },
  sendChannelCode: { states: onConnectedChannel, refusals: { channel_not_connected: onDisconnectedChannel } },
  checkChannelCode: { states: checkedChannelCode },
  startIdentityCheck: {
    states: onConnectedChannel,
    refusals: { channel_not_connected: onDisconnectedChannel },
  },
  getIdentityCheck: {
    states: byReplyField(
      "status",
      {
        pending: "an open identity question",
        verified: "an answered identity question",
        failed: "a failed identity question",
        expired: "an expired identity question",
      },
      "an open identity question",
      { ...onChannel, "path.verification_id": "id" },
    ),
  },
  listStreamingSessions: { states: ifListFilled("a completed real-time session") },
  listMediaScans: { states: ifListFilled("a media scan") },
  scanText: { afterFreeCall: state("a media scan", {}, { media_type: "text" }) },
  scanImage: { afterFreeCall: state("a media scan", {}, { media_type: "image" }) },
  createAudit: { afterFreeCall: state("a ready audit", {}, { tier: "standard" }) },
  listAudits: { states: ifListFilled("a ready audit") },
  getAudit: {
    states: byReplyField(
      "status",
      { ready: "a ready audit", pending: "a pending deep audit", failed: "a failed deep audit" },
      "a ready audit",
      { "path.id": "id" },
    ),
  },
  startDomainVerification: {
    states: ({ status, body: { domain } }) =>
      status === 200 ? state("a pending domain", {}, { domain }) : [],
  },
  checkDomainVerification: {
    states: byReplyField(
      "verified",
      { true: "a published domain proof", false: "a pending domain" },
      "a pending domain",
      { "path.domain_id": "domain_id" },
    ),
  },
  registerWebhook: {
    states: ({ status, body: { url } }) => (status === 200 ? state("a registered webhook", {}, { url }) : []),
  },
  createVirtualAccount: {
    states: always("a business profile"),
    refusals: {
      duplicate_reference: ({ body: { reference } }) => state("a virtual account", {}, { reference }),
    },
  },
  listVirtualAccounts: { states: ifListFilled("a virtual account") },
  simulatePayment: {
    states: always("a virtual account", { "body.virtual_account_id": "virtual_account_id" }),
    // The service checks for the profile first.
    refusals: { resource_not_found: always("a business profile") },
  },
  createCharge: { states: always("a business profile") },
  listPayments: { states: listedPayments },
  createPayout: {
    states: covering("a settled balance"),
    refusals: { insufficient_available_balance: always("a payout account") },
  },
  createRefund: {
    states: covering("a received payment", ofPayment),
    refusals: {
      insufficient_available_balance: covering("a paid-out payment", ofPayment),
      not_refundable: always("a held payment", ofPayment),
      refund_exceeds_payment: smallerPayment,
    },
  },
  listBusinessEvents: { states: ifListFilled("a received payment") },
};

/** Refusals that a new account gets, by code. */
const ofNewAccounts: ReadonlySet<ErrorCode> = new Set([
  "resource_not_found",
  "business_profile_required",
  "payout_account_required",
  "test_mode_only",
]);

/** States that a refusal requires in addition to the operation's. The refusal precedes the outcome. */
const addedByCode: Readonly<Record<string, RequiredState[]>> = {
  insufficient_balance: state("an empty wallet"),
  plan_required: state("a plan", {}, { plan: "starter" }),
} satisfies Partial<Record<ErrorCode, RequiredState[]>>;

function selectorOfCode({ refusals, states = nothing }: Row, code: ErrorCode): StateSelector {
  const own = refusals?.[code];
  if (own) return own;
  if (ofNewAccounts.has(code)) return nothing;
  // An invalid request is refused in every state.
  return "validation" in errors[code] ? states : () => null;
}

/** Returns null if no provider state leads to the exchange. */
export function requiredStates(operation: AnyOperation, exchange: ObservedExchange): RequiredState[] | null {
  const { id } = operation;
  const row = rows[id as OperationId] ?? {};
  const { states: ofOperation = nothing, afterFreeCall = [] } = row;
  const { code, outcome } = exchange;
  const withOthers = (others: readonly RequiredState[]) => {
    const states = ofOperation(exchange);
    return states && [...states, ...others];
  };
  const added = addedByCode[code ?? ""];
  if (added) return withOthers([...(code === "insufficient_balance" ? afterFreeCall : []), ...added]);
  if (outcome !== null) {
    const isKnown = outcome in outcomesOf(operation);
    return isKnown ? withOthers(state("an outcome", {}, { operation: id, outcome })) : null;
  }
  return code === null ? ofOperation(exchange) : selectorOfCode(row, code as ErrorCode)(exchange);
}

/** Returns the parts of the request that take a value of any of the states. */
export const valuesTaken = (states: readonly RequiredState[]): From =>
  Object.assign({}, ...states.map(({ from }) => from));

/** Returns the JSON paths of the reply's fields that any of the states decides. */
export const pathsDecided = (states: readonly RequiredState[]): string[] =>
  states.flatMap(({ decides = [] }) => decides.map((name) => `$.${name}`));
