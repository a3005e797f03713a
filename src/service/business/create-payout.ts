import * as Type from "typebox";
import { Payout } from "../../contract/resources.js";
import { formatNaira } from "../../world/money/money.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { amountIn } from "./fees-and-limits.js";
import { koboOutcome } from "./kobo.js";
import { payout, payoutFee, payoutTime, viewPayout } from "./machines/payout.js";
import { takeReference } from "./references.js";
import { Amount, mostTransfer } from "./schemas.js";
import { payoutAccountOf } from "./set-payout-account.js";

const outcomes = {
  paid: "the service and the bank approve it and it is paid",
  failed: "the bank cannot pay it; the amount returns to the balance",
  rejected: "the service declines it; the amount returns to the balance",
  requested: "it stays requested",
};
type PayoutOutcome = keyof typeof outcomes;

export const createPayout = operation({
  id: "createPayout",
  route: "POST /v1/business/payouts",
  summary: "Request a payout to the payout account",
  description: "Answers with status requested; the outcome says what follows.",
  auth: "key",
  body: Type.Object({ amount: Amount }),
  reply: { 201: Payout },
  refuses: ["amount_out_of_range", "payout_account_required", "insufficient_available_balance"],
  outcomes,
  emits: ["payout.requested", "payout.paid", "payout.failed", "payout.rejected"],
  assumptions: ["business.payout", "business.reference", "ids"],

  testValue({ account, body }) {
    const number = payoutAccountOf(account)?.account_number ?? "";
    const asked =
      koboOutcome("createPayout", body.amount) ?? testValueOutcome("createPayout", "payout account", number);
    return asked as PayoutOutcome | undefined;
  },

  handle({ account, body, outcome, refuse }) {
    const amount = amountIn(body.amount, payoutFee + 1, mostTransfer);
    const to = payoutAccountOf(account);
    if (!to) {
      const message =
        "Set the payout account first: PUT /v1/business/payout-account {bank_code, account_number}.";
      return refuse("payout_account_required", { message });
    }
    const available = account.ledger.balance("available");
    if (amount > available) {
      const message = `amount is ${formatNaira(amount)} and ${formatNaira(available)} is available; money received is pending for 24 hours.`;
      refuse("insufficient_available_balance", { param: "amount", message });
    }
    const requested = account.records.start(payout, "request", {
      reference: takeReference(account, "po"),
      amount,
      bank_code: to.bank_code,
      bank_name: to.bank_name,
      account_number: to.account_number,
      outcome,
      decides_at: account.clock.now() + payoutTime,
    });
    return viewPayout(requested);
  },
});
