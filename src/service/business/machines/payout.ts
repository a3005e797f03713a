/** Interface: the payout rows of "Business payments" in States and transitions; assumption business.payout. */
import type { Account } from "../../../world/account.js";
import { machine, type Stored } from "../../../world/machine.js";
import { type Kobo, toNaira } from "../../../world/money/money.js";
import { minute } from "../../../world/time/time.js";

export const payoutFee: Kobo = 5_000;

/** So long service and bank take to decide. */
export const payoutTime = 1 * minute;

export interface PayoutFields {
  reference: string;
  amount: Kobo;
  bank_code: string;
  bank_name: string;
  account_number: string;
  /** What becomes of it; `requested`: it stays. */
  outcome: "paid" | "failed" | "rejected" | "requested";
  /** Ms on the account's clock. */
  decides_at: number;
}

const decidedAs =
  (outcome: PayoutFields["outcome"]) =>
  (record: PayoutFields): number | null =>
    record.outcome === outcome ? record.decides_at : null;

export const viewPayout = (record: Stored<PayoutFields>) => ({
  id: record.id,
  reference: record.reference,
  status: record.state as "requested" | "paid" | "failed" | "rejected",
  amount: toNaira(record.amount),
  fee: toNaira(payoutFee),
  you_receive: toNaira(record.amount - payoutFee),
  bank_name: record.bank_name,
  account_number: record.account_number,
});

export const payout = machine<PayoutFields, Account>()({
  name: "payout",
  prefix: "po_",
  moves: {
    request: {
      from: "new",
      to: "requested",
      effect: ({ id, amount }, { ledger }) => ledger.post(id, { available: -amount, in_payout: amount }),
      emits: "payout.requested",
    },
    pay: {
      from: "requested",
      to: "paid",
      at: decidedAs("paid"),
      effect: ({ id, amount }, { ledger }) =>
        ledger.post(id, { in_payout: -amount, fees: payoutFee, paid_out: amount - payoutFee }),
      emits: "payout.paid",
    },
    fail: {
      from: "requested",
      to: "failed",
      at: decidedAs("failed"),
      effect: ({ id, amount }, { ledger }) => ledger.post(id, { in_payout: -amount, available: amount }),
      emits: "payout.failed",
    },
    reject: {
      from: "requested",
      to: "rejected",
      at: decidedAs("rejected"),
      effect: ({ id, amount }, { ledger }) => ledger.post(id, { in_payout: -amount, available: amount }),
      emits: "payout.rejected",
    },
  },
  view: viewPayout,
});
