/**
 * The simple model: what a business should have according to the interface and the assumptions. It is plain data that
 * can be copied. It stores no totals; figures.ts computes them from the records.
 */
import type { Json } from "./business.js";
import type { Kobo } from "./money.js";

export interface VirtualAccount {
  /** Reference from the reply that created it. */
  view: Json & { id: string; customer_name: string };
  active: boolean;
}

export type PaymentState = "pending" | "success" | "held" | "failed";

export interface Payment {
  /** Null until a reply has shown it. */
  id: string | null;
  method: "transfer" | "card";
  amount: Kobo;
  payer: string;
  account: string | null;
  state: PaymentState;
  /** Reasons to hold it. */
  reasons: ("limit" | "issue")[];
  paidAt: number | null;
  /** End of its 24 hours; null before it succeeds. */
  settlesAt: number | null;
  settled: boolean;
  refunded: Kobo;
  /** Total of the open refunds. */
  asked: Kobo;
  /** Whether payment.received was sent since it last failed. */
  reported: boolean;
  /** Outcome of refunds to the card. */
  refunds: "processed" | "failed";
}

export interface Charge {
  reference: string;
  /** Index in `payments`. */
  payment: number;
  paid: boolean;
  /** Whether its last card asks for a second step. */
  waiting: boolean;
}

export type Outcome = "done" | "failed" | "rejected" | "stays";

/** A payout or a refund. */
export interface Transfer {
  id: string;
  reference: string;
  amount: Kobo;
  outcome: Outcome;
  state: "requested" | Exclude<Outcome, "stays">;
}
export interface Payout extends Transfer {
  bank: PayoutAccount;
}
export interface Refund extends Transfer {
  payment: number;
  reason: string;
}

export interface PayoutAccount {
  bank_name: string;
  account_number: string;
}

type Timed = "payment" | "payout" | "refund";

export interface Timer {
  at: number;
  /** Order of creation, which decides between jobs due at the same instant. */
  made: number;
  what: Timed;
  which: number;
}

export interface ExpectedEvent {
  kind: string;
  at: number;
  data: Json;
}

export interface Book {
  now: number;
  /** Checkout URL without the reference. */
  checkouts: string;
  profile: Json | null;
  verified: boolean;
  payoutTo: PayoutAccount | null;
  references: string[];
  accounts: VirtualAccount[];
  payments: Payment[];
  charges: Charge[];
  payouts: Payout[];
  refunds: Refund[];
  timers: Timer[];
  timersMade: number;
  /** All events so far. */
  events: ExpectedEvent[];
  /** Total that customers paid, and total returned to them for held payments that failed. */
  paidIn: Kobo;
  returned: Kobo;
  refundedInAll: Kobo;
}

export const newBook = (now: number, checkouts: string): Book => ({
  now,
  checkouts,
  profile: null,
  verified: false,
  payoutTo: null,
  references: [],
  accounts: [],
  payments: [],
  charges: [],
  payouts: [],
  refunds: [],
  timers: [],
  timersMade: 0,
  events: [],
  paidIn: 0,
  returned: 0,
  refundedInAll: 0,
});

export const recordEvent = (book: Book, kind: string, data: Json): void => {
  book.events.push({ kind, at: book.now, data });
};

export function startTimer(book: Book, what: Timed, which: number, at: number): void {
  book.timers.push({ at, made: book.timersMade++, what, which });
}

export function stopTimer(book: Book, what: Timed, which: number): void {
  book.timers = book.timers.filter((timer) => timer.what !== what || timer.which !== which);
}

export const iso = (at: number): string => new Date(at).toISOString();
