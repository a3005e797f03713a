/** Interface: the payment rows of "Business payments" in States and transitions; assumption business.payments. */
import { refuse } from "../../../contract/errors.js";
import type { Account } from "../../../world/account.js";
import { machine, type Stored } from "../../../world/machine.js";
import { type Kobo, toNaira } from "../../../world/money/money.js";
import { day, toIso } from "../../../world/time/time.js";
import { feeOf, fitsLimit } from "../fees-and-limits.js";
import { postHold, postReceipt, postRelease, postReturn, postSettlement } from "../payment-ledger.js";

/** Money received is pending for 24 hours. */
export const settlementTime = 1 * day;

/** Why a payment is held; it leaves held when no reason is left. */
export type HoldReason = "limit" | "issue";

export interface PaymentFields {
  method: "transfer" | "card";
  amount: Kobo;
  payer_name: string | null;
  virtual_account_id: string | null;
  test: boolean;
  /** Ms on the account's clock. */
  paid_at: number | null;
  holds: HoldReason[];
  /** When the money can be paid out; null before it has succeeded. */
  settles_at: number | null;
  settled: boolean;
  /** Parts that refunds took and parts that open refunds ask for. */
  refunded: Kobo;
  refund_requested: Kobo;
  /** Card payments: what the receipt shows, and whether the card takes money back. */
  card: { last4: string; refund: "processed" | "failed" } | null;
}

export type PaymentRecord = Stored<PaymentFields>;

/** Inside a commit: a payment that nobody has made yet. */
export const newPayment = (
  account: Account,
  fields: Pick<PaymentFields, "method" | "amount" | "payer_name"> & { virtual_account_id?: string },
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

const isPayable = (record: PaymentRecord, account: Account): "success" | "held" =>
  fitsLimit(account, record.amount) ? "success" : "held";

const withoutReason = (record: PaymentRecord, reason: HoldReason): "success" | "held" =>
  record.holds.some((other) => other !== reason) ? "held" : "success";

/** Refuses a move that takes away a reason which the payment does not have. */
function mustHave(record: PaymentRecord, reason: HoldReason): void {
  if (record.holds.includes(reason)) return;
  refuse("invalid_state", {
    message: `${record.id} is held for ${record.holds.join(", ")}, not for ${reason}.`,
  });
}

const lastStep = ({ history }: PaymentRecord) => history.at(-1) as { from: string; to: string };

/** It has become successful, and for the first time since it last failed. */
function isFirstSuccess({ history, state }: PaymentRecord): boolean {
  const since = history.slice(history.findLastIndex(({ to }) => to === "failed") + 1);
  return state === "success" && since.filter(({ from, to }) => to === "success" && from !== to).length === 1;
}

const received = (record: PaymentRecord): string | null =>
  isFirstSuccess(record) && lastStep(record).from !== "success" ? "payment.received" : null;

/** The 24 hours of a payment that was successful before go on; those that ended while it was held end now. */
function startSettlement(record: PaymentRecord, account: Account): void {
  const now = account.clock.now();
  record.settles_at = Math.max(record.settles_at ?? now + settlementTime, now);
}

export const viewPayment = (record: PaymentRecord) => ({
  id: record.id,
  method: record.method,
  status: record.state as "pending" | "success" | "held" | "failed",
  amount: toNaira(record.amount),
  fee: toNaira(feeOf(record.amount)),
  net: toNaira(record.amount - feeOf(record.amount)),
  payer_name: record.payer_name,
  virtual_account_id: record.virtual_account_id,
  test: record.test,
  paid_at: record.paid_at === null ? null : toIso(record.paid_at),
});

export const payment = machine<PaymentFields, Account>()({
  name: "payment",
  prefix: "pay_",
  moves: {
    create: { from: "new", to: "pending" },
    succeed: {
      from: ["pending", "failed"],
      to: (record, _input, account) => isPayable(record, account),
      effect(record, account) {
        record.paid_at = account.clock.now();
        if (record.state === "held") record.holds = ["limit"];
        else startSettlement(record, account);
        postReceipt(record, account);
      },
      emits: received,
    },
    hold: {
      from: ["pending", "failed"],
      to: "held",
      effect(record, account) {
        record.paid_at = account.clock.now();
        record.holds = ["limit"];
        postReceipt(record, account);
      },
    },
    release: {
      from: "held",
      to: (record) => withoutReason(record, "limit"),
      effect(record, account) {
        mustHave(record, "limit");
        record.holds = record.holds.filter((reason) => reason !== "limit");
        if (record.state !== "success") return;
        startSettlement(record, account);
        postRelease(record, account);
      },
      emits: received,
    },
    fail: {
      from: ["pending", "held"],
      to: "failed",
      effect(record, account) {
        if (lastStep(record).from === "held") postReturn(record, account);
        Object.assign(record, { holds: [], settles_at: null, settled: false, refunded: 0 });
      },
      emits: "payment.failed",
    },
    raise_issue: {
      from: ["pending", "success", "held"],
      to: "held",
      effect(record, account) {
        if (record.holds.includes("issue"))
          refuse("invalid_state", { message: `${record.id} has an issue already.` });
        const { from } = lastStep(record);
        record.paid_at ??= account.clock.now();
        record.holds.push("issue");
        if (from === "pending") postReceipt(record, account);
        else if (from === "success") postHold(record, account);
      },
      emits: "payment.issue",
    },
    resolve_issue: {
      from: "held",
      to: (record, _input, account) =>
        withoutReason(record, "issue") === "success" ? isPayable(record, account) : "held",
      effect(record, account) {
        mustHave(record, "issue");
        record.holds = record.holds.filter((reason) => reason !== "issue");
        if (record.state !== "success") {
          record.holds = ["limit"];
          return;
        }
        startSettlement(record, account);
        postRelease(record, account);
      },
      emits: (record) => ["payment.issue_resolved", received(record) ?? []].flat(),
    },
    settle: {
      from: "success",
      to: "success",
      at: ({ settled, settles_at }) => (settled ? null : settles_at),
      effect(record, account) {
        if (record.settled) refuse("invalid_state", { message: `${record.id} is settled already.` });
        postSettlement(record, account);
        record.settled = true;
      },
      emits: "payment.settled",
    },
  },
  view: viewPayment,
});
