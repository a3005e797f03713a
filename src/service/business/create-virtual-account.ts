import * as Type from "typebox";
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";
import { nubanCheckDigit } from "../banks.js";
import { Bvn, Nin } from "../numbers.js";
import { operation } from "../operation.js";
import { virtualAccount } from "./machines/virtual-account.js";
import { isReferenceTaken, takeReference } from "./references.js";
import { VirtualAccount } from "./resources.js";
import { requireProfile } from "./save-business-profile.js";
import { customer } from "./schemas.js";

/** Bank of the account numbers. No real bank has this code. */
const sandboxBank = { code: "999", name: "Sandbox Bank" };

/** The account numbers that were ever given out. */
const accountNumbers = table<{ taken_at: string }>("business_account_numbers");

/** Returns an account number with a valid check digit that was not used before on this account. */
function newAccountNumber(account: Account): string {
  const serial = `99${account.random.digits(7)}`;
  const number = serial + nubanCheckDigit(sandboxBank.code, serial);
  if (account.state.has(accountNumbers, number)) return newAccountNumber(account);
  account.state.put(accountNumbers, number, { taken_at: account.clock.iso() });
  return number;
}

/** Finds the virtual account with this reference, for the switch `returned` of assumption business.reference_reuse. */
function findByReference(account: Account, reference: string | undefined) {
  if (reference === undefined || !isReferenceTaken(account, "va", reference)) return undefined;
  const [found] = account.records.newest(virtualAccount, { reference });
  return found;
}

export const createVirtualAccount = operation({
  id: "createVirtualAccount",
  route: "POST /v1/business/virtual-accounts",
  summary: "Create a bank account number for a customer",
  description:
    "Live keys must send bvn or nin; it is used once and not stored. Test keys get a test account number.",
  auth: "key",
  body: Type.Object({
    ...customer,
    reference: Type.Optional(
      Type.String({ minLength: 1, description: "Unique", "x-assumption": "business.reference" }),
    ),
    bvn: Type.Optional(Bvn),
    nin: Type.Optional(Nin),
  }),
  reply: { 201: VirtualAccount },
  refuses: [
    "invalid_bvn",
    "invalid_nin",
    "missing_field",
    "business_profile_required",
    "duplicate_reference",
  ],
  refusesWhile: [
    { assumption: "business.reference_reuse", value: "conflict", codes: ["duplicate_reference"] },
  ],
  emits: virtualAccount.events,
  assumptions: ["business.reference", "ids"],

  handle({ account, assumptions, body, refuse }) {
    if (account.live && body.bvn === undefined && body.nin === undefined) {
      const message = "Live keys must send bvn or nin, 11 digits; it is used once and not stored.";
      refuse("missing_field", { param: "bvn", message });
    }
    const { business_name } = requireProfile(account);
    if (assumptions["business.reference_reuse"] === "returned") {
      const existing = findByReference(account, body.reference);
      if (existing) return virtualAccount.view(existing);
    }
    const reference = takeReference(account, "va", body.reference);
    const created = account.records.start(virtualAccount, "create", {
      reference,
      account_number: newAccountNumber(account),
      bank_name: sandboxBank.name,
      account_name: `${business_name} / ${body.customer_name}`,
      customer_name: body.customer_name,
      customer_email: body.customer_email,
      test: !account.live,
    });
    return virtualAccount.view(created);
  },
});
