/** Interface: "Virtual account", a bank account number for one customer. */
import * as Type from "typebox";
import { type Kobo, toNaira } from "../../contract/money.js";
import { exactly, naira, notBlank } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { table } from "../../world/store/table.js";
import { requireRecord } from "../account-records.js";
import { nubanCheckDigit } from "../banks.js";
import { machine, record } from "../machine.js";
import { Bvn, Nin } from "../numbers.js";
import { operation } from "../operation.js";
import { testAmountOutcome } from "../test-values.js";
import { amountBetween, maxTransfer, minTransfer, readAmount } from "./ledger.js";
import { createPayment, payment } from "./payments.js";
import { requireProfile } from "./profile.js";
import { isReferenceTaken, PaymentId, PaymentStatus, takeReference, VirtualAccount } from "./resources.js";

/** The customer fields that virtual accounts and charges share. */
export const customer = {
  customer_name: Type.String({ ...notBlank, examples: ["Chidi Obi"] }),
  customer_email: Type.String({ format: "email", examples: ["chidi@example.com"] }),
};

export const VirtualAccountInList = exactly({
  ...VirtualAccount.properties,
  payments: Type.Integer({ minimum: 0, description: "Number of payments" }),
  total_received: naira(),
});

export const virtualAccountRecord = record(VirtualAccount, {
  states: ["active", "inactive"],
  view: { active: ({ state }) => state === "active" },
});

/** Formats what happened to an account number, such as `Account number 9912345678 created for Ada Obi.` */
const describe =
  (what: string) =>
  ({ account_number, customer_name }: RecordIn<typeof virtualAccountRecord>): string =>
    `Account number ${account_number} ${what} for ${customer_name}.`;

export const virtualAccount = machine(virtualAccountRecord, {
  name: "virtual_account",
  prefix: "va_",
  index: ["reference"],
  moves: {
    create: { from: "new", to: "active", emits: "virtual_account.created", says: describe("created") },
    deactivate: { from: "active", to: "inactive", says: describe("deactivated") },
    activate: { from: "inactive", to: "active", says: describe("activated") },
  },
});

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
  refuses: ["invalid_bvn", "invalid_nin", "missing_field", "business_profile_required"],
  refusesWhile: [
    { assumption: "business.reference_reuse", value: "conflict", codes: ["duplicate_reference"] },
  ],
  emits: virtualAccount.events,

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

/** Returns the number and gross of successful payments by virtual account id. */
function receivedByAccount({ records }: Account): ReadonlyMap<string, { payments: number; total: Kobo }> {
  const totals = new Map<string, { payments: number; total: Kobo }>();
  for (const { state: status, virtual_account_id: id, amount } of records.newest(payment)) {
    if (id === null || status !== "success") continue;
    const { payments, total } = totals.get(id) ?? { payments: 0, total: 0 };
    totals.set(id, { payments: payments + 1, total: total + amount });
  }
  return totals;
}

export const listVirtualAccounts = operation({
  id: "listVirtualAccounts",
  route: "GET /v1/business/virtual-accounts",
  summary: "List virtual accounts and their totals received",
  description: "Each account has the number and the total of its successful payments.",
  auth: "key",
  reply: { 200: exactly({ accounts: Type.Array(VirtualAccountInList) }) },
  assumptions: ["lists", "business.virtual_accounts"],

  handle({ account }) {
    const totals = receivedByAccount(account);
    const accounts = [...account.records.newest(virtualAccount)].map((record) => {
      const { payments, total } = totals.get(record.id) ?? { payments: 0, total: 0 };
      return { ...virtualAccount.view(record), payments, total_received: toNaira(total) };
    });
    return { accounts };
  },
});

export const SimulatedPayment = exactly({ status: PaymentStatus, payment_id: PaymentId });

const transferOutcomes = {
  success: "the payment succeeds; above the receive limit it is held",
  failed: "the payment fails",
  held: "the payment is held, as above the receive limit",
  issue: "a problem is found on the payment: payment.issue, and held until it is resolved",
  pending: "the payment stays pending",
};

const movesByOutcome = { success: "succeed", failed: "fail", held: "hold", issue: "raise_issue" } as const;

export const simulatePayment = operation({
  id: "simulatePayment",
  route: "POST /v1/business/test/simulate-payment",
  summary: "Simulate a transfer to a virtual account",
  description: "Test keys only. The payment settles after 24 hours, like a real one.",
  auth: "key",
  testModeOnly: true,
  body: Type.Object({
    virtual_account_id: Type.String({ examples: ["va_0123456789abcdef"] }),
    amount: amountBetween(minTransfer, maxTransfer),
  }),
  reply: { 200: SimulatedPayment },
  refuses: [
    "amount_out_of_range",
    "amount_not_in_kobo",
    "resource_not_found",
    "business_profile_required",
    "invalid_state",
  ],
  outcomes: transferOutcomes,
  emits: payment.events,
  assumptions: ["business.amounts", "business.payments", "business.transfers"],

  testValue: ({ body }) => testAmountOutcome("simulatePayment", body.amount),

  handle(call) {
    const { account, body, decision, refuse } = call;
    const amount = readAmount(body.amount, minTransfer, maxTransfer);
    requireProfile(account);
    const to = requireRecord(account, virtualAccount, {
      id: body.virtual_account_id,
      param: "virtual_account_id",
      noun: "virtual account",
      hint: "use the id returned by POST /v1/business/virtual-accounts",
    });
    if (to.state !== "active") {
      const message = `${to.id} is deactivated and accepts no payments; reactivate it with the move activate.`;
      refuse("invalid_state", { param: "virtual_account_id", message });
    }
    const fields = {
      method: "transfer",
      amount,
      payer_name: to.customer_name,
      virtual_account_id: to.id,
    } as const;
    const made = createPayment(account, fields);
    if (call.outcome !== "pending") account.records.move(payment, made, movesByOutcome[call.outcome]);
    const { id, status } = payment.view(made);
    if (decision.by === "default" && status === "held") decision.outcome = status;
    return { status, payment_id: id };
  },
});
