/** Totals of the model's records, and the expected view of each. */
import type { Book, Charge, Payment, Payout, Refund, VirtualAccount } from "./book.js";
import { iso } from "./book.js";
import type { Json } from "./business.js";
import { feeOf, feeOn, type Kobo, naira, payoutFee, receiveLimit } from "./money.js";

const sum = (amounts: readonly Kobo[]): Kobo => amounts.reduce((total, kobo) => total + kobo, 0);

/** The part of the payment's fee that was not returned. */
export const feeKept = ({ amount, refunded }: Payment): Kobo => feeOf(amount) - feeOn(refunded, amount);

/** The merchant's share of a successful payment. */
const netLeft = (payment: Payment): Kobo => payment.amount - payment.refunded - feeKept(payment);

export interface Figures {
  received: Kobo;
  pending: Kobo;
  available: Kobo;
  held: Kobo;
  fees: Kobo;
  inPayout: Kobo;
  paidOut: Kobo;
}

export function figuresOf({ payments, payouts }: Book): Figures {
  const successful = payments.filter(({ state }) => state === "success");
  const held = payments.filter(({ state }) => state === "held");
  const [paid, open] = ["done", "requested"].map((wanted) => payouts.filter(({ state }) => state === wanted));
  const gone = sum([...(paid ?? []), ...(open ?? [])].map(({ amount }) => amount));
  const payoutFees = (paid ?? []).length * payoutFee;
  return {
    received: sum(successful.map(({ amount }) => amount)),
    pending: sum(successful.filter(({ settled }) => !settled).map(netLeft)),
    available: sum(successful.filter(({ settled }) => settled).map(netLeft)) - gone,
    held: sum(held.map(({ amount, refunded }) => amount - refunded)),
    fees: sum(successful.map(feeKept)) + payoutFees,
    inPayout: sum((open ?? []).map(({ amount }) => amount)),
    paidOut: sum((paid ?? []).map(({ amount }) => amount)) - payoutFees,
  };
}

/** How much may still be received; null once the certificate is verified. */
export const remainingOf = (book: Book): Kobo | null =>
  book.verified ? null : Math.max(0, receiveLimit - figuresOf(book).received);

export function overviewOf(book: Book): Json {
  const { received, pending, available, held, fees } = figuresOf(book);
  const remaining = remainingOf(book);
  return {
    status: book.profile ? "active" : "setup_required",
    business_verified: book.verified,
    limit: naira(receiveLimit),
    received: naira(received),
    remaining: remaining === null ? null : naira(remaining),
    balance: naira(pending + available),
    available: naira(available),
    pending: naira(pending),
    held: naira(held),
    fees_charged: naira(fees),
    fees: { flat: 50, percent_from: 5_000, percent: 1 },
    live: false,
  };
}

export const viewPayment = (payment: Payment): Json => ({
  id: payment.id,
  method: payment.method,
  status: payment.state,
  amount: naira(payment.amount),
  fee: naira(feeOf(payment.amount)),
  net: naira(payment.amount - feeOf(payment.amount)),
  payer_name: payment.payer,
  virtual_account_id: payment.account,
  test: true,
  paid_at: payment.paidAt === null ? null : iso(payment.paidAt),
});

export const viewAccount = ({ view, active }: VirtualAccount): Json => ({ ...view, active });

export const viewCharge = (book: Book, { reference, payment }: Charge): Json => {
  const { state, amount } = book.payments[payment] as Payment;
  const checkout_url = book.checkouts + reference;
  return { reference, checkout_url, payment: { status: state, amount: naira(amount) } };
};

export const viewPayout = ({ id, reference, state, amount, bank }: Payout): Json => ({
  id,
  reference,
  status: state === "done" ? "paid" : state,
  amount: naira(amount),
  fee: naira(payoutFee),
  you_receive: naira(amount - payoutFee),
  ...bank,
});

export const viewRefund = ({ id, reference, state, amount, reason }: Refund): Json => ({
  id,
  reference,
  status: state === "done" ? "processed" : state,
  amount: naira(amount),
  reason,
});

export const listOfPayments = ({ payments }: Book): Json[] => payments.map(viewPayment).reverse();

export const listOfAccounts = ({ accounts, payments }: Book): Json[] =>
  accounts
    .map((account) => {
      const own = payments.filter(({ state, account: to }) => state === "success" && to === account.view.id);
      const total = sum(own.map(({ amount }) => amount));
      return { ...viewAccount(account), payments: own.length, total_received: naira(total) };
    })
    .reverse();
