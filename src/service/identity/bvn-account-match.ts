import * as Type from "typebox";
import { AccountNumber, BankCode, ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { lookupOutcomes } from "./outcomes.js";
import { BvnAccountMatch } from "./schemas.js";

export const verifyBvnAccountMatch = operation({
  id: "verifyBvnAccountMatch",
  route: "POST /v1/verify/bvn-account-match",
  summary: "Check that a bank account belongs to the owner of a BVN",
  auth: "key",
  body: Type.Object({ account_number: AccountNumber, bank_code: BankCode, bvn: ElevenDigits("invalid_bvn") }),
  reply: { 200: BvnAccountMatch },
  refuses: ["invalid_account_number", "invalid_bank_code", "invalid_bvn", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "bvn_account_match",
});
