/** Provider states of business payments. */
import * as Type from "typebox";
import { toNaira } from "../../contract/money.js";
import type { GivenRecords } from "../../scenarios/given.js";
import {
  amountBetween,
  feeOf,
  fitsLimit,
  flatFee,
  maxCharge,
  maxTransfer,
  minCharge,
  minTransfer,
  readAmount,
} from "../../service/business/ledger.js";
import { payment } from "../../service/business/payments.js";
import { payoutFee } from "../../service/business/payouts.js";
import type { EventKind } from "../../service/webhooks/events.js";
import type { Account } from "../../world/account/account.js";
import { providerState } from "./define-state.js";

const defaultPayment = 20_000;
const defaultPayout = 5_000;
const defaultRefund = 5_000;
/** NGN. Above the receive limit of NGN 5,000,000. */
const defaultHeldPayment = 6_000_000;

/** The smallest payment whose money can be paid out after its fee, since a payout has a fee too. */
const minPaidOut = flatFee + payoutFee + 1;

/** The largest payment less its fee. */
const maxPayout = maxTransfer - feeOf(maxTransfer);

/**
 * Returns records of a successful payment, whose kobo must not select another outcome. Verifies the business if the
 * amount is above the receive limit; throws if that would release a payment held by an earlier state.
 */
function receivedPayment(state: string, account: Account, naira: number, fields: object = {}): GivenRecords {
  const amount = readAmount(naira, minTransfer, maxTransfer);
  const records = { payments: [{ amount: naira, outcome: "success", ...fields }] };
  if (fitsLimit(account, amount)) return records;
  const held = account.records.newest(payment, { state: "held" });
  if ([...held].some(({ holds }) => holds.includes("limit")))
    throw new Error(
      "the amount is above the receive limit, and verifying the business would release the held payment; " +
        `name ${state} before a held payment`,
    );
  return { account: { business_verified: true }, ...records };
}

interface PaymentStateSpec {
  description: string;
  /** Events of the payment, without the event of its virtual account. */
  events?: readonly EventKind[];
  given(naira: number, account: Account): GivenRecords;
  usualAmount?: number;
}

const paymentState = <const Name extends string>(
  name: Name,
  { description, events = [], given, usualAmount = defaultPayment }: PaymentStateSpec,
) =>
  providerState(name, {
    description,
    events: ["virtual_account.created", ...events],
    params: { amount: amountBetween(minTransfer, maxTransfer) },
    values: {
      payment_id: ["The payment's id", "payments.payment_id"],
      virtual_account_id: ["The virtual account that was paid to", "virtual_accounts.id"],
      amount: "NGN",
    },
    given: ({ amount = usualAmount }, account) => given(amount, account),
    finish: (_context, { amount = usualAmount }) => ({ amount }),
  });

/** `decision` is null for a payout that is not decided. */
const payoutState = <const Name extends string>(
  name: Name,
  description: string,
  decision: "paid" | "rejected" | "failed" | null,
) =>
  providerState(name, {
    description,
    events: [
      "virtual_account.created",
      "payment.received",
      "payment.settled",
      "payout.requested",
      ...(decision ? [`payout.${decision}` as const] : []),
    ],
    params: { amount: amountBetween(payoutFee + 1, maxPayout) },
    values: { payout_id: ["The payout's id", "payouts.id"], amount: "NGN" },
    given({ amount = defaultPayout }, account) {
      const kobo = readAmount(amount, payoutFee + 1, maxPayout);
      const covering = Math.min(kobo + 2 * feeOf(kobo) + defaultPayment * 100, maxTransfer);
      return {
        ...receivedPayment(name, account, toNaira(covering), { settled: true }),
        payouts: [{ amount, ...(decision ? { [decision]: true } : {}) }],
      };
    },
    finish: (_context, { amount = defaultPayout }) => ({ amount }),
  });

/** `decision` is null for a refund that is not decided. */
const refundState = <const Name extends string>(
  name: Name,
  description: string,
  decision: "processed" | "rejected" | "failed" | null,
) =>
  providerState(name, {
    description,
    events: [
      "virtual_account.created",
      "payment.received",
      "refund.requested",
      ...(decision ? [`refund.${decision}` as const] : []),
    ],
    params: { amount: amountBetween(1, maxTransfer) },
    values: {
      refund_id: ["The refund's id", "refunds.id"],
      payment_id: ["The payment's id", "payments.payment_id"],
    },
    given(params, account) {
      const { amount = defaultRefund } = params;
      readAmount(amount, 1, maxTransfer);
      return {
        ...receivedPayment(name, account, Math.max(amount, defaultRefund)),
        refunds: [{ ...params, ...(decision ? { [decision]: true } : {}) }],
      };
    },
  });

