import * as Type from "typebox";
import type { Account } from "../../world/account/account.js";
import { bankOf } from "../banks.js";
import { findAccountOwner, inventAccountOwner } from "../identity/bank-account-owner.js";
import { AccountNumber, BankCode } from "../numbers.js";
import { decideOutcome, operation } from "../operation.js";
import { loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { businessRecords, PayoutAccount } from "./schemas.js";

const outcomes = {
  resolved: "the bank knows the account number",
  not_found: "the bank does not know the account number: account_not_resolved",
};

export const findPayoutAccount = ({ state }: Account): Type.Static<typeof PayoutAccount> | null =>
  state.get(businessRecords, "payout_account") ?? null;

export const setPayoutAccount = operation({
  id: "setPayoutAccount",
  route: "PUT /v1/business/payout-account",
  summary: "Set the bank account that payouts go to",
  description: "The account name is checked with the bank.",
  auth: "key",
  body: Type.Object({ bank_code: BankCode, account_number: AccountNumber }),
  reply: { 200: PayoutAccount },
  refuses: ["invalid_bank_code", "invalid_account_number", "account_not_resolved"],
  outcomes,
  assumptions: ["banks", "business.payout_account", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("setPayoutAccount", "account number", body.account_number),
  prepare: loadInventor,

  handle(call) {
    const { account, body, decision, refuse } = call;
    const { bank_code, account_number } = body;
    const { owner, isKnown } = findAccountOwner(call, bank_code, account_number);
    if (isKnown && decision.by === "default") decideOutcome(call, owner ? "resolved" : "not_found");
    const bank_name = bankOf(bank_code).name;
    if (call.outcome === "not_found") {
      const message = `${bank_name} does not know the account number ${account_number}.`;
      refuse("account_not_resolved", { param: "account_number", message, byOutcome: true });
    }
    const { account_name } = owner ?? inventAccountOwner(call, bank_code, account_number);
    const saved = { bank_code, bank_name, account_number, account_name, updated_at: account.clock.iso() };
    account.state.put(businessRecords, "payout_account", saved);
    return saved;
  },
});
