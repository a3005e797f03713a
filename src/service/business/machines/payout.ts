/** Interface: the payout rows of "Business payments" in States and transitions; assumption business.payout. */
import type { Static } from "typebox";
import type { Account } from "../../../world/account/account.js";
import { formatNaira, type Kobo, toNaira } from "../../../world/money/money.js";
import type { Stored } from "../../../world/records/machine.js";
import { machine } from "../../machine.js";
import { type Decided, decidedAs } from "../decision.js";
import { Payout } from "../resources.js";

export const payoutFee: Kobo = 5_000;

export type PayoutStatus = Static<typeof Payout>["status"];

export interface PayoutFields extends Decided<PayoutStatus> {
  reference: string;
  amount: Kobo;
  bank_code: string;
  bank_name: string;
  account_number: string;
}

type PayoutRecord = Stored<PayoutFields, PayoutStatus>;

const reserveAmount = ({ id, amount }: PayoutRecord, { ledger }: Account): void =>
  ledger.post(id, { available: -amount, in_payout: amount });

const payOut = ({ id, amount }: PayoutRecord, { ledger }: Account): void =>
  ledger.post(id, { in_payout: -amount, fees: payoutFee, paid_out: amount - payoutFee });

const giveBack = ({ id, amount }: PayoutRecord, { ledger }: Account): void =>
  ledger.post(id, { in_payout: -amount, available: amount });

/** Formats what happened to a payout, such as `Payout of NGN 500.00 to Access Bank 0123456789 requested.` */
const describe =
  (what: string) =>
  ({ amount, bank_name, account_number }: PayoutRecord): string =>
    `Payout of ${formatNaira(amount)} to ${bank_name} ${account_number} ${what}.`;

const ifPaid = decidedAs("paid");
const ifFailed = decidedAs("failed");
const ifRejected = decidedAs("rejected");

export const payout = machine<PayoutFields>()({
  name: "payout",
  prefix: "po_",
  states: Payout.properties.status.enum,
  moves: {
    request: {
      from: "new",
      to: "requested",
      effect: reserveAmount,
      emits: "payout.requested",
      says: describe("requested"),
    },
    pay: {
      from: "requested",
      to: "paid",
      at: ifPaid,
      effect: payOut,
      emits: "payout.paid",
      says: describe(`paid; the fee was ${formatNaira(payoutFee)}`),
    },
    fail: {
      from: "requested",
      to: "failed",
      at: ifFailed,
      effect: giveBack,
      emits: "payout.failed",
      says: describe("failed; the amount is back in the balance"),
    },
    reject: {
      from: "requested",
      to: "rejected",
      at: ifRejected,
      effect: giveBack,
      emits: "payout.rejected",
      says: describe("rejected; the amount is back in the balance"),
    },
  },
  view: (record) => ({
    id: record.id,
    reference: record.reference,
    status: record.state,
    amount: toNaira(record.amount),
    fee: toNaira(payoutFee),
    you_receive: toNaira(record.amount - payoutFee),
    bank_name: record.bank_name,
    account_number: record.account_number,
  }),
});
