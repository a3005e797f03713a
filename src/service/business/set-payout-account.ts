import * as Type from "typebox";
import { AccountNumber, BankCode } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { PayoutAccount } from "./schemas.js";

export const setPayoutAccount = operation({
  id: "setPayoutAccount",
  route: "PUT /v1/business/payout-account",
  summary: "Set the bank account that payouts go to",
  description: "The account name is checked with the bank.",
  auth: "key",
  body: Type.Object({ bank_code: BankCode, account_number: AccountNumber }),
  reply: { 200: PayoutAccount },
  refuses: ["invalid_bank_code", "invalid_account_number", "account_not_resolved"],
  outcomes: {
    resolved: "the bank knows the account number",
    not_found: "the bank does not know the account number, 422 account_not_resolved",
  },
  assumptions: ["business.payout_account"],
});
