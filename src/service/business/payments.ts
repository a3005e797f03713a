/** Interface: "Payment": the record, its states and transitions, and its operations. */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { formatNaira, toNaira } from "../../contract/money.js";
import { exactly, nullable } from "../../contract/schemas.js";
import { day } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { Ms, machine, record } from "../machine.js";
import { operation } from "../operation.js";
import {
  feeOf,
  fitsLimit,
  postHold,
  postReceipt,
  postRelease,
  postReturn,
  postSettlement,
} from "./ledger.js";
import { Payment } from "./resources.js";

/** Interface: "Money received is pending for 24 hours". */
const settlementDelayMs = 1 * day;

/** Reason why a payment is held. A payment leaves `held` when no reason is left. */
const HoldReason = Type.Enum(["limit", "issue"]);
export type HoldReason = Type.Static<typeof HoldReason>;

export const paymentRecord = record(Payment, {
  hidden: {
    holds: Type.Array(HoldReason),
    /** When the money can be paid out; null before the payment succeeds. */
    settles_at: nullable(Ms),
    settled: Type.Boolean(),
    /** Total of processed refunds, in kobo. */
    refunded: Type.Integer(),
    /** Total of open refunds, in kobo. */
    refund_requested: Type.Integer(),
    /** Card payments only: the card's last digits, and the outcome of refunds to it. */
    card: nullable(exactly({ last4: Type.String(), refund: Type.Enum(["processed", "failed"]) })),
  },
  view: {
    fee: ({ amount }) => toNaira(feeOf(amount)),
    net: ({ amount }) => toNaira(amount - feeOf(amount)),
  },
});
export type PaymentRecord = RecordIn<typeof paymentRecord>;

const lastStep = ({ history }: PaymentRecord) => history.at(-1) as { from: string; to: string };

const heldIfOverLimit = (record: PaymentRecord, _input: unknown, account: Account): "success" | "held" =>
  fitsLimit(account, record.amount) ? "success" : "held";

const heldForOther = (record: PaymentRecord, reason: HoldReason): boolean =>
  record.holds.some((other) => other !== reason);

const afterRelease = (record: PaymentRecord): "success" | "held" =>
  heldForOther(record, "limit") ? "held" : "success";

const afterResolution = (record: PaymentRecord, input: unknown, account: Account): "success" | "held" =>
  heldForOther(record, "issue") ? "held" : heldIfOverLimit(record, input, account);

function receive(record: PaymentRecord, account: Account): void {
  record.paid_at = account.clock.now();
  if (record.state === "held") record.holds = ["limit"];
  else scheduleSettlement(record, account);
  postReceipt(record, account);
}

/**
 * Sets when a payment settles. A payment that succeeded before keeps its time, or settles now if that time passed while
 * it was held.
 */
function scheduleSettlement(record: PaymentRecord, account: Account): void {
  const now = account.clock.now();
  record.settles_at = Math.max(record.settles_at ?? now + settlementDelayMs, now);
}

const lift = (reason: HoldReason) => (record: PaymentRecord, account: Account) => {
  if (!record.holds.includes(reason)) {
    const message = `${record.id} is held for ${record.holds.join(", ")}, not for ${reason}.`;
    refuse("invalid_state", { message });
  }
  record.holds = record.holds.filter((other) => other !== reason);
  if (record.state === "success") {
    scheduleSettlement(record, account);
    postRelease(record, account);
  } else if (record.holds.length === 0) record.holds = ["limit"];
};

function fail(record: PaymentRecord, account: Account): void {
  if (lastStep(record).from === "held") postReturn(record, account);
  Object.assign(record, { holds: [], settles_at: null, settled: false, refunded: 0 });
}

function raiseIssue(record: PaymentRecord, account: Account): void {
  if (record.holds.includes("issue"))
    refuse("invalid_state", { message: `${record.id} already has an issue.` });
  const { from } = lastStep(record);
  record.paid_at ??= account.clock.now();
  record.holds.push("issue");
  if (from === "pending") postReceipt(record, account);
  else if (from === "success") postHold(record, account);
}

function settle(record: PaymentRecord, account: Account): void {
  if (record.settled) refuse("invalid_state", { message: `${record.id} is already settled.` });
  postSettlement(record, account);
  record.settled = true;
}

/** Emits payment.received on the first success since the payment last failed. */
function received({ history, state }: PaymentRecord): "payment.received"[] {
  const sinceFailure = history.slice(history.findLastIndex(({ to }) => to === "failed") + 1);
  const successes = sinceFailure.filter(({ from, to }) => to === "success" && from !== to);
  return state === "success" && successes.length === 1 && successes[0] === history.at(-1)
    ? ["payment.received"]
    : [];
}

