import * as Type from "typebox";
import { Payout } from "../../contract/resources.js";
import { operation } from "../operation.js";
import { Amount } from "./schemas.js";

export const createPayout = operation({
  id: "createPayout",
  route: "POST /v1/business/payouts",
  summary: "Request a payout to the payout account",
  description: "Answers with status requested; the outcome says what follows.",
  auth: "key",
  body: Type.Object({ amount: Amount }),
  reply: { 201: Payout },
  refuses: ["amount_out_of_range", "payout_account_required", "insufficient_available_balance"],
  outcomes: {
    paid: "the service and the bank approve it and it is paid",
    failed: "the bank cannot pay it; the amount returns to the balance",
    rejected: "the service declines it; the amount returns to the balance",
    requested: "it stays requested",
  },
  emits: ["payout.requested", "payout.paid", "payout.failed", "payout.rejected"],
  assumptions: ["business.payout", "business.reference", "ids"],
});
