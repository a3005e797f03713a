/** Payouts and refunds in the model: assumptions business.payout and business.refund. */

import type { Payout, Refund, Transfer } from "./book.js";
import { type Book, type Outcome, type Payment, recordEvent, startTimer, stopTimer } from "./book.js";
import { answered, type Json, type Reply, refused } from "./business.js";
import { feeKept, figuresOf, viewPayout, viewRefund } from "./figures.js";
import { amountProblem, asked, type Kobo, mostTransfer, payoutFee } from "./money.js";

const approval = 60_000;
const byKobo: Readonly<Record<number, Outcome>> = { 5: "failed", 57: "rejected", 68: "stays" };

/** Payout accounts that select an outcome. */
const byAccount: Readonly<Record<string, Outcome>> = {
  "1111111111": "done",
  "3333333333": "failed",
  "4444444444": "failed",
  "6666666666": "rejected",
};

const text = (body: Json, field: string): string => String(body[field] ?? "");

export function createPayout(book: Book, amount: Kobo, outcome: Outcome | undefined, reply: Json): Reply {
  const wrong = amountProblem(amount, payoutFee + 1, mostTransfer);
  if (wrong !== null) return refused(wrong);
  const bank = book.payoutTo;
  if (!bank) return refused("payout_account_required");
  if (amount > figuresOf(book).available) return refused("insufficient_available_balance");
  const payout: Payout = {
    id: text(reply, "id"),
    reference: text(reply, "reference"),
    amount,
    bank: { ...bank },
    outcome: outcome ?? asked(amount, byKobo) ?? byAccount[bank.account_number] ?? "done",
    state: "requested",
  };
  book.payouts.push(payout);
  wait(book, "payout", payout, book.payouts.length - 1);
  recordEvent(book, "payout.requested", viewPayout(payout));
  return answered(viewPayout(payout));
}

export interface RefundRequest {
  payment: Payment | undefined;
  /** All that is left if undefined. */
  amount: Kobo | undefined;
  outcome: Outcome | undefined;
  reason: string;
}

export const refundable = ({ amount, refunded, asked: open }: Payment): Kobo => amount - refunded - open;

/** The money of a settled payment comes out of `available`, which a refund never takes below zero. */
function lacksMoney(book: Book, payment: Payment, amount: Kobo): boolean {
  if (payment.state !== "success" || !payment.settled) return false;
  const fee = feeKept(payment) - feeKept({ ...payment, refunded: payment.refunded + amount });
  return amount > fee && amount - fee > figuresOf(book).available;
}

export function createRefund(book: Book, request: RefundRequest, reply: Json): Reply {
  const { payment, amount, outcome, reason } = request;
  const wrong = amount === undefined ? null : amountProblem(amount, 1, mostTransfer);
  if (wrong !== null) return refused(wrong);
  if (!payment) return refused("resource_not_found");
  if (payment.state !== "success") return refused("not_refundable");
  const left = refundable(payment);
  if (left === 0 || (amount ?? 0) > left) return refused("refund_exceeds_payment");
  if (lacksMoney(book, payment, amount ?? left)) return refused("insufficient_available_balance");
  const byCard = payment.refunds === "failed" ? "failed" : "done";
  const refund: Refund = {
    id: text(reply, "id"),
    reference: text(reply, "reference"),
    payment: book.payments.indexOf(payment),
    amount: amount ?? left,
    reason,
    outcome: outcome ?? (amount === undefined ? undefined : asked(amount, byKobo)) ?? byCard,
    state: "requested",
  };
  payment.asked += refund.amount;
  book.refunds.push(refund);
  wait(book, "refund", refund, book.refunds.length - 1);
  recordEvent(book, "refund.requested", viewRefund(refund));
  return answered(viewRefund(refund));
}

function wait(book: Book, what: "payout" | "refund", { outcome }: Transfer, which: number): void {
  if (outcome !== "stays") startTimer(book, what, which, book.now + approval);
}

const endings: Readonly<Record<string, Transfer["state"]>> = {
  pay: "done",
  process: "done",
  fail: "failed",
  reject: "rejected",
};
const moveTo: Readonly<Record<Outcome, string>> = {
  done: "",
  failed: "fail",
  rejected: "reject",
  stays: "",
};

export function movePayout(book: Book, payout: Payout, move: string): boolean {
  if (payout.state !== "requested" || !["pay", "fail", "reject"].includes(move)) return false;
  stopTimer(book, "payout", book.payouts.indexOf(payout));
  payout.state = endings[move] ?? "requested";
  const view = viewPayout(payout);
  recordEvent(book, `payout.${view.status}`, view);
  return true;
}

export function moveRefund(book: Book, refund: Refund, move: string): boolean {
  if (refund.state !== "requested" || !["process", "fail", "reject"].includes(move)) return false;
  stopTimer(book, "refund", book.refunds.indexOf(refund));
  const payment = book.payments[refund.payment] as Payment;
  const ending = endings[move] ?? "requested";
  // A payment that has failed in the meantime has no money left to refund, and that of another may be paid out.
  const hasNoMoney = payment.state === "failed" || lacksMoney(book, payment, refund.amount);
  refund.state = ending === "done" && hasNoMoney ? "failed" : ending;
  payment.asked -= refund.amount;
  if (refund.state === "done") {
    payment.refunded += refund.amount;
    book.refundedInAll += refund.amount;
  }
  const view = viewRefund(refund);
  recordEvent(book, `refund.${view.status}`, view);
  return true;
}

/** Decision of the service and the bank after their minute. */
export function decide(book: Book, what: "payout" | "refund", which: number): void {
  if (what === "payout") {
    const payout = book.payouts[which] as Payout;
    movePayout(book, payout, moveTo[payout.outcome] || "pay");
  } else {
    const refund = book.refunds[which] as Refund;
    moveRefund(book, refund, moveTo[refund.outcome] || "process");
  }
}