const settlementDue = ({ settled, settles_at }: PaymentRecord): number | null =>
  settled ? null : settles_at;

const receivedOrHeld = ({ state, amount }: PaymentRecord): string =>
  state === "held"
    ? "received and held: it exceeds the limit"
    : `received; the fee is ${formatNaira(feeOf(amount))}`;

const releasedOrHeld = ({ state, holds }: PaymentRecord): string =>
  state === "held"
    ? `is still held: ${holds.includes("issue") ? "a problem was found" : "it exceeds the limit"}`
    : "released";

const unpaid = ["pending", "failed"] as const;
const open = ["pending", "success", "held"] as const;
const paidOrHeld = ["success", "held"] as const;
/** The events of a move that may be the first to lead to `success`. */
const whenReceived = { emits: "payment.received", emitted: received } as const;

export const payment = machine(paymentRecord, {
  name: "payment",
  prefix: "pay_",
  subject({ method, amount, payer_name }) {
    const from = payer_name === null ? "" : ` from ${payer_name}`;
    return `${method === "card" ? "Card payment" : "Transfer"} of ${formatNaira(amount)}${from}`;
  },
  index: ["state"],
  moves: {
    create: { from: "new", to: "pending", says: "started" },
    succeed: {
      from: unpaid,
      to: paidOrHeld,
      next: heldIfOverLimit,
      effect: receive,
      says: receivedOrHeld,
      ...whenReceived,
    },
    hold: { from: unpaid, to: "held", effect: receive, says: "received and held" },
    release: {
      from: "held",
      to: paidOrHeld,
      next: afterRelease,
      effect: lift("limit"),
      says: releasedOrHeld,
      ...whenReceived,
    },
    fail: {
      from: ["pending", "held"],
      to: "failed",
      effect: fail,
      emits: "payment.failed",
      says: "failed",
    },
    raise_issue: {
      from: open,
      to: "held",
      effect: raiseIssue,
      emits: "payment.issue",
      says: "held: a problem was found",
    },
    resolve_issue: {
      from: "held",
      to: paidOrHeld,
      next: afterResolution,
      effect: lift("issue"),
      emits: ["payment.issue_resolved", "payment.received"],
      emitted: (record) => ["payment.issue_resolved", ...received(record)],
      says: (record) =>
        `cleared: the problem is resolved, and it ${record.state === "held" ? "is still held" : "is released"}`,
    },
    settle: {
      from: "success",
      to: "success",
      at: settlementDue,
      due: "is settled",
      effect: settle,
      emits: "payment.settled",
      says: ({ amount }) => `settled: ${formatNaira(amount - feeOf(amount))} can be paid out`,
    },
  },
});

// Creates and finds payments, and releases those that the receive limit holds.

/** Creates a pending payment. Call inside a commit. */
export const createPayment = (
  account: Account,
  fields: Pick<PaymentRecord, "method" | "amount" | "payer_name"> & { virtual_account_id?: string },
): PaymentRecord =>
  account.records.start(payment, "create", {
    virtual_account_id: null,
    ...fields,
    test: !account.live,
    paid_at: null,
    holds: [],
    settles_at: null,
    settled: false,
    refunded: 0,
    refund_requested: 0,
    card: null,
  });

/** Returns the payment of a charge or refund. */
export const paymentOf = ({ payment_id }: { payment_id: string }, { records }: Account): PaymentRecord =>
  records.get(payment, payment_id) as PaymentRecord;

/** Releases the payments held for the receive limit, oldest first. Call inside a commit. */
export function releaseLimitHolds(account: Account): void {
  const held = [...account.records.newest(payment, { state: "held" })].reverse();
  for (const record of held)
    if (record.holds.includes("limit")) account.records.move(payment, record, "release");
}

export const listPayments = operation({
  id: "listPayments",
  route: "GET /v1/business/payments",
  summary: "List payments",
  description: "Bank transfers and card payments, including those of unpaid charges.",
  auth: "key",
  query: Type.Object({
    virtual_account_id: Type.Optional(
      Type.String({ description: "Only payments to this account", examples: ["va_0123456789abcdef"] }),
    ),
    status: Type.Optional(
      Type.Enum(["success", "held", "failed"], { description: "Only payments in this status" }),
    ),
  }),
  reply: { 200: exactly({ payments: Type.Array(Payment) }) },
  assumptions: ["lists"],

  handle: ({ account, query: { virtual_account_id, status } }) => {
    const inStatus = [...account.records.newest(payment, { state: status })];
    const payments = inStatus.filter(
      (record) => virtual_account_id === undefined || record.virtual_account_id === virtual_account_id,
    );
    return { payments: payments.map((record) => payment.view(record)) };
  },
});
