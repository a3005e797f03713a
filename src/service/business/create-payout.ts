import * as Type from "typebox";
import { formatNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { testAmountOutcome, testValueOutcome } from "../test-values.js";
import { decisionDelayMs } from "./decision.js";
import { readAmount } from "./fees-and-limits.js";
import { payout, payoutFee } from "./machines/payout.js";
import { takeReference } from "./references.js";
import { Payout } from "./resources.js";
import { amountBetween, maxTransfer } from "./schemas.js";
import { findPayoutAccount } from "./set-payout-account.js";

const outcomes = {
  paid: "the service and the bank approve the payout and it is paid",
  failed: "the bank cannot pay the payout; the amount returns to the balance",
  rejected: "the service declines the payout; the amount returns to the balance",
  requested: "the payout stays requested",
};

/** Leaves one kobo after the fee; assumption business.payout. */
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
  assumptions: ["business.amounts", "business.payout", "business.reference", "ids"],

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
