/** Checkouts in the model: assumptions business.cards and business.payments. */
import type { Book, Charge, Payment } from "./book.js";
import { answered, type CardInput, type Reply, refused } from "./business.js";
import { viewCharge, viewPayment } from "./figures.js";
import { amountProblem, type Kobo, leastCharge, mostCharge } from "./money.js";
import { movePayment, newPayment } from "./payments.js";

/** Decline code of each test card; null if the card pays. */
export const cards: Readonly<Record<string, string | null>> = {
  "4242424242424242": null,
  "4000000000000002": "card_declined",
  "4000000000009995": "insufficient_funds",
  "4000000000000069": "expired_card",
  "4000002760003184": "second_step",
  "4000000000005126": null,
};
const refusesRefunds = "4000000000005126";

export function createCharge(book: Book, amount: Kobo, payer: string, reference: string): Reply {
  const wrong = amountProblem(amount, leastCharge, mostCharge);
  if (wrong !== null) return refused(wrong);
  if (!book.profile) return refused("business_profile_required");
  newPayment(book, { method: "card", amount, payer, account: null });
  const charge: Charge = { reference, payment: book.payments.length - 1, paid: false, waiting: false };
  book.charges.push(charge);
  return answered(viewCharge(book, charge));
}

/** Returns the decline code of a card or of the answer to its second step; null if paid. */
function resultOf(input: CardInput): string | null {
  if ("card" in input) return cards[input.card] ?? null;
  return input.second_step === "approve" ? null : "authentication_failed";
}

/** Returns the code of the refusal; null if the payment followed the card. */
function attempt(book: Book, charge: Charge, input: CardInput): string | null {
  const payment = book.payments[charge.payment] as Payment;
  if (charge.paid || ("second_step" in input && !charge.waiting)) return "invalid_state";
  const result = resultOf(input);
  if (result === null && !movePayment(book, payment, "succeed")) return "invalid_state";
  charge.paid = result === null;
  charge.waiting = result === "second_step";
  if (result === "second_step") return null;
  payment.refunds = "card" in input && input.card === refusesRefunds ? "failed" : "processed";
  // Money that arrived some other way stays, although the card was declined.
  if (result !== null && payment.state === "pending") movePayment(book, payment, "fail");
  return null;
}

export function payCheckout(book: Book, reference: string, input: CardInput): Reply {
  const charge = book.charges.find((candidate) => candidate.reference === reference);
  if (!charge) return refused("resource_not_found");
  const code = attempt(book, charge, input);
  if (code) return refused(code);
  const declined = charge.paid || charge.waiting ? null : resultOf(input);
  return answered({
    reference,
    result: charge.paid ? "paid" : charge.waiting ? "second_step" : "declined",
    decline_code: declined,
    payment: viewPayment(book.payments[charge.payment] as Payment),
  });
}

/** A move by hand uses a card that pays. */
export const moveCharge = (book: Book, charge: Charge, move: string): boolean =>
  move === "pay" && attempt(book, charge, { card: "4242424242424242" }) === null;
