import * as Type from "typebox";
import { AccountNumber, BankCode } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { loadInventor } from "../people/inventor.js";
import { settle } from "../settle.js";
import { testValueOutcome } from "../test-values.js";
import { inventedOwner, knownOwner } from "./bank-account-owner.js";
import { report, scores, type TestOutcome } from "./number-lookup.js";
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
  refuses: ["invalid_account_number", "invalid_bank_code", "resource_not_found", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "bank_account",
  freeTier: true,
  assumptions: ["lookup.not_found", "lookup.match", "lookup.people"],

  testValue: ({ body }) =>
    testValueOutcome("verifyBankAccount", "account number", body.account_number) as TestOutcome,
  prepare: loadInventor,

  handle(call) {
    const { account_number, bank_code } = call.body;
    const { owner, isKnown } = knownOwner(call, bank_code, account_number);
    if (isKnown && call.decision.by === "default") settle(call, owner ? "match" : "not_found");
    const { outcome } = call;
    const { account_name } = owner ?? inventedOwner(call, bank_code, account_number);
    const data = { account_number, account_name, bank_code };
    return report(call, "bank_account", account_number, { outcome, score: scores[outcome] }, data);
  },
});
