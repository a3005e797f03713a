import * as Type from "typebox";
import { AccountNumber, BankCode } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { lookupOutcomes } from "./outcomes.js";
import { BankAccountVerification } from "./schemas.js";

export const verifyBankAccount = operation({
  id: "verifyBankAccount",
  route: "POST /v1/verify/bank-account",
  summary: "Look up the name of a bank account",
  description: "Reports not_found when number and bank do not match.",
  auth: "key",
  body: Type.Object({ account_number: AccountNumber, bank_code: BankCode }),
  reply: { 200: BankAccountVerification },
  refuses: ["invalid_account_number", "invalid_bank_code", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "bank_account",
});
