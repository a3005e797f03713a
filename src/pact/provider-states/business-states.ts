/** Interface: business payments. */
import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import type { Given } from "../../scenarios/given.js";
import { amountIn, feeOf, fitsLimit } from "../../service/business/fees-and-limits.js";
import { payment as paymentMachine } from "../../service/business/machines/payment.js";
import { payoutFee } from "../../service/business/machines/payout.js";
import { leastCharge, leastTransfer, mostCharge, mostTransfer } from "../../service/business/schemas.js";
import type { Account } from "../../world/account.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { firstOf, type Setting, some, state, type Values } from "./define-state.js";

/**
 * A successful payment of so much naira: its kobo ask for nothing, and where it is above the receive limit the business
 * is verified first. Throws what the amount would have to be.
 */
function received(state: string, account: Account, naira: number, more: object = {}): Given {
  const amount = amountIn(naira, leastTransfer, mostTransfer);
  const paid = { payments: [{ amount: naira, outcome: "success", ...more }] };
  if (fitsLimit(account, amount)) return paid;
  if (isLimitHolding(account)) {
    const why = "so much is above the receive limit, and verifying the business releases what is held";
    throw new Error(`${why}; name ${state} before a held payment`);
  }
  return { account: { business_verified: true }, ...paid };
}

const isLimitHolding = ({ records }: Account): boolean =>
  [...records.newest(paymentMachine, '"state":"held"')].some(({ holds }) => holds.includes("limit"));

/** What a state may be asked for, NGN: the range of the operation that makes it. */
const amountFrom = (least: Kobo, most: Kobo) => {
  const [minimum, maximum] = [toNaira(least), toNaira(most)];
  const rule = coded("amount_out_of_range", `from ${minimum} to ${maximum}`);
  return { amount: Type.Number({ minimum, maximum, ...rule, description: "NGN" }) };
};
const transfer = amountFrom(leastTransfer, mostTransfer);

const paymentValues = {
  payment_id: "The payment's id",
  virtual_account_id: "Where it came in",
  amount: "NGN",
};

const usual = 20_000;

const payment = (setting: Setting, params: { amount?: number }, least = usual): Values => ({
  payment_id: firstOf(setting, "payments", "payment_id"),
  virtual_account_id: firstOf(setting, "virtual_accounts", "id"),
  amount: params.amount ?? least,
});

/** The fee of the largest payment is not there to be paid out. */
const mostPayout = mostTransfer - feeOf(mostTransfer);

const payoutState = (name: string, description: string, word: string | null) =>
  state(name, {
    description,
    params: amountFrom(payoutFee + 1, mostPayout),
    values: { payout_id: "The payout's id", amount: "NGN" },
    given({ amount: asked = 5_000 }, account) {
      const paid = amountIn(asked, payoutFee + 1, mostPayout);
      const covering = Math.min(paid + 2 * feeOf(paid) + usual * 100, mostTransfer);
      return {
        ...received(name, account, toNaira(covering), { settled: true }),
        payouts: [{ amount: asked, ...(word ? { [word]: true } : {}) }],
      };
    },
    finish: (setting, { amount: paid = 5_000 }): Values => ({
      payout_id: firstOf(setting, "payouts", "id"),
      amount: paid,
    }),
  });

const refundState = (name: string, description: string, word: string | null) =>
  state(name, {
    description,
    params: amountFrom(1, mostTransfer),
    values: { refund_id: "The refund's id", payment_id: "The payment's id" },
    given(params, account) {
      const { amount: asked = 5_000 } = params;
      amountIn(asked, 1, mostTransfer);
      return {
        ...received(name, account, Math.max(asked, 5_000)),
        refunds: [{ ...some(params), ...(word ? { [word]: true } : {}) }],
      };
    },
    finish: (setting): Values => ({
      refund_id: firstOf(setting, "refunds", "id"),
      payment_id: firstOf(setting, "payments", "payment_id"),
    }),
  });

/** What may be received until the business is verified is NGN 5,000,000. */
const aboveTheLimit = 6_000_000;

export const businessStates = [
  state("a business profile", {
    description: "The profile is saved: account numbers and payments may be made",
    params: {
      business_name: Type.String(),
      business_type: Type.String(),
      contact_phone: Type.String(),
    },
    given: (params) => ({ business: some(params) }),
  }),
  state("a payout account", {
    description: "Payouts have somewhere to go",
    params: { bank_code: Type.String(), account_number: Type.String() },
    values: { account_name: "The holder" },
    given: (params) => ({ payout_account: some(params) }),
    finish: ({ made }): Values => ({
      account_name: String((made.payout_account as { account_name: string }).account_name),
    }),
  }),
  state("a virtual account", {
    description: "A customer has an account number to pay to",
    params: { customer_name: Type.String(), customer_email: Type.String(), reference: Type.String() },
    values: { virtual_account_id: "The account's id", account_number: "Ten digits", reference: "Unique" },
    given: (params) => ({ virtual_accounts: [some(params)] }),
    finish: (setting): Values => ({
      virtual_account_id: firstOf(setting, "virtual_accounts", "id"),
      account_number: firstOf(setting, "virtual_accounts", "account_number"),
      reference: firstOf(setting, "virtual_accounts", "reference"),
    }),
  }),
  state("a received payment", {
    description: "A payment has come in and is pending for 24 hours",
    params: transfer,
    values: paymentValues,
    given: ({ amount: paid = usual }, account) => received("a received payment", account, paid),
    finish: (setting, params) => payment(setting, params),
  }),
  state("a settled balance", {
    description: "A payment has settled and can be paid out",
    params: transfer,
    values: paymentValues,
    given: ({ amount: paid = usual }, account) => ({
      ...received("a settled balance", account, paid, { settled: true }),
      payout_account: {},
    }),
    finish: (setting, params) => payment(setting, params),
  }),
  state("a held payment", {
    description: "A payment above the receive limit waits for the business to be verified",
    params: transfer,
    values: paymentValues,
    given: ({ amount: paid = aboveTheLimit }) => ({ payments: [{ amount: paid, outcome: "held" }] }),
    finish: (setting, params) => payment(setting, params, aboveTheLimit),
  }),
  state("a payment with an issue", {
    description: "A problem was found on a payment; it is held until that is resolved",
    params: transfer,
    values: paymentValues,
    given: ({ amount: paid = usual }) => ({ payments: [{ amount: paid, outcome: "issue" }] }),
    finish: (setting, params) => payment(setting, params),
  }),
  state("an open checkout", {
    description: "A customer has a checkout link and has not paid",
    params: {
      ...amountFrom(leastCharge * 100, mostCharge * 100),
      customer_name: Type.String(),
      description: Type.String(),
    },
    values: { reference: "The charge's", checkout_url: "The page" },
    given: (params) => ({ charges: [some(params)] }),
    finish: (setting): Values => ({
      reference: firstOf(setting, "charges", "reference"),
      checkout_url: firstOf(setting, "charges", "checkout_url"),
    }),
  }),
  payoutState("a requested payout", "A payout is on its way", null),
  payoutState("a paid payout", "A payout has arrived", "paid"),
  payoutState(
    "a rejected payout",
    "The service declined a payout; the money is back in the balance",
    "rejected",
  ),
  payoutState("a failed payout", "A payout did not arrive; the money is back in the balance", "failed"),
  refundState("a requested refund", "A refund is on its way", null),
  refundState("a processed refund", "The customer has the money back", "processed"),
  refundState("a failed refund", "A refund did not arrive", "failed"),
];
