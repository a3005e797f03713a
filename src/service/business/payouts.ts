/** Interface: "Payout": the record, its states and transitions, and its operation; assumption business.payout. */

import * as Type from "typebox";
import { formatNaira, type Kobo, toNaira } from "../../contract/money.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { machine, record } from "../machine.js";
import { operation } from "../operation.js";
import { testAmountOutcome, testValueOutcome } from "../test-values.js";
import { decidedAs, decisionDelayMs, decisionOf } from "./decision.js";
import { amountBetween, maxTransfer, readAmount } from "./ledger.js";
import { findPayoutAccount } from "./profile.js";
import { Payout, takeReference } from "./resources.js";

export const payoutFee: Kobo = 5_000;

export const payoutRecord = record(Payout, {
  hidden: { bank_code: Type.String(), ...decisionOf(Payout.properties.status) },
  view: {
    fee: () => toNaira(payoutFee),
    you_receive: ({ amount }) => toNaira(amount - payoutFee),
  },
});
type PayoutRecord = RecordIn<typeof payoutRecord>;

const reserveAmount = ({ id, amount }: PayoutRecord, { ledger }: Account): void =>
  ledger.post(id, { available: -amount, in_payout: amount });

const payOut = ({ id, amount }: PayoutRecord, { ledger }: Account): void =>
  ledger.post(id, { in_payout: -amount, fees: payoutFee, paid_out: amount - payoutFee });

const releaseAmount = ({ id, amount }: PayoutRecord, { ledger }: Account): void =>
  ledger.post(id, { in_payout: -amount, available: amount });

export const payout = machine(payoutRecord, {
  name: "payout",
  prefix: "po_",
  subject: ({ amount, bank_name, account_number }) =>
    `Payout of ${formatNaira(amount)} to ${bank_name} ${account_number}`,
  moves: {
    request: {
      from: "new",
      to: "requested",
      effect: reserveAmount,
      emits: "payout.requested",
      says: "requested",
    },
    pay: {
      from: "requested",
      to: "paid",
      at: decidedAs("paid"),
      due: "is paid",
      effect: payOut,
      emits: "payout.paid",
      says: `paid; the fee was ${formatNaira(payoutFee)}`,
    },
    fail: {
      from: "requested",
      to: "failed",
      at: decidedAs("failed"),
      due: "fails",
      effect: releaseAmount,
      emits: "payout.failed",
      says: "failed; the amount is back in the balance",
    },
    reject: {
      from: "requested",
      to: "rejected",
      at: decidedAs("rejected"),
      due: "is rejected",
      effect: releaseAmount,
      emits: "payout.rejected",
      says: "rejected; the amount is back in the balance",
    },
  },
});

const outcomes = {
  paid: "the service and the bank approve the payout and it is paid",
  failed: "the bank cannot pay the payout; the amount returns to the balance",
  rejected: "the service declines the payout; the amount returns to the balance",
  requested: "the payout stays requested",
};

/** Minimum amount in kobo, which leaves one kobo after the fee; assumption business.payout. */
export const minPayout = payoutFee + 1;

export const createPayout = operation({
  id: "createPayout",
  route: "POST /v1/business/payouts",
  summary: "Request a payout to the payout account",
  description: "Returns a payout with status requested; the outcome determines its final state.",
  auth: "key",
  body: Type.Object({ amount: amountBetween(minPayout, maxTransfer) }),
  reply: { 201: Payout },
  refuses: [
    "amount_out_of_range",
    "amount_not_in_kobo",
    "payout_account_required",
    "insufficient_available_balance",
  ],
  outcomes,
  emits: payout.events,
  assumptions: ["business.amounts"],

  testValue({ account, body }) {
    const number = findPayoutAccount(account)?.account_number ?? "";
    return (
      testAmountOutcome("createPayout", body.amount) ??
      testValueOutcome("createPayout", "payout account", number)
    );
  },

  handle({ account, body, outcome, refuse }) {
    const amount = readAmount(body.amount, minPayout, maxTransfer);
    const to = findPayoutAccount(account);
    if (!to) {
      const message =
        "Set the payout account first: PUT /v1/business/payout-account {bank_code, account_number}.";
      return refuse("payout_account_required", { message });
    }
    const available = account.ledger.balance("available");
    if (amount > available) {
      const message = `amount is ${formatNaira(amount)}, but only ${formatNaira(available)} is available; money received is pending for 24 hours.`;
      refuse("insufficient_available_balance", { param: "amount", message });
    }
    const requested = account.records.start(payout, "request", {
      reference: takeReference(account, "po"),
      amount,
      bank_code: to.bank_code,
      bank_name: to.bank_name,
      account_number: to.account_number,
      outcome,
      decides_at: account.clock.now() + decisionDelayMs,
    });
    return payout.view(requested);
  },
});
