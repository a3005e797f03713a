/** Payments in the model: assumption business.payments, sentence by sentence. */
import { type Book, type Payment, recordEvent, startTimer, stopTimer } from "./book.js";
import { answered, type Reply, refused } from "./business.js";
import { remainingOf, viewPayment } from "./figures.js";
import { amountProblem, asked, type Kobo, leastTransfer, mostTransfer } from "./money.js";

const settlement = 24 * 3_600_000;

export function newPayment(
  book: Book,
  fields: Pick<Payment, "method" | "amount" | "payer" | "account">,
): Payment {
  const payment: Payment = {
    ...fields,
    id: null,
    state: "pending",
    reasons: [],
    paidAt: null,
    settlesAt: null,
    settled: false,
    refunded: 0,
    asked: 0,
    reported: false,
    refunds: "processed",
  };
  book.payments.push(payment);
  return payment;
}

/** A payment succeeds only if the running total stays within the receive limit. */
const fits = (book: Book, { amount }: Payment): boolean => amount <= (remainingOf(book) ?? amount);

const place = (book: Book, payment: Payment): number => book.payments.indexOf(payment);

/** The 24 hours start with the first success and continue while the payment is held. A settlement never precedes the move that made it due. */
function succeed(book: Book, payment: Payment): void {
  payment.state = "success";
  payment.settlesAt = Math.max(payment.settlesAt ?? book.now + settlement, book.now);
  if (!payment.settled) startTimer(book, "payment", place(book, payment), payment.settlesAt);
}

function hold(book: Book, payment: Payment, reason: "limit" | "issue"): void {
  if (payment.state === "success") stopTimer(book, "payment", place(book, payment));
  payment.state = "held";
  payment.reasons.push(reason);
}

/** Sends payment.received with the first success since the payment last failed. */
function tellReceived(book: Book, payment: Payment): void {
  if (payment.state !== "success" || payment.reported) return;
  payment.reported = true;
  recordEvent(book, "payment.received", viewPayment(payment));
}

/** Receives the customer's money. */
function arrive(book: Book, payment: Payment, held: "limit" | "issue" | null): void {
  book.paidIn += payment.amount;
  payment.paidAt = held === "issue" ? (payment.paidAt ?? book.now) : book.now;
  if (held) hold(book, payment, held);
  else succeed(book, payment);
}

function fail(book: Book, payment: Payment): void {
  if (payment.state === "held") book.returned += payment.amount - payment.refunded;
  Object.assign(payment, { state: "failed", reasons: [], settlesAt: null, settled: false });
  Object.assign(payment, { refunded: 0, reported: false });
  recordEvent(book, "payment.failed", viewPayment(payment));
}

function leaveHeld(book: Book, payment: Payment, reason: "limit" | "issue"): void {
  payment.reasons = payment.reasons.filter((other) => other !== reason);
  if (payment.reasons.length > 0) return;
  if (reason === "issue" && !fits(book, payment)) payment.reasons = ["limit"];
  else succeed(book, payment);
}

export function settle(book: Book, payment: Payment): void {
  stopTimer(book, "payment", place(book, payment));
  payment.settled = true;
  recordEvent(book, "payment.settled", viewPayment(payment));
}

type Move = readonly [legal: (payment: Payment) => boolean, make: (book: Book, payment: Payment) => void];
const unpaid = ({ state }: Payment): boolean => state === "pending" || state === "failed";
const heldFor =
  (reason: "limit" | "issue") =>
  ({ reasons }: Payment): boolean =>
    reasons.includes(reason);

const moves: Readonly<Record<string, Move>> = {
  succeed: [
    unpaid,
    (book, payment) => {
      arrive(book, payment, fits(book, payment) ? null : "limit");
      tellReceived(book, payment);
    },
  ],
  hold: [unpaid, (book, payment) => arrive(book, payment, "limit")],
  release: [
    heldFor("limit"),
    (book, payment) => {
      leaveHeld(book, payment, "limit");
      tellReceived(book, payment);
    },
  ],
  fail: [({ state }) => state === "pending" || state === "held", fail],
  raise_issue: [
    (payment) => payment.state !== "failed" && !heldFor("issue")(payment),
    (book, payment) => {
      if (payment.state === "pending") arrive(book, payment, "issue");
      else hold(book, payment, "issue");
      recordEvent(book, "payment.issue", viewPayment(payment));
    },
  ],
  resolve_issue: [
    heldFor("issue"),
    (book, payment) => {
      leaveHeld(book, payment, "issue");
      recordEvent(book, "payment.issue_resolved", viewPayment(payment));
      tellReceived(book, payment);
    },
  ],
  settle: [({ state, settled }) => state === "success" && !settled, settle],
};

export const paymentMoves = Object.keys(moves);

/** Returns false if the move is illegal. */
export function movePayment(book: Book, payment: Payment, move: string): boolean {
  const [legal, make] = moves[move] ?? [];
  if (!legal?.(payment)) return false;
  make?.(book, payment);
  return true;
}

const outcomes = { success: "succeed", failed: "fail", held: "hold", issue: "raise_issue", pending: null };
export type PaymentOutcome = keyof typeof outcomes;

export function simulatePayment(
  book: Book,
  to: string,
  amount: Kobo,
  outcome: PaymentOutcome | undefined,
  id: string,
): Reply {
  const wrong = amountProblem(amount, leastTransfer, mostTransfer);
  if (wrong !== null) return refused(wrong);
  if (!book.profile) return refused("business_profile_required");
  const account = book.accounts.find(({ view }) => view.id === to);
  if (!account) return refused("resource_not_found");
  if (!account.active) return refused("invalid_state");
  const payer = account.view.customer_name;
  const payment = newPayment(book, { method: "transfer", amount, payer, account: to });
  payment.id = id;
  const byKobo = asked<PaymentOutcome>(amount, { 5: "failed", 59: "issue", 68: "pending" });
  const move = outcomes[outcome ?? byKobo ?? "success"];
  if (move) movePayment(book, payment, move);
  return answered({ status: payment.state, payment_id: id });
}

/** Verifies the certificate, which releases payments held for the limit, oldest first. */
export function verify(book: Book, verified: boolean): void {
  book.verified = verified;
  if (!verified) return;
  for (const payment of book.payments) movePayment(book, payment, "release");
}