export const businessStates = [
  providerState("a business profile", {
    description: "The profile is saved: virtual accounts and charges may be created",
    params: {
      business_name: Type.String(),
      business_type: Type.String(),
      contact_phone: Type.String(),
    },
    given: (params) => ({ business: params }),
  }),
  providerState("a payout account", {
    description: "The bank account that payouts go to is set",
    params: { bank_code: Type.String(), account_number: Type.String() },
    values: { account_name: "The holder" },
    given: (params) => ({ payout_account: params }),
    finish: ({ made }) => ({ account_name: (made.payout_account as { account_name: string }).account_name }),
  }),
  providerState("a virtual account", {
    description: "A customer has an account number to pay to",
    params: { customer_name: Type.String(), customer_email: Type.String(), reference: Type.String() },
    values: {
      virtual_account_id: ["The virtual account's id", "virtual_accounts.id"],
      account_number: ["Ten digits", "virtual_accounts.account_number"],
      reference: ["The virtual account's reference", "virtual_accounts.reference"],
    },
    events: ["virtual_account.created"],
    given: (params) => ({ virtual_accounts: [params] }),
  }),
  paymentState("a received payment", {
    description: "A payment was received and is pending for 24 hours",
    events: ["payment.received"],
    given: (amount, account) => receivedPayment("a received payment", account, amount),
  }),
  paymentState("a settled balance", {
    description: "A payment has settled and can be paid out to the payout account",
    events: ["payment.received", "payment.settled"],
    given: (amount, account) => ({
      ...receivedPayment("a settled balance", account, amount, { settled: true }),
      payout_account: {},
    }),
  }),
  paymentState("a paid-out payment", {
    description: "A payment has settled, and all of its money has been paid out",
    events: ["payment.received", "payment.settled", "payout.requested", "payout.paid"],
    given(amount, account) {
      const kobo = readAmount(amount, minPaidOut, maxTransfer);
      return {
        ...receivedPayment("a paid-out payment", account, amount, { settled: true }),
        payouts: [{ amount: toNaira(kobo - feeOf(kobo)), paid: true }],
      };
    },
  }),
  paymentState("a held payment", {
    description: "A payment above the receive limit is held until the business is verified",
    given: (amount) => ({ payments: [{ amount, outcome: "held" }] }),
    usualAmount: defaultHeldPayment,
  }),
  paymentState("a failed payment", {
    description: "A payment failed",
    events: ["payment.failed"],
    given: (amount) => ({ payments: [{ amount, outcome: "failed" }] }),
  }),
  paymentState("a payment with an issue", {
    description: "A problem was found on a payment; it is held until the problem is resolved",
    events: ["payment.issue"],
    given: (amount) => ({ payments: [{ amount, outcome: "issue" }] }),
  }),
  paymentState("a payment with a resolved issue", {
    description: "The problem that was found on a payment is resolved, and the payment is released",
    events: ["payment.issue", "payment.issue_resolved", "payment.received"],
    given: (amount, account) =>
      receivedPayment("a payment with a resolved issue", account, amount, {
        outcome: "issue",
        moves: ["resolve_issue"],
      }),
  }),
  providerState("an open checkout", {
    description: "A customer has a checkout link and has not paid",
    params: {
      amount: amountBetween(minCharge, maxCharge),
      customer_name: Type.String(),
      description: Type.String(),
    },
    values: {
      reference: ["The charge's reference", "charges.reference"],
      checkout_url: ["The checkout page", "charges.checkout_url"],
    },
    given: (params) => ({ charges: [params] }),
  }),
  payoutState("a requested payout", "A payout was requested and is not decided", null),
  payoutState("a paid payout", "A payout was paid", "paid"),
  payoutState(
    "a rejected payout",
    "The service declined a payout; its amount is back in the balance",
    "rejected",
  ),
  payoutState("a failed payout", "A payout failed; its amount is back in the balance", "failed"),
  refundState("a requested refund", "A refund was requested and is not decided", null),
  refundState("a processed refund", "The customer got the refund", "processed"),
  refundState("a rejected refund", "The service declined a refund", "rejected"),
  refundState("a failed refund", "A refund failed", "failed"),
] as const;
