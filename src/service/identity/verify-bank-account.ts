import * as Type from "typebox";
import { AccountNumber, BankCode } from "../numbers.js";
import { decideOutcome, operation } from "../operation.js";
import { loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { findAccountOwner, inventAccountOwner } from "./bank-account-owner.js";
import { completeLookup, lookupOutcomes, requestedScores } from "./number-lookup.js";
import { BankAccountVerification, unknownNumberRefused } from "./schemas.js";

export const verifyBankAccount = operation({
  id: "verifyBankAccount",
  route: "POST /v1/verify/bank-account",
  summary: "Look up the name of a bank account",
  description: "Reports not_found if the account number and the bank do not match.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({ account_number: AccountNumber, bank_code: BankCode }),
  reply: { 200: BankAccountVerification },
  refuses: ["invalid_account_number", "invalid_bank_code", "resource_not_found", "insufficient_balance"],
  refusesWhile: [unknownNumberRefused],
  outcomes: lookupOutcomes,
  price: "bank_account",
  freeTier: true,
  assumptions: ["banks", "lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyBankAccount", "account number", body.account_number),
  prepare: loadInventor,

  handle(call) {
    const { account_number, bank_code } = call.body;
    const { owner, isKnown } = findAccountOwner(call, bank_code, account_number);
    if (isKnown && call.decision.by === "default") decideOutcome(call, owner ? "match" : "not_found");
    const { outcome } = call;
    const { account_name } = owner ?? inventAccountOwner(call, bank_code, account_number);
    const data = { account_number, account_name, bank_code };
    return completeLookup(
      call,
      "bank_account",
      account_number,
      { outcome, score: requestedScores[outcome] },
      data,
    );
  },
});
